import type { HttpClient } from '../http-client.ts';
import type { Random } from '../random.ts';
import { type AdTracker, type PlayableAd, playableAd } from './ad-trackers.ts';
import { countUp, type Tally } from './tally.ts';
import type { Viewer } from './viewers.ts';
import { filledZoneUrl, type Zone } from './zone.ts';

export interface PlayerServices {
  readonly http: HttpClient;
  readonly random: Random;
  readonly tally: Tally;
  /** Never goes back. */
  readonly nowMs: () => number;
  /** Resolves when the viewer's seconds have passed. */
  readonly wait: (seconds: number) => Promise<void>;
  /** Origins of the exchange. Other trackers are never called, because that could bill a real partner. */
  readonly origins: ReadonlySet<string>;
}

/** At which share of the ad, and which share of the previous moment's viewers see it. */
const progressEvents = [
  { event: 'start', at: 0, share: 0.99 },
  { event: 'firstQuartile', at: 0.25, share: 0.9 },
  { event: 'midpoint', at: 0.5, share: 0.92 },
  { event: 'thirdQuartile', at: 0.75, share: 0.95 },
  { event: 'complete', at: 1, share: 0.97 },
] as const;

const trackerPath = '/track/';
const failureShare = 0.01;
const clickShare = 0.01;
/** VAST, "Error Codes": the media file could not be displayed. */
const mediaErrorCode = '405';

interface Viewing {
  readonly ad: PlayableAd;
  readonly viewer: Viewer;
  readonly services: PlayerServices;
}

const headersOf = ({ userAgent, language }: Viewer) => ({
  'user-agent': userAgent,
  'accept-language': language,
});

/** The exchange's, or demand's on the same server; undefined for other servers. */
function ownerOf({ url }: AdTracker, { origins }: PlayerServices): 'exchange' | 'demand' | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !origins.has(parsed.origin)) return undefined;
  return parsed.pathname.includes(trackerPath) ? 'exchange' : 'demand';
}

function trackerName(tracker: AdTracker, services: PlayerServices): string | undefined {
  const owner = ownerOf(tracker, services);
  return owner === 'demand' ? `${tracker.event} of demand` : owner && tracker.event;
}

/** A redirect counts as acknowledged: a click ends in one. */
async function callTracker(tracker: AdTracker, { viewer, services }: Viewing): Promise<void> {
  const { tally, http } = services;
  const name = trackerName(tracker, services);
  if (name === undefined) return;
  countUp(tally.called, name);
  const url = tracker.url.replaceAll('[ERRORCODE]', mediaErrorCode);
  const result = await http.call(url, { headers: headersOf(viewer) });
  if ('failure' in result) countUp(tally.errors, `${name}: ${result.failure}`);
  else if (result.status < 400) countUp(tally.acknowledged, name);
  else countUp(tally.errors, `${name}: status ${result.status}`);
}

async function report(event: string, session: Viewing): Promise<void> {
  const trackers = session.ad.trackers.filter((tracker) => tracker.event === event);
  await Promise.all(trackers.map((tracker) => callTracker(tracker, session)));
}

/** Reports its moments. Some viewers leave at each quartile, and some click. */
async function watch(session: Viewing): Promise<void> {
  const { ad, services } = session;
  const { random, wait } = services;
  if (random() < failureShare) return report('error', session);
  await report('impression', session);
  let watched = 0;
  for (const { event, at, share } of progressEvents) {
    if (random() >= share) return;
    await wait((at - watched) * ad.durationSeconds);
    watched = at;
    await report(event, session);
    if (event === 'firstQuartile' && random() < clickShare) await report('click', session);
  }
}

function countFailed(tally: Tally, reason: string): void {
  tally.failed += 1;
  countUp(tally.errors, reason);
}

/** Never rejects: failures are counted. */
export async function playAd(zone: Zone, viewer: Viewer, services: PlayerServices): Promise<void> {
  const { http, random, tally, nowMs } = services;
  const url = filledZoneUrl(zone, viewer, Math.floor(random() * 2 ** 32));
  const startMs = nowMs();
  const result = await http.call(url, { headers: headersOf(viewer) });
  tally.requests += 1;
  if ('failure' in result) return countFailed(tally, `request: ${result.failure}`);
  tally.latenciesMs.push(nowMs() - startMs);
  if (result.status !== 200) return countFailed(tally, `request: status ${result.status}`);
  const ad = playableAd(result.body);
  if (ad === undefined) return;
  if ('fault' in ad) return countFailed(tally, `answer: ${ad.fault}`);
  tally.filled += 1;
  const names = new Set(ad.trackers.map((tracker) => trackerName(tracker, services)));
  for (const name of names) if (name !== undefined) countUp(tally.adsWithTracker, name);
  await watch({ ad, viewer, services });
}
