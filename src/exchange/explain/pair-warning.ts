import type { PairRefusal } from '../../answers/explanation.ts';
import { roleOf } from '../../entities/kinds.ts';
import type { AccountObject } from '../configuration.ts';
import { usd } from '../currency.ts';
import { type Refusal, refuse } from '../reasons.ts';
import { sellerIdOf } from '../snapshot/account.ts';
import { leastFloorOf } from '../targeting/max-bidfloor.ts';
import { neverMatch } from '../targeting/never-match.ts';
import type { RuleSubject } from '../targeting/rule.ts';
import { shownRefusal } from './explanation.ts';

export interface ConnectedPair {
  readonly supply: RuleSubject;
  readonly demand: RuleSubject;
  readonly publisher: Pick<AccountObject, 'id' | 'settings'>;
}

/** A CPM; undefined if the price depends on answers. */
function fixedPriceOf({ entity, settings }: RuleSubject): number | undefined {
  const role = roleOf(entity);
  if (role.side !== 'demand' || role.price === undefined) return undefined;
  const price = settings[role.price.field];
  return role.price.isOptional ? price || undefined : price;
}

const currencyOf = ({ settings }: RuleSubject) => settings.Currency || usd;

/** Amounts in different currencies are compared by auctions alone, at their rates. */
function belowFloor(supply: RuleSubject, demand: RuleSubject): Refusal | undefined {
  if (currencyOf(supply) !== currencyOf(demand)) return undefined;
  const [wanted, met] = [leastFloorOf(supply), fixedPriceOf(demand)];
  if (met === undefined || met >= wanted) return undefined;
  return refuse('below_floor', { field: 'Bidfloor', wanted, met });
}

/** Why a pair can never match; undefined if it may. */
export function pairWarning(
  { supply, demand, publisher }: ConnectedPair,
  nowMs: number,
): PairRefusal | undefined {
  const sellerId = sellerIdOf(publisher);
  const refusal = neverMatch({ ...supply, sellerId, nowMs }, demand) ?? belowFloor(supply, demand);
  return refusal && { Rule: refusal.reason, ...shownRefusal(refusal) };
}
