import { inLineVast, quartileEvents } from '../../protocols/vast/build-vast.ts';
import type { Behaviour } from './behaviour.ts';
import type { MockBid } from './faults.ts';

export interface AdUrls {
  readonly media: string;
  /** MIME type. */
  readonly mediaType: string;
  readonly landing: string;
  /** Reports an event to the DSP itself. */
  readonly tracker: (event: string) => string;
}

const film = { durationSeconds: 10, width: 640, height: 360 };

/** An InLine ad; `isPriced`: with a `<Pricing>` (VAST 3.0, section 2.3.5.1). */
export function mockVast(bid: MockBid, behaviour: Behaviour, urls: AdUrls, isPriced: boolean): string {
  const { price, currency, id } = bid;
  const { width, height, durationSeconds } = film;
  const { media: url, mediaType: type } = urls;
  const text = inLineVast('3.0', {
    id,
    adSystem: 'Mock DSP',
    title: `An ad of ${behaviour.domain}`,
    advertiser: behaviour.domain,
    impressions: [urls.tracker('impression')],
    tracking: Object.fromEntries(quartileEvents.map((event) => [event, urls.tracker(event)])),
    ...(isPriced ? { priceCpm: price } : {}),
    creativeId: id,
    durationSeconds,
    media: [{ url, type, delivery: 'progressive', width, height }],
    clickThrough: urls.landing,
  });
  return text.replace('currency="USD"', `currency="${currency}"`);
}
