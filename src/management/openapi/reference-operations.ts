import type { Links } from '../present.ts';
import { type ReferenceList, referenceLists } from '../reference-lists.ts';
import { closedObject, type Json, jsonContent } from './json.ts';
import type { DocumentedOperation } from './operation.ts';

/** What the members of reference entries say. */
const help: Readonly<Record<string, string>> = {
  CC: 'Country code, as fields take it',
  Country: 'Name of the country',
  Family: 'Name of the family, as fields take it',
  Id: 'The code, as fields take it',
  Name: 'Its name',
  Region: 'Name of the region',
  Subcategories: 'The categories below it',
  Title: 'What it stands for',
  Url: "Where the region's URLs begin",
};

const entriesShown = 2;

function schemaOf(name: string, values: readonly unknown[]): Json {
  const description = { description: help[name] };
  const [value] = values;
  if (typeof value === 'number') return { type: 'integer', ...description };
  if (typeof value === 'string') return { type: 'string', ...description };
  return { ...arraySchema(values.flat() as object[]), ...description };
}

/** Schema of an array, read off its entries, which all have the same members. */
function arraySchema(entries: readonly object[]): Json {
  const names = Object.keys(entries[0] ?? {});
  const members = names.map((name) => [
    name,
    schemaOf(
      name,
      entries.map((entry) => entry[name as keyof typeof entry]),
    ),
  ]);
  return { type: 'array', items: closedObject(Object.fromEntries(members)) };
}

/** The first entries, with the lists in them shortened too. */
function shortened(entries: readonly object[]): object[] {
  const shorter = (value: unknown) => (Array.isArray(value) ? shortened(value) : value);
  return entries
    .slice(0, entriesShown)
    .map((entry) => Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, shorter(value)])));
}

function operationOf(
  { name, help: text, documented, entries }: ReferenceList,
  links: Links,
): DocumentedOperation {
  const found = entries(links);
  return {
    method: 'GET',
    path: `/api/info/${name}`,
    operationId: `${name}Info`,
    tag: 'Reference data',
    summary: `List ${name}`,
    description: `${text}.`,
    documented,
    answer: {
      description: 'All entries',
      content: jsonContent(arraySchema(found), { example: shortened(found) }),
    },
    failures: ['Unauthorized', 'ServerError', 'Unavailable'],
  };
}

/** The reference lists under `/api/info/`. */
export function referenceDocumentation(links: Links): DocumentedOperation[] {
  return referenceLists.map((list) => operationOf(list, links));
}
