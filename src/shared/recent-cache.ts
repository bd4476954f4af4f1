export interface RecentCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  getOrMake(key: Key, make: () => Value): Value;
}

/**
 * Two halves: a full young half replaces the old one, and whatever is asked for becomes young. By default each entry has
 * the size 1.
 */
export function createRecentCache<Key, Value>(
  sizeMax: number,
  sizeOf: (key: Key, value: Value) => number = () => 1,
): RecentCache<Key, Value> {
  const halfMax = Math.max(1, Math.floor(sizeMax / 2));
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();
  let size = 0;
  const sizeIn = (key: Key, value: Value | undefined) => (value === undefined ? 0 : sizeOf(key, value));
  const set = (key: Key, value: Value) => {
    size += sizeOf(key, value) - sizeIn(key, young.get(key));
    if (size > halfMax) {
      old = young;
      young = new Map();
      size = sizeOf(key, value);
    }
    young.set(key, value);
  };
  const get = (key: Key) => {
    const known = young.get(key);
    if (known !== undefined) return known;
    const remembered = old.get(key);
    if (remembered !== undefined) set(key, remembered);
    return remembered;
  };
  return {
    get,
    set,
    delete(key) {
      size -= sizeIn(key, young.get(key));
      young.delete(key);
      old.delete(key);
    },
    getOrMake(key, make) {
      const known = get(key);
      if (known !== undefined) return known;
      const value = make();
      set(key, value);
      return value;
    },
  };
}
