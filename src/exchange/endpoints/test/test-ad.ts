import { htmlUrls } from '../../../protocols/html/html-urls.ts';
import { fillMacros } from '../../../protocols/openrtb/macros.ts';
import { quartileEvents } from '../../../protocols/vast/build-vast.ts';
import { dormantVast } from '../../../protocols/vast/dormant-vast.ts';
import { joinAds, joinPod } from '../../../protocols/vast/join-ads.ts';
import { readVast } from '../../../protocols/vast/read-vast.ts';
import type { Trackers } from '../../../protocols/vast/trackers.ts';
import type { VastDocument } from '../../../protocols/vast/vast-document.ts';
import type { Auction, RankedBid } from '../../auction/auction.ts';
import { filledMarkup } from '../../auction/filled-markup.ts';
import { popLanding } from '../../auction/pop-landing.ts';
import { auctionMacros } from '../../demand/auction-macros.ts';
import { filledVast } from '../../trackers/tracked-vast.ts';
import { trackerPath } from '../../trackers/tracker-url.ts';

export interface FoundTracker {
  /** As `Impression`, `start`, `burl`, or `load` for what HTML loads. */
  readonly event: string;
  readonly url: string;
  /** Our inert URL in its place; `""` if it cannot be fired. */
  readonly dormantUrl: string;
}

export interface TestAd {
  readonly markup: string;
  /** A pop's URL; `""` for other ads. */
  readonly landing: string;
  readonly trackers: readonly FoundTracker[];
}

export interface TestAdOptions {
  /** Where our own trackers would live. */
  readonly base: string;
  readonly dormantUrlOf: (url: string) => string;
  /** Whether partners' trackers stay in the markup and fire by themselves. */
  readonly isLive: boolean;
}

/** Further trackers are inert too, but neither listed nor fired. */
const trackersMax = 200;

/** Lists each URL of an event once. */
function createFinder({ dormantUrlOf }: TestAdOptions) {
  const found = new Map<string, FoundTracker>();
  return {
    found: () => [...found.values()],
    find(event: string, url: string): string {
      const name = `${event} ${url}`;
      const known = found.get(name);
      if (known || found.size >= trackersMax) return known?.dormantUrl ?? '';
      const dormantUrl = dormantUrlOf(url);
      found.set(name, { event, url, dormantUrl });
      return dormantUrl;
    },
  };
}

type Finder = ReturnType<typeof createFinder>;

/** Inert, so that a player is seen to call them. */
function ownTrackers(base: string): Trackers {
  const url = (event: string) => `${base}${trackerPath}test?event=${event}`;
  return {
    impression: url('impression'),
    error: url('error'),
    clickTracking: url('click'),
    quartiles: Object.fromEntries(quartileEvents.map((event) => [event, url(event)])),
  };
}

function listedVast(document: VastDocument, { find }: Finder, isLive: boolean): VastDocument[] {
  const dormant = readVast(dormantVast(document, find));
  if (isLive) return [document];
  return 'fault' in dormant ? [] : [dormant];
}

function vastAd(auction: Auction, finder: Finder, { base, isLive }: TestAdOptions): string {
  const trackers = ownTrackers(base);
  const [first, ...others] = auction.ranking
    .flatMap((ranked) => filledVast(auction, ranked) ?? [])
    .flatMap((document) => listedVast(document, finder, isLive))
    .map((document) => ({ document, trackers }));
  return first ? (auction.pod ? joinPod : joinAds)(first, others) : '';
}

function pageAd(auction: Auction, ranked: RankedBid, { find }: Finder): string {
  const markup = filledMarkup(auction, ranked);
  for (const { event, url } of htmlUrls(markup)) find(event, url);
  return markup;
}

function findNotices(
  { opportunity }: Auction,
  { bid, clearingCpmMicros }: RankedBid,
  { find }: Finder,
): void {
  const { win, billing, loss } = bid.notices;
  const won = auctionMacros(opportunity, bid, { clearingCpmMicros });
  const lost = auctionMacros(opportunity, bid, { reason: 'lost' });
  const notices = [
    ['nurl', win, won],
    ['burl', billing, won],
    ['lurl', loss, lost],
  ] as const;
  for (const [event, url, macros] of notices) if (url !== '') find(event, fillMacros(url, macros));
}

/** Lists all of the partner's trackers; undefined if nobody won. */
export function testAd(auction: Auction, options: TestAdOptions): TestAd | undefined {
  const [ranked] = auction.ranking;
  if (!ranked) return undefined;
  const finder = createFinder(options);
  const { media } = auction.opportunity;
  const landing = media === 'pop' ? (popLanding(auction, ranked) ?? '') : '';
  const isVast = media === 'video' || media === 'audio';
  const markup = isVast ? vastAd(auction, finder, options) : pageAd(auction, ranked, finder);
  if (landing !== '') finder.find('landing', landing);
  findNotices(auction, ranked, finder);
  return { markup, landing, trackers: finder.found() };
}
