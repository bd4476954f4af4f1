export interface RecentCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/** Two halves: a full young half replaces the old one, and whatever is asked for becomes young. */
export function createRecentCache<Key, Value>(entriesMax: number): RecentCache<Key, Value> {
  const halfMax = Math.max(1, Math.floor(entriesMax / 2));
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();
  const set = (key: Key, value: Value) => {
    if (young.size >= halfMax && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  };
  return {
    get(key) {
      const known = young.get(key);
      if (known !== undefined) return known;
      const remembered = old.get(key);
      if (remembered !== undefined) set(key, remembered);
      return remembered;
    },
    set,
  };
}
