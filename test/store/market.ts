import { randomUUID } from 'node:crypto';
import type { Store } from '../../src/store/interface.ts';
import type {
  AddressCounts,
  CountBatch,
  EventBatch,
  EventClaim,
  ObjectKey,
  PairCounts,
  TrafficCounts,
} from '../../src/store/statistics/interface.ts';
import { dailyIn, day, pairCounts, startMs } from '../statistics/counting.ts';
import type { TeamRoom } from './team-room.ts';

export const today = { fromDay: day, toDay: day };

export function lot(more: Partial<CountBatch>): CountBatch {
  return { id: randomUUID(), timeMs: startMs, pairs: [], addresses: [], ...more };
}

/** A publisher with a VAST Tag and a Pop Feed, an advertiser with a campaign. */
export async function market(room: TeamRoom) {
  const publisher = { kind: 'Publisher', id: await room.add('Publisher', { Name: 'p' }) };
  const advertiser = { kind: 'Advertiser', id: await room.add('Advertiser', { Name: 'a' }) };
  const supply = { kind: 'VastTag', id: await room.add('VastTag', { PublisherId: publisher.id }) };
  const feed = { kind: 'PopFeed', id: await room.add('PopFeed', { PublisherId: publisher.id }) };
  const demand = { kind: 'Campaign', id: await room.add('Campaign', { AdvertiserId: advertiser.id }) };
  return { publisher, advertiser, supply, feed, demand };
}

/** What `market` answers. */
export type Market = Awaited<ReturnType<typeof market>>;

export async function countsOf({ statistics }: Store, { kind, id }: ObjectKey) {
  return (await statistics.days(kind, [id], today))[0]?.counts ?? dailyIn();
}

export interface CountedEvent extends EventClaim {
  readonly pair: PairCounts;
  readonly addresses?: readonly AddressCounts[];
}

/** Says which of them have counted. */
export async function addBatch(
  { statistics }: Pick<Store, 'statistics'>,
  { claims, countsOf }: EventBatch,
  id: string = randomUUID(),
): Promise<readonly boolean[]> {
  let told: ReadonlySet<EventClaim> = new Set();
  const events: EventBatch = {
    claims,
    countsOf(counted) {
      told = counted;
      return countsOf(counted);
    },
  };
  await statistics.add([lot({ id, events })]);
  return claims.map((claim) => told.has(claim));
}

export function addEvents(store: Pick<Store, 'statistics'>, events: readonly CountedEvent[], id?: string) {
  const countsOf: EventBatch['countsOf'] = (counted) => {
    const own = events.filter((event) => counted.has(event));
    const addresses = own.flatMap((event) => event.addresses ?? []);
    return { pairs: own.map(({ pair }) => pair), addresses };
  };
  return addBatch(store, { claims: events, countsOf }, id);
}

export function impression(auctionId: string, supply: ObjectKey, demand: ObjectKey): CountedEvent {
  const pair = pairCounts(supply, demand, { impressions: 1, spentNanos: 1500, revenueNanos: 2000 });
  return { auctionId, names: ['impressions'], expiresMs: startMs, pair };
}

export function subId(supply: ObjectKey, name: string, requests = 1): TrafficCounts {
  return { cube: 'subId', day, supply, demand: undefined, values: [name], counts: { requests } };
}
