import { httpUrl } from '../../../protocols/http-url.ts';
import { markupKind } from '../../../protocols/markup-kind.ts';
import { isNativeAd } from '../../../protocols/openrtb/native-response.ts';
import type { Video } from '../../../protocols/openrtb/objects/imp.ts';
import { popUrl } from '../../../protocols/openrtb/pop-markup.ts';
import type { VastAd } from '../../../protocols/vast/vast-document.ts';
import { isDaast, vastOf } from '../../demand/bid-vast.ts';
import type { Bid } from '../../demand/demand-kind.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { BidCheck } from './bid-rule.ts';

const metCharactersMax = 100;

function playedAd(bid: Bid) {
  const vast = vastOf(bid);
  return vast === undefined || 'fault' in vast ? undefined : vast.ads.find(({ isPlayable }) => isPlayable);
}

/** Refuses an ad if the player supports none of its media types. A wrapper, which has no media files, passes. */
export const format: BidCheck = (bid, { video }) => {
  const { mimes = [] } = video ?? {};
  const types = playedAd(bid)?.mediaTypes ?? [];
  const known = mimes.map((mime) => mime.toLowerCase());
  if (known.length === 0 || types.length === 0 || types.some((type) => known.includes(type))) return;
  return refuse('incorrect_format', { field: 'Mimes', wanted: mimes, met: types });
};

const linearNames: ReadonlyMap<number, 'linear' | 'nonLinear'> = new Map([
  [1, 'linear'],
  [2, 'nonLinear'],
]);

/** Linearity: in the stream (1), or over it (2). */
export const linearity: BidCheck = (bid, { video }) => {
  const wanted = linearNames.get(video?.linearity ?? 0);
  const ad = playedAd(bid);
  if (wanted === undefined || !ad?.isInLine || ad[wanted]) return;
  return refuse('incorrect_format', { field: 'linearity', wanted, met: ad.linear ? 'linear' : 'nonLinear' });
};

/** VPAID 1 and 2 (AdCOM, list API Frameworks). */
const vpaidCodes = [1, 2];

/** Refuses a VPAID-only ad if the player does not list VPAID. */
export const interfaces: BidCheck = (bid, { video }) => {
  const { api = [] } = video ?? {};
  if (api.length === 0 || !playedAd(bid)?.isVpaid || vpaidCodes.some((code) => api.includes(code))) return;
  return refuse('incorrect_format', { field: 'api', wanted: api, met: 'VPAID' });
};

/** Tolerance for required lengths: films are cut at frames, the longest of which is 1/20 s. */
const frameSeconds = 0.05;

/** In seconds: `maxduration` plus a live stream's extension (OpenRTB 2.6 section 3.2.7). */
function longestOf({ maxduration = 0, maxextended = 0 }: Video): number {
  return maxduration === 0 || maxextended < 0 ? Number.POSITIVE_INFINITY : maxduration + maxextended;
}

/** Judges the length that the VAST states, else the one that the bid states. */
export const duration: BidCheck = (bid, { video }) => {
  const seconds = playedAd(bid)?.durationSeconds || bid.received?.dur;
  if (!seconds || !video) return;
  const { minduration = 0, maxduration, rqddurs = [] } = video;
  if (seconds < minduration) {
    return refuse('incorrect_format', { field: 'minduration', wanted: minduration, met: seconds });
  }
  if (seconds > longestOf(video)) {
    return refuse('incorrect_format', { field: 'maxduration', wanted: maxduration, met: seconds });
  }
  const isRequired = (wanted: number) => Math.abs(seconds - wanted) < frameSeconds;
  if (rqddurs.length === 0 || rqddurs.some(isRequired)) return;
  return refuse('incorrect_format', { field: 'rqddurs', wanted: rqddurs, met: seconds });
};

function unplayable(ads: readonly VastAd[]) {
  return ads.some(({ isInLine }) => isInLine)
    ? { wanted: '<MediaFile> or <NonLinear>', met: 'InLine without media' }
    : { wanted: '<VASTAdTagURI>', met: 'Wrapper without a URL' };
}

const vastKinds: ReadonlySet<string> = new Set(['VAST', 'text']);

function unfitStream(bid: Bid): Refusal | undefined {
  const vast = vastOf(bid);
  if (vast === undefined) return;
  if (isDaast(bid)) return;
  if ('fault' in vast) {
    const kind = markupKind(bid.markup ?? '');
    return refuse('invalid_creative', { wanted: 'VAST', met: vastKinds.has(kind) ? vast.fault : kind });
  }
  if (vast.ads.length === 0) return refuse('invalid_creative', { wanted: '<Ad>', met: 'VAST without an ad' });
  return vast.ads.some(({ isPlayable }) => isPlayable)
    ? undefined
    : refuse('invalid_creative', unplayable(vast.ads));
}

function unfitNative({ markup }: Bid): Refusal | undefined {
  if (markup === undefined || isNativeAd(markup)) return;
  return refuse('invalid_creative', { wanted: 'a native ad', met: markupKind(markup) });
}

const bannerKinds: ReadonlySet<string> = new Set(['HTML', 'text']);

/** Refuses a banner that is blank or that a page would show as text: it would be paid for as an ad. */
function unfitBanner({ markup }: Bid): Refusal | undefined {
  if (markup === undefined) return;
  const met = /\S/.test(markup) ? markupKind(markup) : '';
  return bannerKinds.has(met) ? undefined : refuse('invalid_creative', { wanted: 'HTML', met });
}

/** A bid whose markup comes later is judged then. */
function unfitPop({ markup }: Bid): Refusal | undefined {
  if (markup === undefined || httpUrl(popUrl(markup) ?? '') !== undefined) return;
  return refuse('invalid_creative', {
    wanted: 'an http or https URL',
    met: markup.slice(0, metCharactersMax),
  });
}

export const medium: BidCheck = (bid, opportunity) => {
  if (bid.media === opportunity.media) return;
  return refuse('incorrect_format', { wanted: opportunity.media, met: bid.media });
};

/** Markup must fit its medium: VAST with an ad, a native ad, a URL for a pop, HTML or text for a banner. */
export const media: BidCheck = (bid) => {
  if (bid.media === 'pop') return unfitPop(bid);
  if (bid.media === 'native') return unfitNative(bid);
  if (bid.media === 'banner') return unfitBanner(bid);
  return unfitStream(bid);
};
