import type { IncomingMessage } from 'node:http';
import type { BillableEvent } from '../../statistics/events.ts';
import type { DoorContext } from '../doors/door.ts';
import type { TrackedAd } from './tracked-ad.ts';

/** One call of a tracker, with the ad that its token carries. */
export interface Report {
  readonly ad: TrackedAd;
  readonly request: IncomingMessage;
  readonly context: DoorContext;
}

/** The ad's supply and demand object as they are configured now; undefined where they are gone. */
export const objectsOf = ({ ad, context }: Report) => {
  const snapshot = context.snapshot();
  return {
    supply: snapshot.supply(ad.supply.kind, ad.supply.id),
    demand: snapshot.demand(ad.demand.kind, ad.demand.id),
  };
};

/** What the ad's impression was promised to. */
export const promisedTo = ({ offer }: TrackedAd) => (offer === '' ? 'ad' : 'offer');

/** Whether it is too late for an ad to be won or shown, because its promise may have ended. */
export const isOver = ({ ad, context }: Report) =>
  ad.standsUntilMs > 0 && context.services.now() >= ad.standsUntilMs;

/** The objects that an ad counts for. */
export const pairOf = ({ supply, demand, subId }: TrackedAd) => ({ supply, demand, subId });

/** An event of the ad that counts once for its auction. */
export function eventOf(
  { ad, context }: Report,
  name: BillableEvent['event'],
  price = { spentNanos: 0, revenueNanos: 0 },
) {
  const { auctionId, expiresMs } = ad;
  const timeMs = context.services.now();
  return { pair: pairOf(ad), event: name, auctionId, timeMs, expiresMs, ...price };
}
