import type { Restrictions } from './restrictions.ts';
import type { HasVendor } from './vendor-set.ts';

/**
 * What a consent string of the Transparency and Consent Framework says. Canada's express consent is its consent, and
 * implied consent its legitimate interest.
 */
export interface TcfString {
  readonly framework: 'eu' | 'canada';
  readonly createdMs: number;
  readonly lastUpdatedMs: number;
  readonly cmpId: number;
  readonly cmpVersion: number;
  readonly vendorListVersion: number;
  readonly policyVersion: number;
  /** Always in Canada. */
  readonly isServiceSpecific: boolean;
  /** Purpose 1 was not disclosed, since the publisher's country asks no consent for it. */
  readonly hasPurposeOneTreatment: boolean;
  /** ISO 3166-1 alpha-2; empty in Canada. */
  readonly publisherCountry: string;
  /** Bits as `specialFeatureBit`. */
  readonly specialFeatures: number;
  /** Bits as `purposeBit`. */
  readonly purposeConsents: number;
  readonly purposeLegitimateInterests: number;
  readonly hasVendorConsent: HasVendor;
  readonly hasVendorLegitimateInterest: HasVendor;
  /** Undefined if the string does not say which vendors were disclosed, as before TCF 2.3. */
  readonly isVendorDisclosed: HasVendor | undefined;
  readonly restrictionCount: number;
  readonly restrictionOf: Restrictions['of'];
}

export const purposesMax = 24;
export const specialFeaturesMax = 12;

const bitOf = (id: number, idsMax: number) => (id >= 1 && id <= idsMax ? 1 << (idsMax - id) : 0);
/** The bit of a purpose among the 24 of a string or of a vendor list's entry; 0 if there is no such purpose. */
export const purposeBit = (purpose: number): number => bitOf(purpose, purposesMax);
/** The bit of a special feature among 12; 0 if there is no such feature. */
export const specialFeatureBit = (feature: number): number => bitOf(feature, specialFeaturesMax);
