import type { ConfigurationObject, ListKind } from '../configuration.ts';
import type { CandidateIndex } from '../targeting/candidate-index.ts';
import type { RowReading } from '../targeting/row-change.ts';
import type { Check, Lists } from '../targeting/rule.ts';
import type { Demand } from './demand.ts';

/** An active list in its place among all. */
export interface PlacedList<Matcher = unknown> {
  readonly teamId: number;
  readonly isGlobal: boolean;
  /** What `Compile.list` has made of its text. */
  readonly matcher: Matcher;
}

/**
 * The lists of the exchange, which compiled checks ask by ID at every use: a change counts from the next look-up on,
 * and nothing else is compiled again for it.
 */
export interface ListPlaces<Matcher = unknown> {
  readonly lists: Lists;
  /** Puts a list in, or in the place of the one with its ID. */
  put(kind: ListKind, id: number, list: PlacedList<Matcher>): void;
  /** Takes out a list that is inactive now; it need not be in. */
  remove(kind: ListKind, id: number): void;
}

/** How configuration becomes what auctions run on. All but `list` is quick, and none of it asks for anything. */
export interface Compile<Matcher = unknown> {
  /** Places for lists, none in yet; a thread has them once. */
  listPlaces(): ListPlaces<Matcher>;
  /** Compiles the text of a list, whose parts end at a line's end. Rejects when the text cannot be read. */
  list(kind: ListKind, parts: AsyncIterable<string>): Promise<Matcher>;
  /** What a supply object asks of a request. */
  supplyChecks(object: ConfigurationObject, lists: Lists): readonly Check[];
  /** What a demand object asks of an opportunity. */
  demandChecks(object: ConfigurationObject, lists: Lists): readonly Check[];
  /** Whether two versions of a demand object ask the same of every opportunity. */
  isSameTargeting(before: ConfigurationObject, after: ConfigurationObject): boolean;
  /** Indexes the demand connected to one supply object, in the order of the connection. */
  candidateIndex(connected: readonly Demand[], reading: RowReading<Demand>, lists: Lists): CandidateIndex;
}
