import type { VastDocument } from '../../../protocols/vast/vast-document.ts';
import { takesDaast, versionsOf } from '../../../protocols/vast/vast-version.ts';
import { isDaast, vastForPlayer, vastOf } from '../../demand/bid-vast.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

/** The refusal of a document that the player takes in no version: for it is a wrapper, or for what it shows. */
function untaken({ ads, version }: VastDocument, field: string, wanted: readonly number[]): Refusal {
  const met = `VAST ${version}`.trim();
  const isWrapper = ads.some(({ isInLine }) => !isInLine);
  return isWrapper && versionsOf(wanted, true).length === 0
    ? refuse('not_inline', { field, wanted, met: `${met}, Wrapper` })
    : refuse('incorrect_format', { field, wanted, met });
}

/**
 * `Version` of a VAST Tag, or the request's own `protocols`: the ad can be served in a version that the player takes,
 * InLine or as a wrapper. Neither restricts anything where it is absent.
 */
export const vastVersion: BidRule = ({ settings }) => {
  const field = typeof settings.Version === 'number' ? 'Version' : 'protocols';
  return (bid, opportunity) => {
    const wanted = opportunity.video?.protocols ?? [];
    if (wanted.length === 0) return;
    if (isDaast(bid) && !takesDaast(wanted))
      return refuse('incorrect_format', { field, wanted, met: 'DAAST' });
    const vast = vastOf(bid);
    // What is no VAST, or cannot be played at all, is another rule's.
    if (vast === undefined || 'fault' in vast || !vast.ads.some(({ isPlayable }) => isPlayable)) return;
    return vastForPlayer(bid, opportunity) ? undefined : untaken(vast, field, wanted);
  };
};
