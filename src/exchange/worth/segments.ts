import { type ServedKind, servedKindNames } from '../../entities/kinds.ts';
import { hashOf, type Key, mixed } from './outcomes.ts';

/** Where an ad would be shown, as far as it decides what a call is worth; `""` and 0 where it is not known. */
export interface Shown {
  readonly auctionId: string;
  readonly country: string;
  readonly deviceType: number;
  readonly medium: string;
  /** The site's domain, or the app's bundle. */
  readonly site: string;
  readonly width: number;
  readonly height: number;
}

/** The same, hashed once for all demand of an auction. */
export interface Segment {
  /** Country, device and medium. */
  readonly audience: Key;
  /** With them site and size. */
  readonly whole: Key;
  /** Decides who is asked all the same: by the auction's ID alone. */
  readonly lot: number;
}

interface Named {
  readonly kind: ServedKind;
  readonly id: number;
}

const numbers: ReadonlyMap<string, number> = new Map(servedKindNames.map((kind, index) => [kind, index + 1]));
/** What tells apart hashes of the same. */
const salts = { audience: 0x27d4eb2f, whole: 0x165667b1, mark: 0x5bd1e995, lot: 0x2545f491 } as const;
const lots = 2 ** 32;

const ofObject = ({ kind, id }: Named, seed: number) => mixed(mixed(seed, numbers.get(kind) ?? 0), id);

/** The segment of an auction. */
export function segmentOf({ auctionId, ...shown }: Shown, seed: number): Segment {
  const hashed = (salted: number) => {
    const texts = mixed(hashOf(shown.country, salted), hashOf(shown.medium, salted));
    const audience = mixed(mixed(texts, shown.deviceType), salts.audience);
    const site = mixed(audience, hashOf(shown.site, salted));
    return { audience, whole: mixed(mixed(site, mixed(shown.width, shown.height)), salts.whole) };
  };
  const [place, mark] = [hashed(seed), hashed(seed ^ salts.mark)];
  return {
    audience: { place: place.audience, mark: mark.audience },
    whole: { place: place.whole, mark: mark.whole },
    lot: hashOf(auctionId, salts.lot),
  };
}

/** A number from 0 to less than 1 that is always the same for an auction and a demand object. */
export function shareOf(lot: number, demand: Named): number {
  return (ofObject(demand, lot) >>> 0) / lots;
}

/** The keys of a supply object, of a pair, and of its places since it was learnt anew for the last time. */
export function keysOf(supply: Named, demand: Named, seed: number) {
  const ofSupply = { place: ofObject(supply, seed), mark: ofObject(supply, seed ^ salts.mark) };
  const pair = { place: ofObject(demand, ofSupply.place), mark: ofObject(demand, ofSupply.mark) };
  return {
    ...{ supply: ofSupply, pair },
    within({ audience, whole }: Segment, epoch: number) {
      const [place, mark] = [mixed(pair.place, epoch), mixed(pair.mark, epoch)];
      return {
        audience: { place: mixed(place, audience.place), mark: mixed(mark, audience.mark) },
        whole: { place: mixed(place, whole.place), mark: mixed(mark, whole.mark) },
      };
    },
  };
}
