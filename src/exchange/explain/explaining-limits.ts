import type { AuctionLimits } from '../limits/limits.ts';
import type { Refusal } from '../reasons.ts';
import type { ObjectLimits } from '../snapshot/exchange-object.ts';
import type { Limited } from '../snapshot/limited.ts';

const limitOfField: ReadonlyMap<string, keyof ObjectLimits> = new Map([
  ['MaxQps', 'maxQps'],
  ['RequestsDailyLimit', 'requestsDaily'],
  ['BidsDailyLimit', 'bidsDaily'],
  ['ImpressionsDailyLimit', 'impressionsDaily'],
  ['ImpressionsLimitPerIp', 'impressionsPerIp'],
  ['FrequencyCap', 'frequencyCap'],
  ['FrequencyMinMinutes', 'frequencyMinMinutes'],
  ['FrequencyUnknown', 'frequencyUnknown'],
  ['SpentDailyLimit', 'amountDailyNanos'],
  ['SpendDailyLimit', 'amountDailyNanos'],
  ['RevenueDailyLimit', 'amountDailyNanos'],
  ['SpendTotalLimit', 'amountTotalNanos'],
  ['TotalCost', 'amountTotalNanos'],
  ['ImpressionsTotalLimit', 'impressionsTotal'],
  ['Units', 'impressionsTotal'],
  ['Flights', 'flights'],
]);

const withLimits = ({ kind, id, plan, days }: Limited, limits: ObjectLimits): Limited => ({
  ...{ kind, id, plan, days, limits },
});

/** All limits reached: each is asked of a copy of the object without the limits before it. */
function everyLimit(object: Limited, ask: (object: Limited) => Refusal | undefined): Refusal | undefined {
  const refusal = ask(object);
  const limit = refusal?.field === undefined ? undefined : limitOfField.get(refusal.field);
  // If lifting its limit does not change the refusal, stop.
  if (!refusal || limit === undefined || object.limits[limit] === 0) return refusal;
  const { limits } = object;
  const next = everyLimit(withLimits(object, { ...limits, [limit]: 0 }), ask);
  return next ? { ...refusal, further: [next, ...(next.further ?? [])] } : refusal;
}

const nothing = () => undefined;

/** Takes nothing, and reports every limit reached. */
export function explainingLimits(limits: AuctionLimits): AuctionLimits {
  const mayRequest: AuctionLimits['mayRequest'] = (object, timeMs) =>
    everyLimit(object, (one) => limits.looks.mayRequest(one, timeMs));
  const mayBid: AuctionLimits['mayBid'] = (object, timeMs) =>
    everyLimit(object, (one) => limits.looks.mayBid(one, timeMs));
  const mayReserve: AuctionLimits['mayReserve'] = (object, auction, nanos) =>
    everyLimit(object, (one) => limits.looks.mayReserve(one, auction, nanos));
  return {
    looks: limits.looks,
    takeRequest: mayRequest,
    mayRequest,
    takeBid: mayBid,
    mayBid,
    mayReserve,
    reserve: (object, auction, nanos) =>
      mayReserve(object, auction, nanos) ?? { kind: object.kind, id: object.id, nanos, isAtAddress: false },
    reprice: (object, promised, auction, nanos) =>
      mayReserve(object, auction, nanos) ?? { ...promised, nanos },
    giveBackBid: nothing,
    askRegion: nothing,
    release: nothing,
    commit: nothing,
  };
}
