import { createTable, headWords, type Table, type TableMemory, tableMemory } from '../../shared/table.ts';

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

/** By a table's entries, which are cells; all keys get one. */
export interface Outcomes extends Table {
  readonly seed: number;
  /** 0 without a cell. */
  of(cell: number, what: CellField): number;
  set(cell: number, what: CellField, value: number): void;
}

const wordsPerCell = 8;
const ways = 8;
/** A cell idle this long is taken first. */
const idleHours = 24;

/** 32 bytes a cell. */
export const outcomesMemory = (cells = 1 << 20, seed?: number): TableMemory =>
  tableMemory(cells, ways, wordsPerCell - headWords, seed);

/**
 * A race may lose a call, which changes no estimate that matters. The cell of a bucket with the fewest calls is reused,
 * so invented names only displace each other.
 */
export function createOutcomes(memory: TableMemory): Outcomes {
  const floats = new Float32Array(memory.words);
  const of: Outcomes['of'] = (cell, what) => (cell === -1 ? 0 : (floats[cell + cellFields[what]] as number));
  return {
    ...createTable(memory, {
      worth: (hourUsed, hour, cell) => (hour - hourUsed > idleHours ? -1 : of(cell, 'calls')),
      clear: (cell) => void floats.fill(0, cell + headWords, cell + wordsPerCell),
    }),
    seed: memory.seed,
    of,
    set(cell, what, value) {
      floats[cell + cellFields[what]] = value;
    },
  };
}
