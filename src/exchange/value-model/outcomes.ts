import { randomInt } from 'node:crypto';

/** What all threads share: a table of fixed size, and what its hashes begin with, so that no stranger can aim at a cell. */
export interface OutcomesMemory {
  readonly seed: number;
  readonly cells: SharedArrayBuffer;
}

/** What is remembered of a key, as places in a cell: all are numbers, and 0 in a new one. */
export const cellFields = {
  /** Calls; of those before, each forgets a part. */
  calls: 2,
  /** Those among them that brought something. */
  hits: 3,
  /** What they brought together, in nano-USD. */
  nanos: 4,
  /** Calls since the last one that brought something. */
  silent: 5,
  /** How far explored calls have brought more often than expected. */
  surprise: 6,
  /** How often all that was known has been given up. */
  epoch: 7,
  /** Of all a pair's calls, in place of `surprise`: the log-odds that places do not matter to what they bring. */
  evenness: 6,
  /** Of all calls of a pair or a supply object, in place of `epoch`: the most that one has brought lately. */
  largest: 7,
} as const;
export type CellField = keyof typeof cellFields;

/**
 * What calls have brought lately, by key. A key is two hashes: where its cell may be, and the mark by which it is told
 * from others there. A cell is a place in the table; -1 where a key has none.
 */
export interface Outcomes {
  readonly seed: number;
  find(place: number, mark: number): number;
  /** The cell of a key, taken now where it has none: from the key of its bucket that remembers fewest calls. */
  enter(place: number, mark: number, hour: number): number;
  /** 0 where there is no cell. */
  of(cell: number, what: CellField): number;
  set(cell: number, what: CellField, value: number): void;
}

const wordsPerCell = 8;
const cellsPerBucket = 8;
const wordsPerBucket = wordsPerCell * cellsPerBucket;
/** Integers before what is remembered: the mark of the cell's key, 0 where nobody has it, and the hour of its last call. */
const hourAt = 1;
/** A cell without a call for so long is the first to be taken. */
const idleHours = 24;
const seedMax = 2 ** 31;

/** Memory for so many cells of 32 bytes. */
export function outcomesMemory(cells = 1 << 20, seed = randomInt(seedMax)): OutcomesMemory {
  return { seed, cells: new SharedArrayBuffer(cells * wordsPerCell * Float32Array.BYTES_PER_ELEMENT) };
}

/** Two hashes as one (the finalizer of MurmurHash3). */
export function mixHashes(one: number, other: number): number {
  let hash = Math.imul(one ^ (other + 0x9e3779b9), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** The hash of a text (FNV-1a, mixed). */
export function hashText(text: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mixHashes(seed, hash);
}

/**
 * Outcomes in memory that all threads share, without locks: where two threads count in a cell at once, a call may be
 * lost, which changes no estimate that matters. A new key takes the cell of its bucket of eight that remembers fewest
 * calls, so whoever makes up names pushes out names that were made up, and not what is known well.
 */
export function createOutcomes({ seed, cells }: OutcomesMemory): Outcomes {
  const words = new Int32Array(cells);
  const floats = new Float32Array(cells);
  const buckets = words.length / wordsPerBucket;
  const firstOf = (place: number) => ((place >>> 0) % buckets) * wordsPerBucket;
  // 0 is the mark of a cell that nobody has.
  const find = (place: number, mark: number): number => {
    const first = firstOf(place);
    const wanted = mark || 1;
    for (let at = first; at < first + wordsPerBucket; at += wordsPerCell) if (words[at] === wanted) return at;
    return -1;
  };
  const toldBy = (at: number, hour: number): number => {
    const isIdle = hour - (words[at + hourAt] as number) > idleHours;
    return words[at] === 0 || isIdle ? -1 : (floats[at + cellFields.calls] as number);
  };
  const leastIn = (first: number, hour: number): number => {
    let least = first;
    for (let at = first + wordsPerCell; at < first + wordsPerBucket; at += wordsPerCell)
      if (toldBy(at, hour) < toldBy(least, hour)) least = at;
    return least;
  };
  return {
    seed,
    find,
    enter(place, mark, hour) {
      let cell = find(place, mark);
      if (cell === -1) {
        cell = leastIn(firstOf(place), hour);
        floats.fill(0, cell + cellFields.calls, cell + wordsPerCell);
        words[cell] = mark || 1;
      }
      words[cell + hourAt] = hour;
      return cell;
    },
    of: (cell, what) => (cell === -1 ? 0 : (floats[cell + cellFields[what]] as number)),
    set(cell, what, value) {
      floats[cell + cellFields[what]] = value;
    },
  };
}
