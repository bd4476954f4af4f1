import { memoizeWeak } from '../../memoize-weak.ts';
import { nonEmptyLines } from '../../non-empty-lines.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { protocolsByVersion } from '../../vast-version.ts';

/** What a supply object puts into each of its bid requests. */
interface SupplyPart {
  readonly tagid: string;
  readonly displaymanager: string | undefined;
  readonly mimes: readonly string[];
  readonly protocols: readonly number[];
  /** IAB names. */
  readonly categories: readonly string[];
  readonly battr: readonly number[] | undefined;
  readonly bcat: readonly string[] | undefined;
  readonly badv: readonly string[] | undefined;
  readonly bapp: readonly string[] | undefined;
  /** 1 + `DspBidfloorMargin` percent. */
  readonly floorFactor: number;
}

const listIfAny = <T>(list: readonly T[]) => (list.length === 0 ? undefined : list);

/** `badv` takes domains only; the supply object's list also has brands. */
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

export const supplyPart = memoizeWeak(compile);
