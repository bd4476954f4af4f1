import type { TSchema } from 'typebox';
import type { Entity } from '../../entities/entity.ts';

/** A value by which objects are ordered and compared. */
export type Scalar = string | number;

/** What the values of a field are, for those who filter and sort by it. */
export interface ListedField {
  readonly name: string;
  /** What the value is, or what the items of a list are. */
  readonly of: 'number' | 'text';
  /** Whether it may hold several values, and so has no order. */
  readonly isList: boolean;
}

interface SchemaParts {
  readonly type?: string;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
}

function hasText(schema: TSchema): boolean {
  const { type, items, properties = {} } = schema as SchemaParts;
  if (items) return hasText(items);
  if (type !== 'object') return type === 'string';
  const members = Object.values(properties);
  return members.length === 0 || members.some(hasText);
}

/** The fields that clients may ask for in arrays and filter by: all but a list's text. In the order of the wire. */
export function listedFields({ fields }: Entity): ReadonlyMap<string, ListedField> {
  const rows = Object.entries(fields).flatMap(([name, { place, returns }]): [string, ListedField][] => {
    if (place.kind === 'listText') return [];
    const { type = '' } = returns as SchemaParts;
    const isList = type === 'array' || type === 'object';
    return [[name, { name, of: hasText(returns) ? 'text' : 'number', isList }]];
  });
  return new Map(rows);
}

/** The values that a field's value is made of: itself, the items of an array, the members of an object. */
export function scalarsOf(value: unknown): readonly Scalar[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(scalarsOf);
}

/** A text as it is ordered and searched: upper and lower case are the same. */
export function foldCase(text: string): string {
  return text.toLowerCase();
}

/** Orders numbers by size, and texts by the code units of their lower case. */
export function compareScalars(one: Scalar, other: Scalar): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
