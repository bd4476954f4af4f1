import { fillMacros } from '../../../protocols/openrtb/macros.ts';
import { vastOf } from '../../demand/bid-vast.ts';
import { refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { leadsToOwnZone } from '../own-zone.ts';
import type { BidCheck } from './bid-rule.ts';

/** A wrapper must not lead back to the supply object: the player would ask it without end. */
export const ownZone =
  (supply: Supply): BidCheck =>
  (bid, { timeMs }) => {
    const vast = vastOf(bid);
    if (vast === undefined || 'fault' in vast) return;
    const isLoop = vast.ads.some(
      ({ wrappedUrl }) => wrappedUrl !== '' && leadsToOwnZone(supply, fillMacros(wrappedUrl, {}), timeMs),
    );
    if (!isLoop) return;
    return refuse('invalid_creative', {
      field: 'VASTAdTagURI',
      wanted: 'another URL',
      met: 'the requesting zone',
    });
  };
