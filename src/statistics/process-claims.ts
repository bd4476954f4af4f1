import { hash } from 'node:crypto';
import { alone } from '../shared/alone.ts';

/** Shared by all threads: parts of a table, and a seed, so that no stranger can aim at a slot. */
export interface ClaimsMemory {
  readonly seed: string;
  readonly words: SharedArrayBuffer;
  /** Of each of a part's two generations. */
  readonly places: number;
}

/** `pending` = another event has one of the names, and is not durable yet. */
export type ProcessClaimResult = 'first' | 'taken' | 'pending';

/** Recent claims of this process: exact among its threads. */
export interface ProcessClaims {
  /** All these names of an auction, or none. A `first` is then kept or given back. */
  take(auctionId: string, names: readonly string[]): ProcessClaimResult;
  /** To be called once the event is durable. */
  keep(auctionId: string, names: readonly string[]): void;
  giveBack(auctionId: string, names: readonly string[]): void;
  /** For a thread that is gone: gives back what it took and never kept. */
  release(thread: number): void;
}

const parts = 64;
/** Words at the beginning of a part: its lock; the generation being filled; how full that is. */
const [lockAt, generationAt, filledAt, headWords] = [0, 1, 2, 4];
const wordsPerPlace = 2;
const generations = 2;
const fullShare = 0.75;

/** A slot's last byte: free; durable; given back; from here on the thread that has it. */
const [empty, durable, givenBack, firstThread] = [0, 1, 2, 3];
const stateMask = 0xff;

const partWords = (places: number) => headWords + generations * places * wordsPerPlace;

/** At least the last one and a half million names, in 32 MB that are used as names come. */
export function claimsMemory(places = 1 << 15): ClaimsMemory {
  const words = new SharedArrayBuffer(parts * partWords(places) * Int32Array.BYTES_PER_ELEMENT);
  return { seed: crypto.randomUUID(), words, places };
}

/** Where a name may be, and its mark there. */
interface Key {
  readonly part: number;
  readonly place: number;
  readonly mark: number;
  /** Without its last byte. */
  readonly markHigh: number;
}

/** 32 bits of hexadecimal digits. */
const wordIn = (digits: string, index: number) => Number.parseInt(digits.slice(8 * index, 8 * index + 8), 16);

function createTable(words: Int32Array, places: number) {
  const has = (at: number, key: Key) =>
    words[at] === key.mark && ((words[at + 1] as number) & ~stateMask) === key.markHigh;
  const stateAt = (at: number) => (words[at + 1] as number) & stateMask;
  const isFree = (at: number) => stateAt(at) === empty || stateAt(at) === givenBack;
  const currentOf = ({ part }: Key) => words[part + generationAt] as number;
  /** The slot that is `step` slots after a key's first. */
  const slotOf = ({ part, place }: Key, generation: number, step: number) =>
    part + headWords + (generation * places + ((place + step) % places)) * wordsPerPlace;
  /** A full generation replaces the previous one, which is forgotten. */
  const turnOver = (key: Key) => {
    const next = 1 - currentOf(key);
    const begin = key.part + headWords + next * places * wordsPerPlace;
    words.fill(0, begin, begin + places * wordsPerPlace);
    words[key.part + generationAt] = next;
    words[key.part + filledAt] = 0;
  };
  return {
    stateAt,
    find(key: Key): number | undefined {
      for (let age = 0; age < generations; age += 1) {
        const generation = Math.abs(currentOf(key) - age);
        for (let step = 0; step < places; step += 1) {
          const at = slotOf(key, generation, step);
          if (stateAt(at) === empty) break;
          if (stateAt(at) !== givenBack && has(at, key)) return at;
        }
      }
      return undefined;
    },
    add(key: Key, state: number): void {
      if ((words[key.part + filledAt] as number) >= places * fullShare) turnOver(key);
      for (let step = 0; step < places; step += 1) {
        const at = slotOf(key, currentOf(key), step);
        if (!isFree(at)) continue;
        if (stateAt(at) === empty) words[key.part + filledAt] = (words[key.part + filledAt] as number) + 1;
        words[at] = key.mark;
        words[at + 1] = key.markHigh | state;
        return;
      }
    },
    setState(at: number, state: number): void {
      words[at + 1] = ((words[at + 1] as number) & ~stateMask) | state;
    },
  };
}

/** As thread number `thread` (from 0) sees them. */
export function createProcessClaims(memory: ClaimsMemory, thread: number): ProcessClaims {
  const { seed, places } = memory;
  const words = new Int32Array(memory.words);
  const table = createTable(words, places);
  const numbers = new Map<string, number>();
  /** Of a name; there are few. */
  const numberOf = (name: string): number => {
    const known = numbers.get(name) ?? wordIn(hash('sha256', name), 0);
    numbers.set(name, known);
    return known;
  };
  /** All names of an auction are in one part. */
  const keysOf = (auctionId: string, names: readonly string[]): readonly Key[] => {
    const digest = hash('sha256', `${seed}${auctionId}`);
    return names.map((name) => ({
      part: (wordIn(digest, 0) % parts) * partWords(places),
      place: (wordIn(digest, 1) + numberOf(name)) % places,
      mark: wordIn(digest, 2) ^ numberOf(name),
      markHigh: wordIn(digest, 3) & ~stateMask,
    }));
  };
  const lockOf = (keys: readonly Key[]) => (keys[0]?.part ?? 0) + lockAt;
  const setState = (key: Key, state: number) => {
    const at = table.find(key);
    if (at !== undefined) table.setState(at, state);
    else if (state === durable) table.add(key, durable);
  };
  const setAll = (auctionId: string, names: readonly string[], state: number) => {
    const keys = keysOf(auctionId, names);
    alone(words, lockOf(keys), () => {
      for (const key of keys) setState(key, state);
    });
  };
  return {
    take(auctionId, names) {
      const keys = keysOf(auctionId, names);
      return alone(words, lockOf(keys), () => {
        const found = keys.map(table.find).find((at) => at !== undefined);
        if (found !== undefined) return table.stateAt(found) === durable ? 'taken' : 'pending';
        for (const key of keys) table.add(key, firstThread + thread);
        return 'first';
      });
    },
    keep: (auctionId, names) => setAll(auctionId, names, durable),
    giveBack: (auctionId, names) => setAll(auctionId, names, givenBack),
    release(gone) {
      for (let part = 0; part < words.length; part += partWords(places)) {
        if (words[part + filledAt] === 0 && words[part + generationAt] === 0) continue;
        alone(words, part + lockAt, () => {
          for (let at = part + headWords; at < part + partWords(places); at += wordsPerPlace) {
            if (table.stateAt(at) === firstThread + gone) table.setState(at, givenBack);
          }
        });
      }
    },
  };
}
