import { ownMember } from '../../reference/own-member.ts';
import { attributesTable, type ByVersion, childrenTable, eventNames, eventsTable } from './schema-table.ts';
import { isSince, type VastVersion, vastVersions } from './vast-version.ts';

/** Some elements differ between the two. */
export type AdForm = 'inline' | 'wrapper';

/** One child, or one of several. */
export interface ChildSchema {
  /** As the schema writes them, first choice first; usually one. */
  readonly names: readonly string[];
  /** In lower case. */
  readonly keys: readonly string[];
  readonly isRepeated: boolean;
  readonly isRequired: boolean;
  /** Keys of the schema's later children. */
  readonly later: readonly string[];
}

export interface ElementSchema {
  /** As the schema writes it. */
  readonly name: string;
  /** In order; undefined if the content is text, or a vendor's own. */
  readonly children: readonly ChildSchema[] | undefined;
  readonly byKey: ReadonlyMap<string, ChildSchema>;
  /** By lower case. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly hasAnyAttribute: boolean;
}

type Elements = ReadonlyMap<string, ElementSchema>;

function at(version: VastVersion, rows: ByVersion | undefined): string | undefined {
  const since = vastVersions.findLast((known) => isSince(version, known) && rows?.[known] !== undefined);
  return since === undefined ? undefined : rows?.[since];
}

const words = (text: string | undefined) => (text ?? '').split(' ').filter((word) => word !== '');

const namesIn = (word: string) => word.replace(/[?*+]$/, '').split('|');
const keysIn = (word: string) => namesIn(word).map((name) => name.toLowerCase());

function childSchema(word: string, index: number, all: readonly string[]): ChildSchema {
  const names = namesIn(word);
  const isOptional = names.length > 1 || /[?*]$/.test(word);
  const later = all.slice(index + 1).flatMap(keysIn);
  return { names, keys: keysIn(word), isRepeated: /[*+]$/.test(word), isRequired: !isOptional, later };
}

function elementSchema(version: VastVersion, form: AdForm, name: string): ElementSchema {
  const own = `Wrapper/${name}`;
  const of = (table: Readonly<Record<string, ByVersion>>) =>
    (form === 'wrapper' ? ownMember(table, own) : undefined) ?? ownMember(table, name);
  const row = at(version, of(childrenTable));
  const children = row === undefined ? undefined : words(row).map(childSchema);
  const attributes = words(at(version, of(attributesTable)));
  return {
    name,
    children,
    byKey: new Map((children ?? []).flatMap((child) => child.keys.map((key) => [key, child]))),
    attributes: new Map(attributes.map((attribute) => [attribute.toLowerCase(), attribute])),
    hasAnyAttribute: attributes.includes('*'),
  };
}

function namesOf(version: VastVersion): Set<string> {
  const parents = Object.values(childrenTable).map((rows) => at(version, rows));
  const children = parents.flatMap((row) => words(row).flatMap(namesIn));
  return new Set(['VAST', ...children, ...Object.keys(childrenTable), ...Object.keys(attributesTable)]);
}

function compile(version: VastVersion, form: AdForm): Elements {
  const names = [...namesOf(version)].filter((name) => !name.includes('/'));
  return new Map(names.map((name) => [name.toLowerCase(), elementSchema(version, form, name)]));
}

const schemas = new Map(
  vastVersions.map((version) => [
    version,
    { inline: compile(version, 'inline'), wrapper: compile(version, 'wrapper') },
  ]),
);

/** `key` is in lower case; undefined for an element in no schema. */
export function elementIn(version: VastVersion, form: AdForm, key: string): ElementSchema | undefined {
  return schemas.get(version)?.[form].get(key);
}

const events = new Map(vastVersions.map((version) => [version, new Set(words(at(version, eventsTable)))]));

/** Undefined if that version's players do not report it. */
export function eventIn(version: VastVersion, event: string): string | undefined {
  const known = events.get(version);
  if (known?.has(event)) return event;
  return eventNames.find((names) => names.includes(event))?.find((name) => known?.has(name));
}
