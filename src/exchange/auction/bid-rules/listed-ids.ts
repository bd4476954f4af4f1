import type { Bid } from '../../demand/demand-kind.ts';
import { nonEmptyLines } from '../../non-empty-lines.ts';
import { type Reason, refuse } from '../../reasons.ts';
import type { BidRule } from './bid-rule.ts';

/** A bid without the ID passes a blacklist, but not a whitelist. */
function listed(field: 'CridList' | 'SeatList', reason: Reason, idOf: (bid: Bid) => string): BidRule {
  return ({ settings }) => {
    const ids = new Set(nonEmptyLines(settings[field]));
    if (ids.size === 0) return;
    const isWhitelist = settings[`${field}Mode`] === 1;
    const wanted = isWhitelist ? 'listed' : 'not listed';
    return (bid) => {
      const met = idOf(bid);
      return ids.has(met) === isWhitelist ? undefined : refuse(reason, { field, wanted, met });
    };
  };
}

export const creativeIds = listed('CridList', 'creative_id_listed', ({ creativeId }) => creativeId);

export const seats = listed('SeatList', 'seat_listed', ({ seat }) => seat);
