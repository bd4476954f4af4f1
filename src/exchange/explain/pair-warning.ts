import type { ConfigurationObject } from '../configuration.ts';
import { sellerIdOf } from '../snapshot/account.ts';
import { neverMatch } from '../targeting/never-match.ts';
import type { Targeted } from '../targeting/rule.ts';
import { shownRefusal } from './explanation.ts';

/** A supply and a demand object that are connected, as stored, and the supply object's publisher. */
export interface ConnectedPair {
  readonly supply: Targeted;
  readonly demand: Targeted;
  readonly publisher: Pick<ConfigurationObject, 'id' | 'document'>;
}

/** Why a connected pair can never match. */
export interface PairWarning {
  /** Name of the reason, as `country_not_targeted`. */
  readonly Rule: string;
  /** The demand's field, with what it wants and what the supply object offers; null where there is none. */
  readonly Field: string;
  readonly Wanted: unknown;
  readonly Met: unknown;
}

/** The warning of a pair that can never match; undefined where it may. `nowMs`: milliseconds since 1970. */
export function pairWarning(
  { supply, demand, publisher }: ConnectedPair,
  nowMs: number,
): PairWarning | undefined {
  const refusal = neverMatch({ ...supply, sellerId: sellerIdOf(publisher), nowMs }, demand);
  return refusal && { Rule: refusal.reason, ...shownRefusal(refusal) };
}
