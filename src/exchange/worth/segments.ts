import { type ServedKind, servedKindNames } from '../../entities/kinds.ts';
import { hashOf, mixed } from './outcomes.ts';

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

/** A supply or demand object, as far as calls are told apart. */
export interface Asked {
  readonly kind: ServedKind;
  readonly id: number;
}

/** The two hashes of a place. */
export interface Hashes {
  /** Of country, device and medium. */
  readonly audience: number;
  /** With them site and size. */
  readonly whole: number;
}

const numbers: ReadonlyMap<string, number> = new Map(servedKindNames.map((kind, index) => [kind, index + 1]));
/** What tells apart hashes of the same. */
const salts = { audience: 0x27d4eb2f, whole: 0x165667b1, lot: 0x2545f491, all: 0x3c6ef372 } as const;
/** Makes the hash that marks a key of the one that places it. */
export const markSalt = 0x5bd1e995;
const lots = 2 ** 32;

/** The hash of an object among those that begin with `seed`. */
export const ofObject = ({ kind, id }: Asked, seed: number): number =>
  mixed(mixed(seed, numbers.get(kind) ?? 0), id);

/** Of a hash of a pair, that of all its calls, wherever they were. */
export const ofAll = (pair: number): number => mixed(pair, salts.all);

/** The hashes of where an ad would be shown. */
export function placeHashes(
  { country, medium, deviceType, site, width, height }: Shown,
  seed: number,
): Hashes {
  const texts = mixed(hashOf(country, seed), hashOf(medium, seed));
  const audience = mixed(mixed(texts, deviceType), salts.audience);
  return {
    audience,
    whole: mixed(mixed(mixed(audience, hashOf(site, seed)), mixed(width, height)), salts.whole),
  };
}

/** What decides in an auction who is asked all the same: its ID alone. */
export const lotOf = ({ auctionId }: Shown): number => hashOf(auctionId, salts.lot);

/** A number from 0 to less than 1 that is always the same for an auction and a demand object. */
export function shareOf(lot: number, demand: Asked): number {
  return (ofObject(demand, lot) >>> 0) / lots;
}
