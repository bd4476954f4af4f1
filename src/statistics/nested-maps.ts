import type { ObjectKey } from '../store/statistics/interface.ts';

/** By kind, then by ID. */
export type Kinds<V> = Map<string, Map<number, V>>;

export const newMap = () => new Map();

export function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

export function objectsIn<V>(kinds: Kinds<V>): (readonly [object: ObjectKey, value: V])[] {
  return [...kinds].flatMap(([kind, ids]) => [...ids].map(([id, value]) => [{ kind, id }, value] as const));
}
