import type { TSchema } from 'typebox';
import type { Entity } from '../../entities/entity.ts';
import { isNumeric, type ListedFigure, listedFigures } from '../listed-figures.ts';

/** Objects are ordered and compared by it. */
export type Scalar = string | number;

/** For filters and sorting. */
export interface ListedField {
  readonly name: string;
  /** Of the value, or of a list's items. */
  readonly of: 'number' | 'text';
  /** A list has no order. */
  readonly isList: boolean;
  readonly rankOf?: ListedFigure['rankOf'] | undefined;
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

/** All but a list's text and what no answer shows, in the order of the wire; then the figures. */
export function listedFields(entity: Entity): ReadonlyMap<string, ListedField> {
  const { fields } = entity;
  const rows = Object.entries(fields).flatMap(
    ([name, { place, returns, isWriteOnly }]): [string, ListedField][] => {
      if (place.kind === 'listText' || isWriteOnly) return [];
      const { type = '' } = returns as SchemaParts;
      const isList = type === 'array' || type === 'object';
      return [[name, { name, of: hasText(returns) ? 'text' : 'number', isList }]];
    },
  );
  const figures = [...listedFigures(entity)].map(([name, figure]): [string, ListedField] => [
    name,
    { name, of: isNumeric(figure) ? 'number' : 'text', isList: false, rankOf: figure.rankOf },
  ]);
  return new Map([...rows, ...figures]);
}

/** Itself, an array's items, or an object's members. */
export function scalarsOf(value: unknown): readonly Scalar[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(scalarsOf);
}

/** For order and search. */
export function foldCase(text: string): string {
  return text.toLowerCase();
}

/** Numbers by size, texts by the code units of their lower case. */
export function compareScalars(one: Scalar, other: Scalar): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
