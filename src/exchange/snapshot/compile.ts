import type { ListKind } from '../../entities/kinds.ts';
import type { ConfigurationObject, DealObject, DemandObject, SupplyObject } from '../configuration.ts';
import type { CandidateIndex } from '../targeting/index/candidate-index.ts';
import type { FloorIndex } from '../targeting/index/floor-index.ts';
import type { RowReader } from '../targeting/index/row-change.ts';
import type { Check, Lists } from '../targeting/rule.ts';
import type { Demand } from './demand.ts';

export interface ActiveList<Matcher = unknown> {
  readonly teamId: number;
  readonly isGlobal: boolean;
  readonly ipKind?: number | undefined;
  readonly matcher: Matcher;
}

export interface ListKey {
  readonly kind: ListKind;
  readonly id: number;
}

/** Compiled checks look lists up by ID at every use, so nothing else has to be compiled after a change. */
export interface ListTable<Matcher = unknown> {
  readonly lists: Lists;
  put(kind: ListKind, id: number, list: ActiveList<Matcher>): void;
  /** It need not be there. */
  remove(kind: ListKind, id: number): void;
}

/** Compiles configuration. All but `list` is quick, and nothing here reads the feed itself. */
export interface SnapshotCompiler<Matcher = unknown> {
  /** Empty; each thread makes it once. */
  listTable(): ListTable<Matcher>;
  /** Besides the team's global ones. */
  listsOf(object: ConfigurationObject): Iterable<ListKey>;
  /** Parts end at line ends. The result is memory that threads can share. Rejects if the text cannot be read. */
  list(kind: ListKind, parts: AsyncIterable<string>): Promise<unknown>;
  /** On memory that this or another thread has compiled. */
  matcher(kind: ListKind, memory: unknown): Matcher;
  supplyChecks(object: SupplyObject, lists: Lists): readonly Check[];
  demandChecks(object: DemandObject, lists: Lists): readonly Check[];
  dealChecks(object: DealObject, lists: Lists): readonly Check[];
  isSameTargeting(before: DemandObject, after: DemandObject): boolean;
  /** Of none yet. */
  floorIndex(lists: Lists): FloorIndex;
  /** In the order of the connection. */
  candidateIndex(connected: readonly Demand[], reading: RowReader<Demand>, lists: Lists): CandidateIndex;
}
