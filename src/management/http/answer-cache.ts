const sizeMax = 16 * 1024 * 1024;
/** Besides its key and JSON. */
const entrySize = 300;

interface CachedJson {
  readonly json: string | Buffer;
  /** What goes with it, if large. */
  readonly bytes?: number;
}

/** Until the database changes, whichever process changes it. */
export interface AnswerCache {
  /** By key and state; makes it if it is missing. */
  getOrMake<T extends CachedJson>(key: string, state: string, make: () => Promise<T>): Promise<T>;
}

interface Entry {
  readonly state: string;
  readonly made: CachedJson;
}

function sizeOf(key: string, { made }: Entry): number {
  return entrySize + key.length + made.json.length + (made.bytes ?? 0);
}

/** Up to 16 million characters or bytes; when it is full, everything is forgotten. */
export function createAnswerCache(): AnswerCache {
  const kept = new Map<string, Entry>();
  let size = 0;
  return {
    async getOrMake<T extends CachedJson>(key: string, state: string, make: () => Promise<T>): Promise<T> {
      const found = kept.get(key);
      // A key stands for one kind of answer, so the type is right.
      if (found?.state === state) return found.made as T;
      const made = await make();
      if (size > sizeMax) {
        kept.clear();
        size = 0;
      }
      const former = kept.get(key);
      const entry = { state, made };
      size += sizeOf(key, entry) - (former ? sizeOf(key, former) : 0);
      kept.set(key, entry);
      return made;
    },
  };
}
