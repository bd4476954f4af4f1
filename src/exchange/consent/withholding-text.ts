import type { Missing } from '../../protocols/consent/legal-basis.ts';
import { activities } from '../../reference/activities.ts';
import { tcfPurposes } from '../../reference/tcf-purposes.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { MissingBasis } from './vendor-consent.ts';
import type { ViewerConsent, Withholding } from './viewer-consent.ts';

const missingTexts: Readonly<Record<Missing, string>> = {
  vendor_id: 'no GvlId',
  listed: 'not on the vendor list',
  disclosed: 'not among the disclosed vendors',
  restriction: 'restricted by the publisher',
  declared: 'not declared on the vendor list',
  purpose: 'purpose not permitted',
  special_feature: 'no opt-in',
  vendor: 'vendor not permitted',
};

const purposeText = (purpose: MissingBasis['purpose']) =>
  purpose === 'place'
    ? 'special feature 1 (Use precise geolocation data)'
    : `purpose ${purpose} (${tcfPurposes[purpose]})`;

const vendorText = (vendor: number, isOwn: boolean) =>
  isOwn ? `vendor ${vendor}, this exchange` : `vendor ${vendor}`;

/** What would have permitted it, and what was there instead. */
export function withholdingText(one: Withholding): { readonly wanted: string; readonly met: string } {
  if ('optOuts' in one) return { wanted: 'no opt-out', met: one.optOuts.join(', ') };
  if ('unreadable' in one)
    return { wanted: 'readable signals', met: `missing or unreadable: ${one.unreadable.join(', ')}` };
  const { purpose, vendor, isOwn, missing } = one;
  const asked = vendor === 0 ? [] : [vendorText(vendor, isOwn)];
  return { wanted: [purposeText(purpose), ...asked].join(', '), met: missingTexts[missing] };
}

/** Why a partner may not bid. */
export function refusalFor(consent: ViewerConsent, vendor: number): Refusal {
  const reasons = consent.reasonsFor(vendor).filter((one) => (one.activities & activities.bid) !== 0);
  const [first] = reasons;
  const isMissing = first !== undefined && 'missing' in first;
  return refuse(isMissing ? 'consent_missing' : 'consent_unreadable', first && withholdingText(first));
}
