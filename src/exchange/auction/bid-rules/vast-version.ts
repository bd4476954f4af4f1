import type { VastDocument } from '../../../protocols/vast/vast-document.ts';
import { takesDaast, versionsOf } from '../../../protocols/vast/vast-version.ts';
import { isDaast, vastForPlayer, vastOf } from '../../demand/bid-vast.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

function untaken({ ads, version }: VastDocument, field: string, wanted: readonly number[]): Refusal {
  const met = `VAST ${version}`.trim();
  const isWrapper = ads.some(({ isInLine }) => !isInLine);
  return isWrapper && versionsOf(wanted, true).length === 0
    ? refuse('not_inline', { field, wanted, met: `${met}, Wrapper` })
    : refuse('incorrect_format', { field, wanted, met });
}

/** `Version` of a VAST Tag, or the request's `protocols`: the player must take the ad in some version. */
export const vastVersion: BidRule = ({ settings }) => {
  const field = typeof settings.Version === 'number' ? 'Version' : 'protocols';
  return (bid, opportunity) => {
    const wanted = opportunity.video?.protocols ?? [];
    if (wanted.length === 0) return;
    if (isDaast(bid) && !takesDaast(wanted))
      return refuse('incorrect_format', { field, wanted, met: 'DAAST' });
    const vast = vastOf(bid);
    // Other rules judge what is no VAST or cannot be played.
    if (vast === undefined || 'fault' in vast || !vast.ads.some(({ isPlayable }) => isPlayable)) return;
    return vastForPlayer(bid, opportunity) ? undefined : untaken(vast, field, wanted);
  };
};
