import { randomUUID } from 'node:crypto';
import type { Store } from '../../src/store/interface.ts';
import type {
  CountBatch,
  EventCounts,
  ObjectKey,
  SubIdCounts,
} from '../../src/store/statistics/interface.ts';
import { counts, countsIn, day, pairCounts, startMs } from '../statistics/counting.ts';
import type { TeamRoom } from './team-room.ts';

export const today = { fromDay: day, toDay: day };

export function lot(more: Partial<CountBatch>): CountBatch {
  return { id: randomUUID(), timeMs: startMs, pairs: [], subIds: [], addresses: [], ...more };
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
  return (await statistics.days(kind, [id], today))[0]?.counts ?? countsIn('day');
}

export function impression(auctionId: string, supply: ObjectKey, demand: ObjectKey): EventCounts {
  const pair = pairCounts(supply, demand, { impressions: 1, spentNanos: 1500, revenueNanos: 2000 });
  return { auctionId, claims: ['impressions'], expiresMs: startMs, pair, subId: undefined };
}

export function subId(supply: ObjectKey, name: string, requests = 1): SubIdCounts {
  return { day, supply, subId: name, counts: counts({ requests }) };
}
