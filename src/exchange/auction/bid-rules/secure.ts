import { loadsInsecurely } from '../../../protocols/insecure-url.ts';
import { loadsNativeInsecurely } from '../../../protocols/openrtb/native-response.ts';
import { popUrl } from '../../../protocols/openrtb/pop-markup.ts';
import { vastOf } from '../../demand/bid-vast.ts';
import type { Bid } from '../../demand/demand-kind.ts';
import { refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

/** The part of the markup that loads over plain http, if any. */
function insecurePart(bid: Bid): string | undefined {
  const vast = vastOf(bid);
  if (vast !== undefined && !('fault' in vast)) return vast.insecureElement;
  const markup = bid.markup ?? '';
  if (bid.media === 'pop') return /^http:/i.test(popUrl(markup) ?? '') ? 'URL' : undefined;
  const isInsecure = bid.media === 'native' ? loadsNativeInsecurely : loadsInsecurely;
  return isInsecure(markup) ? 'markup' : undefined;
}

/** `Secure`, or a request that demands it: the markup and its assets must load over https. */
export const secure: BidRule = ({ settings }) => {
  const isWanted = settings.Secure === 1;
  return (bid, { isSecure }) => {
    if (!isWanted && !isSecure) return;
    const met = insecurePart(bid);
    return met === undefined ? undefined : refuse('not_secure', { field: 'Secure', wanted: 'https', met });
  };
};
