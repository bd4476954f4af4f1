import { restriction } from './restrictions.ts';
import { purposeBit, specialFeatureBit, type TcfString } from './tcf-string.ts';
import { declarationOf, type VendorDeclaration, type VendorList } from './vendor-list.ts';

/** What is asked of a purpose: the vendor's bits too, the purpose's bit alone, or nothing. */
export type Enforcement = 'full' | 'basic' | 'off';

/** What a legal basis lacks. */
export type Missing =
  /** The partner has no ID on the vendor list. */
  | 'vendor_id'
  /** The vendor is not on the list, or no longer. */
  | 'listed'
  /** The string does not name it among the disclosed vendors. */
  | 'disclosed'
  /** The publisher does not permit it, or demands a basis that the vendor does not have. */
  | 'restriction'
  /** The vendor's entry does not declare the purpose or the special feature. */
  | 'declared'
  /** The string's bit of the purpose, or of the special feature. */
  | 'purpose'
  | 'special_feature'
  /** The string's bit of the vendor. */
  | 'vendor';

type Basis = 'consent' | 'legitimate_interest';

export type LegalBasis =
  | { readonly permitted: true; readonly by: Basis | 'opt_in' | 'purpose_one_treatment' | 'not_enforced' }
  | {
      readonly permitted: false;
      readonly vendor: number;
      readonly missing: Missing;
      readonly purpose?: number;
      readonly specialFeature?: number;
      /** Whose bit is missing. */
      readonly basis?: Basis;
    };

/** Who asks, of which string, by which settings. */
export interface VendorRights {
  readonly tcf: TcfString;
  /** On the Global Vendor List; 0 = none. */
  readonly vendor: number;
  /** Without a list only consent counts. */
  readonly list: VendorList | undefined;
  /** ISO 3166-1 codes of publishers' countries that ask no consent for purpose 1. */
  readonly purposeOneCountries: ReadonlySet<string>;
}

const storage = 1;
const basicAds = 2;

/** What the vendor lacks for whatever it wants to do. */
function missingOfVendor({ tcf, vendor, list }: VendorRights, declared: VendorDeclaration | undefined) {
  if (vendor <= 0) return 'vendor_id';
  if (list !== undefined && (declared === undefined || declared.isDeleted)) return 'listed';
  return tcf.isVendorDisclosed?.(vendor) === false ? 'disclosed' : undefined;
}

/** Policies version 4 (TCF 2.2) leave consent alone for purposes 3 to 6, and all leave it alone for purpose 1. */
const personalisation = purposeBit(3) | purposeBit(4) | purposeBit(5) | purposeBit(6);
const consentOnly = ({ framework, policyVersion }: TcfString) =>
  purposeBit(storage) | (framework === 'eu' && policyVersion >= 4 ? personalisation : 0);

/** The basis on which a vendor may act, by its declaration and what the publisher demands of it. */
function basisOf(
  { tcf, vendor, list }: VendorRights,
  declared: VendorDeclaration | undefined,
  purpose: number,
) {
  const bit = purposeBit(purpose);
  const byConsent = list === undefined || ((declared?.purposes ?? 0) & bit) !== 0;
  const byInterest = ((declared?.legitimateInterests ?? 0) & bit) !== 0;
  if (!(byConsent || byInterest)) return 'declared';
  const isFlexible = ((declared?.flexiblePurposes ?? 0) & bit) !== 0;
  const demanded = tcf.restrictionOf(purpose, vendor);
  const usual: Basis = byConsent ? 'consent' : 'legitimate_interest';
  if (demanded === undefined) return usual;
  if (demanded === restriction.notAllowed) return 'restriction';
  const wanted: Basis = demanded === restriction.requireConsent ? 'consent' : 'legitimate_interest';
  return wanted === usual || isFlexible ? wanted : 'restriction';
}

function hasPurpose(tcf: TcfString, purpose: number, basis: Basis): boolean {
  const bit = purposeBit(purpose);
  if (basis === 'consent') return (tcf.purposeConsents & bit) !== 0;
  return (tcf.purposeLegitimateInterests & bit & ~consentOnly(tcf)) !== 0;
}
const hasVendor = (tcf: TcfString, vendor: number, basis: Basis) =>
  basis === 'consent' ? tcf.hasVendorConsent(vendor) : tcf.hasVendorLegitimateInterest(vendor);

/** As Prebid Server's basic enforcement, which takes legitimate interest for purpose 2 as well. */
function basicBasis({ tcf, vendor }: VendorRights, purpose: number): LegalBasis {
  if (hasPurpose(tcf, purpose, 'consent')) return { permitted: true, by: 'consent' };
  return purpose === basicAds && hasPurpose(tcf, purpose, 'legitimate_interest')
    ? { permitted: true, by: 'legitimate_interest' }
    : { permitted: false, purpose, vendor, missing: 'purpose', basis: 'consent' };
}

/** Whether a vendor may act for a purpose, and what is missing if not (TCF 2, "Publisher Restrictions"). */
export function legalBasis(rights: VendorRights, purpose: number, enforcement: Enforcement): LegalBasis {
  const { tcf, vendor, list, purposeOneCountries } = rights;
  if (enforcement === 'off') return { permitted: true, by: 'not_enforced' };
  const isTreated =
    purpose === storage && tcf.hasPurposeOneTreatment && purposeOneCountries.has(tcf.publisherCountry);
  const declared = list && declarationOf(list, vendor);
  const missing = enforcement === 'full' ? missingOfVendor(rights, declared) : undefined;
  if (missing !== undefined) return { permitted: false, purpose, vendor, missing };
  if (isTreated && tcf.restrictionOf(purpose, vendor) !== restriction.notAllowed) {
    return { permitted: true, by: 'purpose_one_treatment' };
  }
  if (enforcement === 'basic') return basicBasis(rights, purpose);
  const basis = basisOf(rights, declared, purpose);
  if (basis === 'declared' || basis === 'restriction') {
    return { permitted: false, purpose, vendor, missing: basis };
  }
  if (!hasPurpose(tcf, purpose, basis))
    return { permitted: false, purpose, vendor, missing: 'purpose', basis };
  if (!hasVendor(tcf, vendor, basis)) return { permitted: false, purpose, vendor, missing: 'vendor', basis };
  return { permitted: true, by: basis };
}

/** Whether a vendor may use a special feature; 1 is the exact place. */
export function specialFeatureBasis(
  rights: VendorRights,
  specialFeature: number,
  enforcement: Enforcement,
): LegalBasis {
  const { tcf, vendor, list } = rights;
  if (enforcement === 'off') return { permitted: true, by: 'not_enforced' };
  const bit = specialFeatureBit(specialFeature);
  const refuse = (missing: Missing): LegalBasis => ({ permitted: false, specialFeature, vendor, missing });
  if (enforcement === 'full') {
    const declared = list && declarationOf(list, vendor);
    const missing = missingOfVendor(rights, declared);
    if (missing !== undefined) return refuse(missing);
    if (declared !== undefined && (declared.specialFeatures & bit) === 0) return refuse('declared');
  }
  return (tcf.specialFeatures & bit) === 0 ? refuse('special_feature') : { permitted: true, by: 'opt_in' };
}
