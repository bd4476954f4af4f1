import { type PathValue, readPathValue } from '../../../protocols/openrtb/field-path.ts';
import { onceEach } from '../../once-each.ts';
import type { Demand } from '../../snapshot/demand.ts';
import { flagOf, numberOf } from '../../stored-values.ts';
import { adLifeMinutesMax } from '../ad-life.ts';
import { ownAuctionType } from '../own-auction-type.ts';

/** The fields of a demand object that change its bid requests. */
interface DemandPart {
  readonly auctionType: 1 | 2 | undefined;
  readonly discardsChain: boolean;
  readonly addsNode: boolean;
  /** Longest time between auction and impression. */
  readonly expiryMinutes: number;
  readonly isZipped: boolean;
  /** `CustomParams`. */
  readonly custom: readonly PathValue[];
}

const expiryStandardMinutes = 60;

function customOf({ document }: Demand): readonly PathValue[] {
  const params: object = Object(document.CustomParams ?? {});
  return Object.entries(params)
    .map(([path, text]) => readPathValue(path, String(text)))
    .filter((value) => value !== undefined);
}

function compile(demand: Demand): DemandPart {
  const { document } = demand;
  return {
    auctionType: ownAuctionType(demand),
    discardsChain: flagOf(document, 'DiscardSchain'),
    addsNode: flagOf(document, 'AddSchainNode'),
    expiryMinutes: Math.min(numberOf(document, 'ExpiryWindow') || expiryStandardMinutes, adLifeMinutesMax),
    isZipped: flagOf(document, 'Gzip'),
    custom: customOf(demand),
  };
}

/** The part of a demand object in bid requests, made once for each object of a snapshot. */
export const demandPart = onceEach(compile);
