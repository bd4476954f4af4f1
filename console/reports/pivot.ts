import { beforeOf, figureIn, type Row } from './question.ts';

/** Values of some dimensions in a row, as one text that no other values have. */
export const keyOf = (names: readonly string[], kinds: readonly string[], row: Row): string =>
  JSON.stringify([...names, ...kinds].map((name) => row[name] ?? null));

/** A row of a pivot: what it is about, and the row of the answer for each column. */
export interface PivotRow {
  readonly row: Row;
  readonly cells: ReadonlyMap<string, Row>;
}

/** An answer with the values of one dimension as columns. */
export interface Pivot {
  /** The columns by their keys, each with a row that has its value. */
  readonly columns: readonly { readonly key: string; readonly row: Row }[];
  readonly rows: readonly PivotRow[];
}

/**
 * Lays rows out by the values of one dimension. `sums`: the same figures by the other dimensions alone, in the order of
 * the pivot's rows; `heads`: by that dimension alone, in the order of its columns.
 */
export function pivotOf(
  rows: readonly Row[],
  {
    sums,
    heads,
    rest,
    across,
  }: {
    readonly sums: readonly Row[];
    readonly heads: readonly Row[];
    readonly rest: (row: Row) => string;
    readonly across: (row: Row) => string;
  },
): Pivot {
  const cells = new Map<string, Map<string, Row>>();
  for (const row of rows) {
    const key = rest(row);
    const of = cells.get(key) ?? new Map<string, Row>();
    cells.set(key, of.set(across(row), row));
  }
  return {
    columns: heads.map((row) => ({ key: across(row), row })),
    rows: sums.map((row) => ({ row, cells: cells.get(rest(row)) ?? new Map() })),
  };
}

/** Whether something was counted in a row, or in what it is compared with. */
export const isCounted = (row: Row, names: readonly string[]): boolean =>
  names.some((name) => figureIn(row, name) !== 0 || (beforeOf(row)?.[name] ?? 0) !== 0);
