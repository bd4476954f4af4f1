import type { ListKind } from '../../entities/kinds.ts';
import type { ConfigurationObject, DemandObject, SupplyObject } from '../configuration.ts';
import type { CandidateIndex } from '../targeting/candidate-index.ts';
import type { RowReader } from '../targeting/row-change.ts';
import type { Check, Lists } from '../targeting/rule.ts';
import type { Demand } from './demand.ts';

/** An active list, as it is put in its place. */
export interface ActiveList<Matcher = unknown> {
  readonly teamId: number;
  readonly isGlobal: boolean;
  /** What `SnapshotCompiler.matcher` made of the list's text. */
  readonly matcher: Matcher;
}

export interface ListKey {
  readonly kind: ListKind;
  readonly id: number;
}

/**
 * The lists of the exchange. Compiled checks look a list up by its ID at every use, so a change counts from the next
 * look-up on, and nothing else has to be compiled again.
 */
export interface ListTable<Matcher = unknown> {
  readonly lists: Lists;
  /** Adds a list, or replaces the one with the same ID. */
  put(kind: ListKind, id: number, list: ActiveList<Matcher>): void;
  /** Removes a list that is inactive now, or that nobody asks any more. It need not be there. */
  remove(kind: ListKind, id: number): void;
}

/**
 * Compiles the configuration into what auctions run on. All but `list` is quick, and nothing here reads the feed
 * itself.
 */
export interface SnapshotCompiler<Matcher = unknown> {
  /** New places for lists, still empty; each thread makes them once. */
  listTable(): ListTable<Matcher>;
  /** The lists that the rules of an object ask beside the team's global ones. */
  listsOf(object: ConfigurationObject): Iterable<ListKey>;
  /**
   * Compiles the text of a list, whose parts end at a line's end, into memory that threads can share. Rejects when the
   * text cannot be read.
   */
  list(kind: ListKind, parts: AsyncIterable<string>): Promise<unknown>;
  /** The matcher of a list on the memory that this or another thread has compiled. */
  matcher(kind: ListKind, memory: unknown): Matcher;
  /** What a supply object asks of a request. */
  supplyChecks(object: SupplyObject, lists: Lists): readonly Check[];
  /** What a demand object asks of an opportunity. */
  demandChecks(object: DemandObject, lists: Lists): readonly Check[];
  /** Whether two versions of a demand object ask the same of every opportunity. */
  isSameTargeting(before: DemandObject, after: DemandObject): boolean;
  /** Indexes the demand connected to one supply object, in the order of the connection. */
  candidateIndex(connected: readonly Demand[], reading: RowReader<Demand>, lists: Lists): CandidateIndex;
}
