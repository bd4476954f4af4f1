import type { Store, Values } from '../../src/store/interface.ts';

/** One row of the change log. */
export interface ChangeRow {
  readonly revision: number;
  readonly timeMs: number;
  readonly userId: number;
  readonly teamId: number;
  readonly entity: string;
  readonly entityId: number;
  readonly operation: string;
  readonly before: Values | null;
  readonly after: Values;
}

/** A database for tests, which may be open several times at once. */
export interface TestDatabase {
  /** Opens it, once more at each call, as another process would. The caller closes the store. */
  open(now?: () => number): Promise<Store>;
  /** The change log as committed, in order of revision. */
  changes(): Promise<readonly ChangeRow[]>;
  /** How many answers it holds to requests that may come again. */
  answers(): Promise<number>;
  /** Removes it, once every store on it is closed. */
  remove(): Promise<void>;
}

/** A kind of database on which the contracts run: the real one. */
export interface Engine {
  readonly name: string;
  /** Makes a new database in the schema of this program, without a row. */
  fresh(): Promise<TestDatabase>;
}
