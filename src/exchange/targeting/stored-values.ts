import type { ConfigurationObject } from '../configuration.ts';

type Stored = Pick<ConfigurationObject, 'document'>;

/** The number in a field; undefined where the entity has no such field. */
export function numberIn({ document }: Stored, field: string): number | undefined {
  const value = document[field];
  return typeof value === 'number' ? value : undefined;
}

/** A limit in a field; undefined where it is 0, which is unlimited (specification, wire convention 7). */
export function limitIn(object: Stored, field: string): number | undefined {
  return numberIn(object, field) || undefined;
}

/** The items of a list; empty where the entity has no such field. */
export function itemsIn<Item>({ document }: Stored, field: string): readonly Item[] {
  const value = document[field];
  return Array.isArray(value) ? value : [];
}
