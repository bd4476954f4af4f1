import { type ServedKind, servedKindNames } from '../../entities/kinds.ts';
import { hashText, mixHashes } from './outcomes.ts';

/** Where an ad would be shown, as far as it decides what a call is worth; `""` and 0 where it is not known. */
export interface Placement {
  readonly auctionId: string;
  readonly country: string;
  readonly deviceType: number;
  readonly medium: string;
  /** The site's domain, or the app's bundle. */
  readonly site: string;
  readonly width: number;
  readonly height: number;
}

/** A supply or demand object, as far as calls are told apart. */
export interface CallParty {
  readonly kind: ServedKind;
  readonly id: number;
}

export interface PlacementHashes {
  /** Of country, device and medium. */
  readonly audience: number;
  readonly whole: number;
}

const numbers: ReadonlyMap<string, number> = new Map(servedKindNames.map((kind, index) => [kind, index + 1]));
/** What tells apart hashes of the same. */
const salts = { audience: 0x27d4eb2f, whole: 0x165667b1, lot: 0x2545f491, all: 0x3c6ef372 } as const;
/** Makes the hash that marks a key of the one that places it. */
export const markSalt = 0x5bd1e995;
const lots = 2 ** 32;

/** The hash of an object among those that begin with `seed`. */
export const objectHash = ({ kind, id }: CallParty, seed: number): number =>
  mixHashes(mixHashes(seed, numbers.get(kind) ?? 0), id);

/** Of a hash of a pair, that of all its calls, wherever they were. */
export const allCallsHash = (pair: number): number => mixHashes(pair, salts.all);

/** The hashes of where an ad would be shown. */
export function placementHashes(
  { country, medium, deviceType, site, width, height }: Placement,
  seed: number,
): PlacementHashes {
  const texts = mixHashes(hashText(country, seed), hashText(medium, seed));
  const audience = mixHashes(mixHashes(texts, deviceType), salts.audience);
  return {
    audience,
    whole: mixHashes(
      mixHashes(mixHashes(audience, hashText(site, seed)), mixHashes(width, height)),
      salts.whole,
    ),
  };
}

/** What decides in an auction who is asked all the same: its ID alone. */
export const explorationSeed = ({ auctionId }: Placement): number => hashText(auctionId, salts.lot);

/** A number from 0 to less than 1 that is always the same for an auction and a demand object. */
export function explorationDraw(lot: number, demand: CallParty): number {
  return (objectHash(demand, lot) >>> 0) / lots;
}
