import { linesOf } from '../../lines-of.ts';
import { onceEach } from '../../once-each.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { numberOf, numbersOf, stringsOf, textOf } from '../../stored-values.ts';
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

function compile({ id, document }: Supply): SupplyPart {
  return {
    tagid: String(id),
    displaymanager: textOf(document, 'DisplayManager') || undefined,
    mimes: stringsOf(document, 'Mimes'),
    protocols: protocolsByVersion['Version' in document ? numberOf(document, 'Version') : 1] ?? [],
    categories: stringsOf(document, 'IabCategories'),
    battr: listIfAny(numbersOf(document, 'BlockedAdAttributes')),
    bcat: listIfAny(stringsOf(document, 'BlockedAdIabCategories')),
    badv: listIfAny(linesOf(document.AdDomainsBrandsBlacklist).filter(isDomain)),
    bapp: listIfAny(linesOf(document.AdAppsBlacklist)),
    floorFactor: 1 + numberOf(document, 'DspBidfloorMargin') / 100,
  };
}

/** The part of a supply object in bid requests, made once for each object of a snapshot. */
export const supplyPart = onceEach(compile);
