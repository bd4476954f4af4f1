import { dayOf } from '../exchange/limits/day-line.ts';
import type { Limits } from '../exchange/limits/limits.ts';
import { minutesAtAddress, minutesFor, type PromisedIn } from '../exchange/limits/promised.ts';
import { addressRefusal } from '../exchange/limits/reserving.ts';
import type { Refusal } from '../exchange/reasons.ts';
import type { Limited } from '../exchange/snapshot/limited.ts';
import {
  type AddressImpressionsOptions,
  createAddressImpressions,
  type PlaceAnswer,
} from '../valkey/address-impressions.ts';

export interface SharedAddressCounts {
  readonly limits: Limits;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** After its day: an ad may be shown late, and what was shown may wait for the server. */
const spareMs = hourMs;

type Address = NonNullable<PromisedIn['ip']>;

/** IPv6 by its /64. */
function addressKey({ text, version, bytes }: Address): string {
  if (version === 4) return text;
  const parts = Array.from({ length: 4 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  );
  return `${parts.join(':')}::`;
}

const nameOf = ({ kind, id }: Pick<Limited, 'kind' | 'id'>, ip: Address, timeMs: number) =>
  `${dayOf(timeMs)} ${kind} ${id} ${addressKey(ip)}`;

/** An impression that comes in the last moment takes seconds to be durable. */
const endOfPromiseMs = ({ timeMs, to }: PromisedIn) =>
  timeMs + (Math.min(minutesAtAddress, minutesFor[to]) + 1) * minuteMs;

const keptSecondsOf = (timeMs: number) => Math.ceil((dayMs - (timeMs % dayMs) + spareMs) / 1000);

/**
 * Limits whose impressions at addresses are those of a region. What they show is told ten times a second, as its promise
 * counts until then.
 */
export function shareAddressCounts(limits: Limits, shared: AddressImpressionsOptions): SharedAddressCounts {
  const impressions = createAddressImpressions(shared);
  const refusalOf = (object: Limited, ip: Address, timeMs: number, answer: PlaceAnswer) => {
    if (answer.isPromised) return undefined;
    const { kind, id, limits: own } = object;
    const shown = { kind, id, ip, hour: Math.floor(timeMs / hourMs), impressions: answer.shown };
    // This process need not ask again. What is promised may still be withdrawn.
    if (answer.shown >= own.impressionsPerIp) limits.raiseAddresses([shown]);
    return addressRefusal(object, answer.met);
  };
  const ask = async (objects: readonly Limited[], ip: Address, auction: PromisedIn) => {
    const refusals = new Map<Limited, Refusal>();
    const { auctionId, timeMs } = auction;
    const places = objects.map((object) => ({
      name: nameOf(object, ip, timeMs),
      limit: object.limits.impressionsPerIp,
    }));
    try {
      const answers = await impressions.promise({
        auctionId,
        timeMs,
        untilMs: endOfPromiseMs(auction),
        places,
      });
      for (const [index, object] of objects.entries()) {
        const refusal = refusalOf(object, ip, timeMs, answers[index] as PlaceAnswer);
        if (refusal) refusals.set(object, refusal);
      }
    } catch {
      // As without it.
    }
    return refusals;
  };
  return {
    limits: {
      ...limits,
      askRegion(objects, auction) {
        const { ip } = auction;
        if (!ip || !shared.connection.isUp()) return undefined;
        const limitedThere = objects.filter((object) => object.limits.impressionsPerIp > 0);
        return limitedThere.length === 0 ? undefined : ask(limitedThere, ip, auction);
      },
      release(promised, auction) {
        limits.release(promised, auction);
        const { ip, timeMs, auctionId } = auction;
        if (promised.isAtAddress && ip)
          impressions.withdraw({ name: nameOf(promised, ip, timeMs), auctionId });
      },
      commit(object, promised, shown) {
        limits.commit(object, promised, shown);
        const { ip, timeMs, auctionId } = shown.auction;
        if (ip && object.limits.impressionsPerIp > 0)
          impressions.show({ name: nameOf(object, ip, timeMs), auctionId }, keptSecondsOf(timeMs));
      },
    },
    flush: impressions.flush,
    close: impressions.close,
  };
}
