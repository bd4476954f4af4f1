import { type TSchema, Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { ownMember } from '../../reference/own-member.ts';
import { everyUser } from '../endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts';
import { type ReferenceList, referenceLists } from './reference-lists.ts';

const tag = { name: 'Reference data', description: 'Codes and names that fields accept.' };

const help: Readonly<Record<string, string>> = {
  CC: 'Country code, as in fields',
  Country: 'Name of the country',
  Family: 'Name of the family, as in fields',
  Id: 'The code, as in fields',
  Name: 'Its name',
  Region: 'Name of the region',
  Subcategories: 'Its subcategories',
  Title: 'What the code means',
  Url: 'How the URLs of the region begin',
};

const entriesShown = 2;
/** Regions vary by installation; their form does not. */
const someLinks = { baseUrl: '', regions: [{ name: '', url: '' }] };

function schemaOf(name: string, values: readonly unknown[]): TSchema {
  const description = ownMember(help, name);
  const described = description === undefined ? {} : { description };
  const [value] = values;
  if (typeof value === 'number') return Type.Integer(described);
  if (typeof value === 'string') return Type.String(described);
  return { ...arraySchema(values.flat() as object[]), ...described };
}

function arraySchema(entries: readonly object[]): TSchema {
  const names = Object.keys(entries[0] ?? {});
  const members = names.map((name) => [
    name,
    schemaOf(
      name,
      entries.map((entry) => entry[name as keyof typeof entry]),
    ),
  ]);
  return Type.Array(closedObject(Object.fromEntries(members)));
}

function shortened(entries: readonly object[]): object[] {
  const shorter = (value: unknown) => (Array.isArray(value) ? shortened(value) : value);
  return entries
    .slice(0, entriesShown)
    .map((entry) => Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, shorter(value)])));
}

function listReference({ name, help: text, documented, entries }: ReferenceList): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: `/api/info/${name}`,
    name: `${name}Info`,
    tag,
    summary: `List ${name}`,
    description: `${text}. Returns all entries at once; fields take their codes and names.`,
    isSpecified: documented,
    access: everyUser,
    // Queries are ignored here (reference, W21).
    parameters: 'ignored',
    returns: {
      description: 'All entries',
      schema: arraySchema(entries(someLinks)),
      example: (links) => shortened(entries(links)),
    },
    serve:
      ({ links }) =>
      () => ({ body: JSON.stringify(entries(links())) }),
  });
}

/** Below `/api/info/`. */
export const referenceEndpoints: readonly Endpoint[] = referenceLists.map(listReference);
