import { htmlUrls } from '../../../protocols/html/html-urls.ts';
import { fillMacros } from '../../../protocols/openrtb/macros.ts';
import { quartileEvents } from '../../../protocols/vast/build-vast.ts';
import { dormantVast } from '../../../protocols/vast/dormant-vast.ts';
import { joinAds } from '../../../protocols/vast/join-ads.ts';
import { readVast } from '../../../protocols/vast/read-vast.ts';
import type { Trackers } from '../../../protocols/vast/trackers.ts';
import type { VastDocument } from '../../../protocols/vast/vast-document.ts';
import type { Auction, RankedBid } from '../../auction/auction.ts';
import { filledMarkup } from '../../auction/filled-markup.ts';
import { popLanding } from '../../auction/pop-landing.ts';
import { auctionMacros } from '../../demand/auction-macros.ts';
import { filledVast } from '../../trackers/tracked-vast.ts';
import { trackerPath } from '../../trackers/tracker-url.ts';

/** A partner's tracker that a test has found. */
export interface FoundTracker {
  /** What it reports, as `Impression`, `start`, `burl`, or `load` for what HTML loads. */
  readonly event: string;
  readonly url: string;
  /** A URL of ours in its place, which does nothing; `""` where it cannot be fired. */
  readonly dormantUrl: string;
}

export interface TestAd {
  readonly markup: string;
  /** Where a pop leads to; `""` for other ads. */
  readonly landing: string;
  readonly trackers: readonly FoundTracker[];
}

export interface TestAdOptions {
  /** Where our own trackers would live. */
  readonly base: string;
  /** The URL of ours that stands for a partner's tracker. */
  readonly dormantUrlOf: (url: string) => string;
  /** Whether the user wants partners' trackers to stay in the markup, where they fire by themselves. */
  readonly isLive: boolean;
}

/** More trackers are dormant too, but not listed, nor can they be fired. */
const trackersMax = 200;

/** Lists trackers as they are found, each URL of an event once. */
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

/** Trackers of ours that do nothing, so that a player is seen to call them. */
function ownTrackers(base: string): Trackers {
  const url = (event: string) => `${base}${trackerPath}test?event=${event}`;
  return {
    impression: url('impression'),
    error: url('error'),
    clickTracking: url('click'),
    quartiles: Object.fromEntries(quartileEvents.map((event) => [event, url(event)])),
  };
}

/** The document with its trackers listed, and dormant unless they are wanted. */
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
  return first ? joinAds(first, others) : '';
}

function pageAd(auction: Auction, ranked: RankedBid, { find }: Finder): string {
  const markup = filledMarkup(auction, ranked);
  for (const { event, url } of htmlUrls(markup)) find(event, url);
  return markup;
}

/** The notices that the bid asks for, and that a test does not send. */
function findNotices(
  { opportunity }: Auction,
  { bid, clearingCpmMicros }: RankedBid,
  { find }: Finder,
): void {
  const { win, billing, loss } = bid.notices;
  const won = auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros });
  const lost = auctionMacros(opportunity.auctionId, bid, { reason: 'lost' });
  const notices = [
    ['nurl', win, won],
    ['burl', billing, won],
    ['lurl', loss, lost],
  ] as const;
  for (const [event, url, macros] of notices) if (url !== '') find(event, fillMacros(url, macros));
}

/** The ad of a test's winner, with all of the partner's trackers listed; undefined where nobody won. */
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
