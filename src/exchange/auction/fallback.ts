import { isPod } from '../../protocols/vast/join-ads.ts';
import { matchVersion, vastForPlayer } from '../demand/bid-vast.ts';
import type { Bid } from '../demand/demand-kind.ts';
import type { Opportunity } from '../opportunity.ts';
import { type Refusal, refuse } from '../reasons.ts';

/** Why a bid cannot stand in another's document, by the field that joins them; if it can, it takes that version. */
export function unfitInDocument(
  bid: Bid,
  winner: Bid,
  opportunity: Opportunity,
  field: string,
): Refusal | undefined {
  if (bid.media !== winner.media) {
    return refuse('incorrect_format', { field, wanted: winner.media, met: bid.media });
  }
  const first = vastForPlayer(winner, opportunity);
  const own = vastForPlayer(bid, opportunity);
  if (!first || !own) return undefined;
  if (isPod(own)) {
    return refuse('incorrect_format', { field, wanted: 'a single ad', met: 'a pod' });
  }
  if (matchVersion(bid, first, opportunity)) return undefined;
  const [wanted, met] = [first, own].map(({ version }) => `VAST ${version}`);
  return refuse('incorrect_format', { field, wanted, met });
}
