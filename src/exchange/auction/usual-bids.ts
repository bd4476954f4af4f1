import { type ServedKind, servedKindNames } from '../../entities/kinds.ts';
import { createRecentCache } from '../../shared/recent-cache.ts';
import type { Nanos } from '../money.ts';

interface Party {
  readonly kind: ServedKind;
  readonly id: number;
}

/** Of one supply object. */
export interface UsualBidsOf {
  /** Mean of what `meet` was told lately; 0 if nothing. */
  of(demand: Party): Nanos;
  meet(demand: Party, nanos: Nanos): void;
}

/**
 * What demand bids, each time it is asked, for viewers whose consent is required and permits it: so much is lost each
 * time it is not given. Of this thread, since its start.
 */
export type UsualBids = (supply: Party) => UsualBidsOf;

const suppliesMax = 4096;
/** About how many are remembered of a pair. */
const window = 1000;

const keyOf = ({ kind, id }: Party) => id * servedKindNames.length + servedKindNames.indexOf(kind);

export function createUsualBids(): UsualBids {
  const supplies = createRecentCache<number, Map<number, { met: number; nanos: number }>>(suppliesMax);
  return (supply) => {
    const pairs = supplies.getOrMake(keyOf(supply), () => new Map());
    return {
      of: (demand) => Math.round(pairs.get(keyOf(demand))?.nanos ?? 0),
      meet(demand, nanos) {
        const pair = pairs.get(keyOf(demand)) ?? { met: 0, nanos: 0 };
        pair.met = Math.min(pair.met + 1, window);
        pair.nanos += (nanos - pair.nanos) / pair.met;
        pairs.set(keyOf(demand), pair);
      },
    };
  };
}
