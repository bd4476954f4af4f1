import { createRecentCache } from '../../shared/recent-cache.ts';

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

/** Up to 16 million characters or bytes. */
export function createAnswerCache(): AnswerCache {
  const kept = createRecentCache<string, Entry>(sizeMax, sizeOf);
  return {
    async getOrMake<T extends CachedJson>(key: string, state: string, make: () => Promise<T>): Promise<T> {
      const found = kept.get(key);
      // A key stands for one kind of answer, so the type is right.
      if (found?.state === state) return found.made as T;
      const made = await make();
      kept.set(key, { state, made });
      return made;
    },
  };
}
