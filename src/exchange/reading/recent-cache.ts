/** A map that forgets what has not been asked for lately. */
export interface RecentCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/**
 * Holds `entriesMax` entries at most, in two halves. When the young half is full, it becomes the old one, and what was
 * in the old one is forgotten. Whatever is asked for returns to the young half.
 */
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
