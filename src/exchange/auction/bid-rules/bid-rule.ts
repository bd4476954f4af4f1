import type { Bid } from '../../demand/demand-kind.ts';
import type { Opportunity } from '../../opportunity.ts';
import type { Refusal } from '../../reasons.ts';
import type { ExchangeObject } from '../../snapshot/exchange-object.ts';

export type BidCheck = (bid: Bid, opportunity: Opportunity) => Refusal | undefined;

export type BidRule = (object: ExchangeObject) => BidCheck | undefined;
