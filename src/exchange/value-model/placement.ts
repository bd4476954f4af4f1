import { type ServedKind, servedKindNames } from '../../entities/kinds.ts';
import { mixHashes, seededHash, stableHash } from '../../shared/hash.ts';

/** As far as it decides a call's value; `""` and 0 = unknown. */
export interface Placement {
  readonly auctionId: string;
  readonly country: string;
  readonly deviceType: number;
  readonly medium: string;
  /** Domain, or app bundle. */
  readonly site: string;
  readonly width: number;
  readonly height: number;
}

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
/** Keep hashes of the same values apart. */
const salts = { audience: 0x27d4eb2f, whole: 0x165667b1, lot: 0x2545f491, all: 0x3c6ef372 } as const;
/** Turns the hash that places a key into the one that marks it. */
export const markSalt = 0x5bd1e995;
const lots = 2 ** 32;

export const objectHash = ({ kind, id }: CallParty, seed: number): number =>
  mixHashes(mixHashes(seed, numbers.get(kind) ?? 0), id);

/** From a pair's hash, that of all its calls, wherever they were. */
export const allCallsHash = (pair: number): number => mixHashes(pair, salts.all);

export function placementHashes(
  { country, medium, deviceType, site, width, height }: Placement,
  seed: number,
): PlacementHashes {
  const texts = mixHashes(seededHash(seed, country), seededHash(seed, medium));
  const audience = mixHashes(mixHashes(texts, deviceType), salts.audience);
  return {
    audience,
    whole: mixHashes(
      mixHashes(mixHashes(audience, seededHash(seed, site)), mixHashes(width, height)),
      salts.whole,
    ),
  };
}

/** The auction's ID, which is ours, alone decides who is explored. */
export const explorationSeed = ({ auctionId }: Placement): number =>
  mixHashes(stableHash(auctionId), salts.lot);

/** From 0 to less than 1, always the same for an auction and demand object. */
export function explorationDraw(lot: number, demand: CallParty): number {
  return (objectHash(demand, lot) >>> 0) / lots;
}
