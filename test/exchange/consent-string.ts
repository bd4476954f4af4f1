import { type GVL, PurposeRestriction, Segment, SegmentEncoder, TCModel } from '@iabtechlabtcf/core';

/** What a consent string is to say; by default nothing is permitted. */
export interface Said {
  readonly purposes?: readonly number[];
  readonly vendors?: readonly number[];
  readonly interests?: readonly number[];
  readonly vendorInterests?: readonly number[];
  readonly specialFeatures?: readonly number[];
  /** Undefined: the string does not say, as before TCF 2.3. */
  readonly disclosed?: readonly number[];
  readonly restrictions?: readonly (readonly [purpose: number, type: number, vendor: number])[];
  readonly listVersion?: number;
  readonly isTreated?: boolean;
  readonly country?: string;
}

export const allPurposes = Array.from({ length: 10 }, (_, index) => index + 1);

/** By the IAB's own encoder. */
export function consentString(said: Said): string {
  const model = new TCModel();
  model.cmpId = 75;
  model.cmpVersion = 1;
  model.vendorListVersion = said.listVersion ?? 100;
  model.policyVersion = 5;
  model.isServiceSpecific = true;
  model.purposeOneTreatment = said.isTreated ?? false;
  model.publisherCountryCode = said.country ?? 'DE';
  model.purposeConsents.set([...(said.purposes ?? [])]);
  model.vendorConsents.set([...(said.vendors ?? [])]);
  model.purposeLegitimateInterests.set([...(said.interests ?? [])]);
  model.vendorLegitimateInterests.set([...(said.vendorInterests ?? [])]);
  model.specialFeatureOptins.set([...(said.specialFeatures ?? [])]);
  model.vendorsDisclosed.set([...(said.disclosed ?? [])]);
  const restrictions = said.restrictions ?? [];
  for (const [purpose, type, vendor] of restrictions)
    model.publisherRestrictions.add(vendor, new PurposeRestriction(purpose, type));
  const vendorIds = new Set(restrictions.map(([, , vendor]) => vendor));
  model.publisherRestrictions.gvl = { vendorIds } as unknown as GVL;
  const segments = said.disclosed ? [Segment.CORE, Segment.VENDORS_DISCLOSED] : [Segment.CORE];
  return segments.map((segment) => SegmentEncoder.encode(model, segment)).join('.');
}
