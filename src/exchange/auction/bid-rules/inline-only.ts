import { vastOf } from '../../demand/bid-vast.ts';
import { refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

/** `VastInlineOnly`: no ad of the bid is a wrapper. */
export const inlineOnly: BidRule = ({ settings }) => {
  if (settings.VastInlineOnly !== 1) return;
  return (bid) => {
    const vast = vastOf(bid);
    if (vast === undefined || 'fault' in vast || vast.ads.every(({ isInLine }) => isInLine)) return;
    return refuse('not_inline', { field: 'VastInlineOnly', wanted: 'InLine', met: 'Wrapper' });
  };
};
