import type { Api } from './data/api.ts';
import type { RelatedIds } from './data/dsp-vast-tag.ts';
import type { Generator } from './load/generator.ts';
import type { Row } from './row.ts';
import type { ServerProcess } from './servers/server-process.ts';

/** Bourse as the measures find it: with accounts, supply, lists, and 10,000 DSP VAST Tags connected to them. */
export interface Exchange {
  readonly server: ServerProcess;
  readonly api: Api;
  readonly related: RelatedIds;
  readonly tagIds: readonly number[];
}

export interface Tools {
  /** Folder for files; removed at the end. */
  readonly folder: string;
  readonly rounds: number;
  /** Length of one contestant's turn in a round. */
  readonly seconds: number;
  readonly load: Generator;
  /** Folder of another checkout of Bourse to compare with; undefined = none. */
  readonly against: string | undefined;
}

/** What measures of the management API work with. */
export interface Bench extends Tools {
  /** The exchange that measures share; it is started and filled at the first call. */
  exchange(): Promise<Exchange>;
}

/** One thing that is measured: a row of the main list. */
export interface Measure<B extends Tools = Bench> {
  readonly name: string;
  run(bench: B): Promise<readonly Row[]>;
}
