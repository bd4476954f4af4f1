import { type PathValue, readPathValue } from '../../../protocols/openrtb/field-path.ts';
import { isForeign } from '../../currency.ts';
import { memoizeWeak } from '../../memoize-weak.ts';
import type { Demand } from '../../snapshot/demand.ts';
import { adLifeMinutesMax } from '../ad-life.ts';
import { ownAuctionType } from '../own-auction-type.ts';

interface DemandPart {
  readonly auctionType: 1 | 2 | undefined;
  /** `""` = USD. */
  readonly currency: string;
  readonly discardsChain: boolean;
  readonly addsNode: boolean;
  readonly expiryMinutes: number;
  readonly isZipped: boolean;
  /** `CustomParams`. */
  readonly custom: readonly PathValue[];
}

const expiryStandardMinutes = 60;

function customOf({ settings }: Demand): readonly PathValue[] {
  return Object.entries(settings.CustomParams ?? {})
    .map(([path, text]) => readPathValue(path, text))
    .filter((value) => value !== undefined);
}

function compile(demand: Demand): DemandPart {
  const { settings } = demand;
  return {
    auctionType: ownAuctionType(demand),
    currency: isForeign(settings.Currency) ? settings.Currency : '',
    discardsChain: settings.DiscardSchain === 1,
    addsNode: settings.AddSchainNode === 1,
    expiryMinutes: Math.min(settings.ExpiryWindow || expiryStandardMinutes, adLifeMinutesMax),
    isZipped: settings.Gzip === 1,
    custom: customOf(demand),
  };
}

export const demandPart = memoizeWeak(compile);
