import {
  type LegalBasis,
  legalBasis,
  type Missing,
  specialFeatureBasis,
  type VendorRights,
} from '../../protocols/consent/legal-basis.ts';
import type { TcfString } from '../../protocols/consent/tcf-string.ts';
import { activities } from '../../reference/activities.ts';
import { type TcfPurpose, tcfPurposes } from '../../reference/tcf-purposes.ts';
import type { ConsentSettings } from '../team.ts';
import type { VendorLists } from '../vendor-lists.ts';

/** Why activities are withheld from a vendor. */
export interface MissingBasis {
  readonly activities: number;
  /** The first that would do; `place` is special feature 1. */
  readonly purpose: TcfPurpose | 'place';
  readonly missing: Missing;
}

/** What a consent string permits vendors, as one team enforces it. */
export interface VendorConsent {
  /** A mask. */
  withheldFrom(vendor: number): number;
  missingOf(vendor: number): readonly MissingBasis[];
}

interface Question {
  readonly activities: number;
  /** Any of these is enough. */
  readonly purposes: readonly MissingBasis['purpose'][];
}

const [storage, basicAds, profiles] = [1, 2, 4] as const;
const exactPlace = 1;
const purposes = Object.keys(tcfPurposes).map(Number) as readonly TcfPurpose[];

/** As Prebid Server asks: an address is a place, and data of the user go where IDs do. */
const questions = (idPurposes: readonly TcfPurpose[]): readonly Question[] => [
  { activities: activities.bid, purposes: [basicAds] },
  { activities: activities.userIds | activities.userData, purposes: idPurposes },
  { activities: activities.address | activities.place, purposes: ['place'] },
  { activities: activities.sync, purposes: [storage] },
];
const usual = questions(purposes.filter((purpose) => purpose !== storage));
const strict = questions([profiles]);

/** A special feature is enforced as strictly as bidding. */
const basisOf = (rights: VendorRights, { enforcement }: ConsentSettings, purpose: MissingBasis['purpose']) =>
  purpose === 'place'
    ? specialFeatureBasis(rights, exactPlace, enforcement[basicAds])
    : legalBasis(rights, purpose, enforcement[purpose]);

type Refused = Extract<LegalBasis, { readonly permitted: false }>;

/** Its bits of one vendor are asked for by many purposes, and may lie behind many ranges. */
function askedOnce(tcf: TcfString, vendor: number): TcfString {
  let consent: boolean | undefined;
  let interest: boolean | undefined;
  const isDisclosed = tcf.isVendorDisclosed?.(vendor);
  return {
    ...tcf,
    hasVendorConsent: () => {
      consent ??= tcf.hasVendorConsent(vendor);
      return consent;
    },
    hasVendorLegitimateInterest: () => {
      interest ??= tcf.hasVendorLegitimateInterest(vendor);
      return interest;
    },
    isVendorDisclosed: isDisclosed === undefined ? undefined : () => isDisclosed,
  };
}

export function vendorConsent(
  tcf: TcfString,
  settings: ConsentSettings,
  lists: Pick<VendorLists, 'of'>,
): VendorConsent {
  const asked = settings.userIdsNeedPurpose4 ? strict : usual;
  const { purposeOneCountries } = settings;
  /** Canada's list is another one. */
  const listNow = () => (tcf.framework === 'eu' ? lists.of(tcf.vendorListVersion) : undefined);
  const known = new Map<number, number>();
  let list = listNow();
  const rightsOf = (vendor: number): VendorRights => ({
    tcf: askedOnce(tcf, vendor),
    vendor,
    list,
    purposeOneCountries,
  });
  /** Without the arrays of `missingOf`, for auctions. */
  const maskFor = (vendor: number): number => {
    const rights = rightsOf(vendor);
    let mask = 0;
    for (const question of asked) {
      const isPermitted = question.purposes.some((purpose) => basisOf(rights, settings, purpose).permitted);
      if (!isPermitted) mask |= question.activities;
    }
    return mask;
  };
  const missingOf = (vendor: number): MissingBasis[] => {
    const rights = rightsOf(vendor);
    return asked.flatMap((question) => {
      const bases = question.purposes.map(
        (purpose) => [purpose, basisOf(rights, settings, purpose)] as const,
      );
      const refused = bases.filter((one): one is [MissingBasis['purpose'], Refused] => !one[1].permitted);
      const [first] = refused;
      if (first === undefined || refused.length < bases.length) return [];
      const [purpose, { missing }] = first;
      return [{ activities: question.activities, purpose, missing }];
    });
  };
  return {
    withheldFrom(vendor) {
      const now = listNow();
      if (now !== list) known.clear();
      list = now;
      const before = known.get(vendor);
      if (before !== undefined) return before;
      const mask = maskFor(vendor);
      known.set(vendor, mask);
      return mask;
    },
    missingOf,
  };
}
