const sizeMax = 16 * 1024 * 1024;
/** What an entry takes beside its key and its JSON. */
const entrySize = 300;

/** JSON that was made for an answer, as text or as the bytes that are sent, and what goes with it. */
interface CachedJson {
  readonly json: string | Buffer;
  /** What goes with it takes, where that is much. */
  readonly bytes?: number;
}

/** Keeps the JSON of answers until the database changes, whichever process changes it. */
export interface AnswerCache {
  /** The answer that is kept under that key for that state; if there is none, makes one and keeps it. */
  getOrMake<T extends CachedJson>(key: string, state: string, make: () => Promise<T>): Promise<T>;
}

interface Entry {
  readonly state: string;
  readonly made: CachedJson;
}

function sizeOf(key: string, { made }: Entry): number {
  return entrySize + key.length + made.json.length + (made.bytes ?? 0);
}

/** A cache of up to 16 million characters or bytes; when it is full, everything is forgotten. */
export function createAnswerCache(): AnswerCache {
  const kept = new Map<string, Entry>();
  let size = 0;
  return {
    async getOrMake<T extends CachedJson>(key: string, state: string, make: () => Promise<T>): Promise<T> {
      const found = kept.get(key);
      // A key stands for one kind of answer, so that what is found is what was put.
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
