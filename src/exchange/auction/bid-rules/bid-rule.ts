import type { Bid } from '../../demand/demand-kind.ts';
import type { Opportunity } from '../../opportunity.ts';
import type { Refusal } from '../../reasons.ts';
import type { ExchangeObject } from '../../snapshot/exchange-object.ts';

/** Why a bid is out; undefined where it is not. */
export type BidCheck = (bid: Bid, opportunity: Opportunity) => Refusal | undefined;

/** A rule on bids, compiled once for each object: its check, or undefined where the object restricts nothing. */
export type BidRule = (object: ExchangeObject) => BidCheck | undefined;
