import { httpUrl } from '../../../protocols/http-url.ts';
import { isNativeAd } from '../../../protocols/openrtb/native-response.ts';
import { popUrl } from '../../../protocols/openrtb/pop-markup.ts';
import type { VastAd } from '../../../protocols/vast/vast-document.ts';
import { isDaast, vastOf } from '../../demand/bid-vast.ts';
import type { Bid } from '../../demand/demand-kind.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { BidCheck } from './bid-rule.ts';

const metCharactersMax = 100;

/** The first ad of a video or audio bid that can be played; undefined if its markup has none. */
function playedAd(bid: Bid) {
  const vast = vastOf(bid);
  return vast === undefined || 'fault' in vast ? undefined : vast.ads.find(({ isPlayable }) => isPlayable);
}

/** Refuses an ad if the player supports none of its media types. An ad without media files (a wrapper) passes. */
export const format: BidCheck = (bid, { video }) => {
  const { mimes = [] } = video ?? {};
  const types = playedAd(bid)?.mediaTypes ?? [];
  const known = mimes.map((mime) => mime.toLowerCase());
  if (known.length === 0 || types.length === 0 || types.some((type) => known.includes(type))) return;
  return refuse('incorrect_format', { field: 'Mimes', wanted: mimes, met: types });
};

/** Refuses an ad that is shorter or longer than its placement allows. */
export const duration: BidCheck = (bid, { video }) => {
  const seconds = playedAd(bid)?.durationSeconds;
  if (!seconds || !video) return;
  const { minduration = 0, maxduration = 0 } = video;
  if (seconds < minduration) {
    return refuse('incorrect_format', { field: 'minduration', wanted: minduration, met: seconds });
  }
  if (maxduration === 0 || seconds <= maxduration) return;
  return refuse('incorrect_format', { field: 'maxduration', wanted: maxduration, met: seconds });
};

/** What ads lack that none of which could be played: media, or where they are found. */
function unplayable(ads: readonly VastAd[]) {
  return ads.some(({ isInLine }) => isInLine)
    ? { wanted: '<MediaFile> or <NonLinear>', met: 'InLine without media' }
    : { wanted: '<VASTAdTagURI>', met: 'Wrapper without a URL' };
}

function unfitStream(bid: Bid): Refusal | undefined {
  const vast = vastOf(bid);
  if (vast === undefined) return;
  if (isDaast(bid)) return;
  if ('fault' in vast) return refuse('invalid_creative', { wanted: 'VAST', met: vast.fault });
  if (vast.ads.length === 0) return refuse('invalid_creative', { wanted: '<Ad>', met: 'VAST without an ad' });
  return vast.ads.some(({ isPlayable }) => isPlayable)
    ? undefined
    : refuse('invalid_creative', unplayable(vast.ads));
}

function unfitNative({ markup }: Bid): Refusal | undefined {
  if (markup === undefined || isNativeAd(markup)) return;
  return refuse('invalid_creative', { wanted: 'a native ad', met: 'something else' });
}

/** Refuses a banner of nothing but white space, which would be shown and paid as an ad. */
function unfitBanner({ markup }: Bid): Refusal | undefined {
  if (markup === undefined || /\S/.test(markup)) return;
  return refuse('invalid_creative', { wanted: 'HTML', met: '' });
}

/** Refuses a pop without a URL that a browser can be sent to. A bid whose markup comes later is judged then. */
function unfitPop({ markup }: Bid): Refusal | undefined {
  if (markup === undefined || httpUrl(popUrl(markup) ?? '') !== undefined) return;
  return refuse('invalid_creative', {
    wanted: 'an http or https URL',
    met: markup.slice(0, metCharactersMax),
  });
}

/** The bid's medium must be the one that was asked for. */
export const medium: BidCheck = (bid, opportunity) => {
  if (bid.media === opportunity.media) return;
  return refuse('incorrect_format', { wanted: opportunity.media, met: bid.media });
};

/**
 * The markup must fit its medium: for video and audio VAST with an ad, for native a native ad, for a pop a URL, for a
 * banner anything but white space.
 */
export const media: BidCheck = (bid) => {
  if (bid.media === 'pop') return unfitPop(bid);
  if (bid.media === 'native') return unfitNative(bid);
  if (bid.media === 'banner') return unfitBanner(bid);
  return unfitStream(bid);
};
