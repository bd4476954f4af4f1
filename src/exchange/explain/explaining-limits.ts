import { limitOfField } from '../limit-fields.ts';
import type { AuctionLimits } from '../limits/limits.ts';
import type { Refusal } from '../reasons.ts';
import type { Limited } from '../snapshot/limited.ts';

/** All limits reached: each is asked of a copy of the object without the limits before it. */
function everyLimit(object: Limited, ask: (object: Limited) => Refusal | undefined): Refusal | undefined {
  const refusal = ask(object);
  const { kind, id, limits, plan, days } = object;
  const limit = refusal?.field && limitOfField(kind, refusal.field);
  // If lifting its limit does not change the refusal, stop.
  if (!refusal || !limit || limits[limit] === 0) return refusal;
  const next = everyLimit({ kind, id, plan, days, limits: { ...limits, [limit]: 0 } }, ask);
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
