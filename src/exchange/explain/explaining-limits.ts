import type { AuctionLimits } from '../limits/limits.ts';
import type { Limited } from '../limits/promised.ts';
import type { Refusal } from '../reasons.ts';
import type { ObjectLimits } from '../snapshot/exchange-object.ts';

/** The limit that the field of a refusal sets. */
const limitOfField: ReadonlyMap<string, keyof ObjectLimits> = new Map([
  ['MaxQps', 'maxQps'],
  ['RequestsDailyLimit', 'requestsDaily'],
  ['BidsDailyLimit', 'bidsDaily'],
  ['ImpressionsDailyLimit', 'impressionsDaily'],
  ['ImpressionsLimitPerIp', 'impressionsPerIp'],
  ['SpentDailyLimit', 'amountDailyNanos'],
  ['SpendDailyLimit', 'amountDailyNanos'],
  ['RevenueDailyLimit', 'amountDailyNanos'],
  ['SpendTotalLimit', 'amountTotalNanos'],
]);

/**
 * The refusal of the first limit that is reached, with those of the others: each is asked of an object that does not
 * have the limits before it.
 */
function everyLimit(object: Limited, ask: (object: Limited) => Refusal | undefined): Refusal | undefined {
  const refusal = ask(object);
  const limit = refusal?.field === undefined ? undefined : limitOfField.get(refusal.field);
  // A refusal that lifting its limit does not change would be asked for without end.
  if (!refusal || limit === undefined || object.limits[limit] === 0) return refusal;
  const { kind, id, limits } = object;
  const next = everyLimit({ kind, id, limits: { ...limits, [limit]: 0 } }, ask);
  return next ? { ...refusal, further: [next, ...(next.further ?? [])] } : refusal;
}

const nothing = () => undefined;

/** Limits that take nothing, and tell every limit that is reached. */
export function explainingLimits(limits: AuctionLimits): AuctionLimits {
  const mayRequest: AuctionLimits['mayRequest'] = (object, timeMs) =>
    everyLimit(object, (one) => limits.looks.mayRequest(one, timeMs));
  const mayBid: AuctionLimits['mayBid'] = (object, timeMs) =>
    everyLimit(object, (one) => limits.looks.mayBid(one, timeMs));
  const mayPromise: AuctionLimits['mayPromise'] = (object, auction, nanos) =>
    everyLimit(object, (one) => limits.looks.mayPromise(one, auction, nanos));
  return {
    looks: limits.looks,
    takeRequest: mayRequest,
    mayRequest,
    takeBid: mayBid,
    mayBid,
    mayPromise,
    promise: (object, auction, nanos) =>
      mayPromise(object, auction, nanos) ?? { kind: object.kind, id: object.id, nanos, isAtAddress: false },
    promiseAmount: (object, promised, auction, nanos) =>
      mayPromise(object, auction, nanos) ?? { ...promised, nanos },
    giveBackBid: nothing,
    withdraw: nothing,
    book: nothing,
  };
}
