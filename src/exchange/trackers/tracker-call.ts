import type { IncomingMessage } from 'node:http';
import { isDeal } from '../../entities/kinds.ts';
import { noAmounts, type OnceEvent } from '../../reference/counters.ts';
import type { Pair, PromisedBy } from '../../statistics/events.ts';
import type { AuctionServices } from '../auction/auction.ts';
import type { AuctionSinks } from '../auction/report-auction.ts';
import { storePromises } from '../auction/store-promises.ts';
import type { PromisedIn } from '../limits/promised.ts';
import type { CallerOf } from '../reading/caller.ts';
import { parseIpAddress } from '../reading/ip-address.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { TokenType } from './token-type.ts';
import type { Tokens } from './tokens.ts';
import type { TrackedAd } from './tracked-ad.ts';

export interface TrackerContext {
  readonly snapshot: () => Snapshot;
  readonly services: AuctionServices;
  readonly reports: AuctionSinks;
  readonly tokens: Tokens;
  readonly callerOf: CallerOf;
  /** For errors that should not happen. */
  readonly onFault: (error: unknown) => void;
}

/** With the ad that its token carries. */
export interface TrackerCall {
  readonly ad: TrackedAd;
  readonly request: IncomingMessage;
  readonly context: TrackerContext;
}

/** Disconnected or inactive objects still count: they were served. Throws for an object unknown to this process. */
function isOfOneTeam(ad: TrackedAd, { snapshot }: TrackerContext): boolean {
  const { limited } = snapshot();
  const objects = [ad.supply, ad.demand, ...ad.promises].map(({ kind, id }) => limited(kind, id));
  const teams = objects.map((object) => object?.teamId);
  if (teams.includes(undefined)) {
    throw new Error('a token names an object that is not served here yet');
  }
  return new Set(teams).size === 1;
}

/** Undefined if the token, or its ad, cannot be ours. Throws if that cannot be told yet. */
export function readTrackerCall(
  type: TokenType,
  token: string,
  request: IncomingMessage,
  context: TrackerContext,
): TrackerCall | undefined {
  const ad = context.tokens.read(type, token, context.services.now());
  if (!ad) return undefined;
  if (isOfOneTeam(ad, context)) return { ad, request, context };
  context.onFault(new Error('a token joins objects of several teams', { cause: ad.auctionId }));
  return undefined;
}

export const isLive = ({ ad, context }: TrackerCall) => context.services.now() < ad.expiresMs;

/** Under which it was sold, if any. */
const dealOf = ({ promises }: TrackedAd) => promises.find(({ kind }) => isDeal(kind));

/** As configured now; undefined if gone. */
export const objectsOf = ({ ad, context }: TrackerCall) => {
  const snapshot = context.snapshot();
  const deal = dealOf(ad);
  return {
    supply: snapshot.supply(ad.supply.kind, ad.supply.id),
    demand: snapshot.demand(ad.demand.kind, ad.demand.id),
    deal: deal && snapshot.limited(deal.kind, deal.id),
  };
};

/** With the ad request's address, because the pixel may come from the player's server. */
export const promisedIn = ({ auctionId, auctionMs, ip, offer }: TrackedAd): PromisedIn => ({
  auctionId,
  timeMs: auctionMs,
  to: offer === '' ? 'ad' : 'offer',
  ip: parseIpAddress(ip),
});

/** Removes the ad's promises from those that a restart resumes. */
export function endStoredPromises({ ad, context }: TrackerCall): void {
  const { supply, subId, promises } = ad;
  storePromises(context.reports.events, { supply, subId, ...promisedIn(ad) }, promises, -1);
}

/** Whether its promise may have ended. */
export const isTooLate = ({ ad, context }: TrackerCall) =>
  ad.standsUntilMs > 0 && context.services.now() >= ad.standsUntilMs;

export function countedPair(ad: TrackedAd): Pair {
  const { supply, demand, subId, traffic, place, facts, floors } = ad;
  const deal = dealOf(ad);
  return {
    supply,
    demand,
    subId,
    ad: facts,
    traffic: { ...traffic, site: place },
    ...(deal && { deal: { kind: deal.kind, id: deal.id } }),
    ...(floors.length > 0 && { floors }),
  };
}

/** The process that promised the ad from its shares, if any, and for which objects. */
export function promisedByOf(ad: TrackedAd): PromisedBy | undefined {
  const { supply, demand, promises, offer } = ad;
  const own = promises.filter(({ kind, id, holder = 0 }) => {
    const isOwn = [supply, demand, dealOf(ad)].some((object) => object?.kind === kind && object.id === id);
    return isOwn && holder > 0;
  });
  const [first] = own;
  if (!first?.holder) return undefined;
  const objects = own.filter(({ holder }) => holder === first.holder).map(({ kind, id }) => ({ kind, id }));
  return { holder: first.holder, to: offer === '' ? 'ad' : 'offer', objects };
}

export function eventOf({ ad }: TrackerCall, name: OnceEvent, price = noAmounts) {
  const { auctionId, auctionMs, expiresMs } = ad;
  return { pair: countedPair(ad), event: name, auctionId, timeMs: auctionMs, expiresMs, ...price };
}
