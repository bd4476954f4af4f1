const sizeMax = 16 * 1024 * 1024;

/** JSON that was made for an answer, as text or as the bytes that are sent, and what goes with it. */
interface Made {
  readonly json: string | Buffer;
}

/**
 * Keeps the JSON of answers for as long as nothing at all has changed: it is given again only to a request that
 * has read the same state of the database as the one it was made for, in whichever process a change happened.
 */
export interface AnswerCache {
  /** What is kept under that key for that state; else makes it, and keeps it. */
  through<T extends Made>(key: string, state: string, make: () => Promise<T>): Promise<T>;
}

/** A cache of up to 16 million characters or bytes; where that is reached, everything is forgotten and it begins anew. */
export function createAnswerCache(): AnswerCache {
  const kept = new Map<string, { readonly state: string; readonly made: Made }>();
  let size = 0;
  return {
    async through<T extends Made>(key: string, state: string, make: () => Promise<T>): Promise<T> {
      const found = kept.get(key);
      // A key stands for one kind of answer, so that what is found is what was put.
      if (found?.state === state) return found.made as T;
      const made = await make();
      if (size > sizeMax) {
        kept.clear();
        size = 0;
      }
      size += made.json.length - (kept.get(key)?.made.json.length ?? 0);
      kept.set(key, { state, made });
      return made;
    },
  };
}
