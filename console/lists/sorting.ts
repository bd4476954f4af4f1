import type { Stored } from '../api/objects.ts';
import { objectName } from '../parts/object-name.ts';

const texts = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const sortedBy = (object: Stored, name: string) => (name === 'Name' ? objectName(object) : object[name]);

function compared(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return texts.compare(String(one ?? ''), String(other ?? ''));
}

/** The objects in the order of a column, `-` before it for the greatest first; as they are without one. */
export function sorted(objects: readonly Stored[], sort: string | undefined): readonly Stored[] {
  if (sort === undefined) return objects;
  const isFalling = sort.startsWith('-');
  const name = isFalling ? sort.slice(1) : sort;
  const sign = isFalling ? -1 : 1;
  return objects.toSorted((one, other) => sign * compared(sortedBy(one, name), sortedBy(other, name)));
}

/** What a click on a column's head asks for: the greatest first, the least first, then no order. */
export function nextSort(name: string, sort: string | undefined): string | undefined {
  if (sort === `-${name}`) return name;
  return sort === name ? undefined : `-${name}`;
}
