import { randomSeed } from '../../shared/hash.ts';

/** Shared by all threads: a table of fixed size, and a seed, so that no stranger can aim at a cell. */
export interface OutcomesMemory {
  readonly seed: number;
  readonly cells: SharedArrayBuffer;
}

/** Index in a cell; all numbers, 0 at first. */
export const cellFields = {
  /** Old calls decay. */
  calls: 2,
  /** Calls that brought something. */
  hits: 3,
  /** Their total in nano-USD. */
  nanos: 4,
  /** Calls since the last hit. */
  silent: 5,
  /** How far explored calls have brought more often than expected. */
  surprise: 6,
  /** How often all knowledge was given up. */
  epoch: 7,
  /** All calls of a pair, instead of `surprise`: log-odds that places do not matter. */
  evenness: 6,
  /** All calls of a pair or supply object, instead of `epoch`: the most that one has brought lately. */
  largest: 7,
} as const;
export type CellField = keyof typeof cellFields;

/** A key is two hashes: its bucket, and a mark. A cell is an index in the table; -1 = none. */
export interface Outcomes {
  readonly seed: number;
  find(place: number, mark: number): number;
  /** Takes a cell if the key has none: the one of its bucket with the fewest calls. */
  enter(place: number, mark: number, hour: number): number;
  /** 0 without a cell. */
  of(cell: number, what: CellField): number;
  set(cell: number, what: CellField, value: number): void;
}

const wordsPerCell = 8;
const cellsPerBucket = 8;
const wordsPerBucket = wordsPerCell * cellsPerBucket;
/** Before the fields: the mark of the cell's key (0 = free), and the hour of its last call. */
const hourAt = 1;
/** A cell idle this long is taken first. */
const idleHours = 24;

/** 32 bytes a cell. */
export function outcomesMemory(cells = 1 << 20, seed = randomSeed()): OutcomesMemory {
  return { seed, cells: new SharedArrayBuffer(cells * wordsPerCell * Float32Array.BYTES_PER_ELEMENT) };
}

/**
 * Shared by all threads without locks: a race may lose a call, which changes no estimate that matters. In a bucket of
 * eight the cell with the fewest calls is reused, so invented names only displace each other.
 */
export function createOutcomes({ seed, cells }: OutcomesMemory): Outcomes {
  const words = new Int32Array(cells);
  const floats = new Float32Array(cells);
  const buckets = words.length / wordsPerBucket;
  const firstOf = (place: number) => ((place >>> 0) % buckets) * wordsPerBucket;
  // 0 marks a free cell.
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
