import { memoizeWeak } from '../../memoize-weak.ts';
import { nonEmptyLines } from '../../non-empty-lines.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { protocolsByVersion } from '../../vast-version.ts';

/** The values that a supply object puts into every bid request of its auctions. */
interface SupplyPart {
  readonly tagid: string;
  readonly displaymanager: string | undefined;
  readonly mimes: readonly string[];
  readonly protocols: readonly number[];
  /** IAB names of the object itself. */
  readonly categories: readonly string[];
  readonly battr: readonly number[] | undefined;
  readonly bcat: readonly string[] | undefined;
  readonly badv: readonly string[] | undefined;
  readonly bapp: readonly string[] | undefined;
  /** What the floor is multiplied by: 1 + `DspBidfloorMargin` percent. */
  readonly floorFactor: number;
}

/** A list; undefined if it is empty. */
const listIfAny = <T>(list: readonly T[]) => (list.length === 0 ? undefined : list);

/** Whether a line is a domain, as `badv` wants; the supply object's list also has names of brands. */
const isDomain = (line: string) => /^[^\s/]+\.[^\s/]+$/.test(line);

function compile({ id, settings }: Supply): SupplyPart {
  return {
    tagid: String(id),
    displaymanager: (settings.DisplayManager ?? '') || undefined,
    mimes: settings.Mimes ?? [],
    protocols: protocolsByVersion[settings.Version === undefined ? 1 : (settings.Version ?? 0)] ?? [],
    categories: settings.IabCategories ?? [],
    battr: listIfAny(settings.BlockedAdAttributes ?? []),
    bcat: listIfAny(settings.BlockedAdIabCategories ?? []),
    badv: listIfAny(nonEmptyLines(settings.AdDomainsBrandsBlacklist).filter(isDomain)),
    bapp: listIfAny(nonEmptyLines(settings.AdAppsBlacklist)),
    floorFactor: 1 + (settings.DspBidfloorMargin ?? 0) / 100,
  };
}

/** The part of a supply object in bid requests, made once for each object of a snapshot. */
export const supplyPart = memoizeWeak(compile);
