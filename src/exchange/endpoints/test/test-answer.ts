import { popForms } from '../../../protocols/pop/build-pop-answer.ts';
import { emptyVast } from '../../../protocols/vast/build-vast.ts';
import { xmlText } from '../../../protocols/vast/xml-values.ts';
import type { Auction } from '../../auction/auction.ts';
import type { ZoneQuery } from '../../reading/query.ts';
import { vastVersionFor } from '../../vast-version.ts';
import { bannerPage } from '../banner/banner-page.ts';
import type { TestAd } from './test-ad.ts';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface AdTest {
  readonly auction: Auction;
  readonly ad: TestAd | undefined;
  readonly query: ZoneQuery;
  /** Whether the partner's markup may load anything. */
  readonly isLive: boolean;
}

const noAd: TestAnswer = { status: 204, headers: {}, text: '' };
const html = 'text/html; charset=utf-8';

/** @internal */
export const testPagePolicies = {
  /** Nothing runs, loads or redirects: the markup shows only what it contains. */
  dormant: "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  live: 'sandbox allow-scripts allow-forms allow-popups',
} as const;

const policy = (isLive: boolean) => ({
  'content-type': html,
  'content-security-policy': isLive ? testPagePolicies.live : testPagePolicies.dormant,
  'referrer-policy': 'no-referrer',
  'x-dns-prefetch-control': 'off',
});

function vast({ auction, ad }: AdTest): TestAnswer {
  const text = ad?.markup || emptyVast(vastVersionFor(auction.supply));
  return { status: 200, headers: { 'content-type': 'application/xml; charset=utf-8' }, text };
}

function banner({ ad, isLive }: AdTest): TestAnswer {
  if (!ad) return noAd;
  return { status: 200, headers: policy(isLive), text: bannerPage(ad.markup, 'data:,') };
}

/** The partner's page, or our URL in its place. */
function pageOf({ landing, trackers }: TestAd, isLive: boolean): string {
  const listed = trackers.find(({ event, url }) => event === 'landing' && url === landing);
  return isLive ? landing : (listed?.dormantUrl ?? '');
}

function pop({ auction, ad, query, isLive }: AdTest): TestAnswer {
  const [ranked] = auction.ranking;
  if (!ad?.landing || !ranked) return noAd;
  const { contentType, build } = popForms[query.text('format') === 'json' ? 'json' : 'xml'];
  const { title = '', description = '' } = ranked.bid;
  const { origin } = new URL(ad.landing);
  const text = build({ title, url: `${origin}/`, description, bid: '0', click: pageOf(ad, isLive) });
  return { status: 200, headers: { 'content-type': contentType }, text };
}

/** Names the landing; redirects there if the user says so. */
function direct({ ad, isLive }: AdTest): TestAnswer {
  if (!ad?.landing) return noAd;
  if (isLive) return { status: 302, headers: { location: ad.landing }, text: '' };
  const text = `<!doctype html><meta charset="utf-8"><title>Test</title><p>A visitor would be sent to</p><p>${xmlText(ad.landing)}</p>`;
  return { status: 200, headers: policy(false), text };
}

export const testAnswers: ReadonlyMap<string, (tested: AdTest) => TestAnswer> = new Map([
  ['/vast', vast],
  ['/banner', banner],
  ['/pop', pop],
  ['/direct', direct],
]);
