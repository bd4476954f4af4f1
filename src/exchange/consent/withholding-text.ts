import type { Missing } from '../../protocols/consent/legal-basis.ts';
import { activities } from '../../reference/activities.ts';
import { type Refusal, refuse } from '../reasons.ts';

import type { MissingBasis } from './vendor-consent.ts';
import type { ViewerConsent, Withholding } from './viewer-consent.ts';

const missingTexts: Readonly<Record<Missing, string>> = {
  vendor_id: 'no GvlId',
  listed: 'not on the vendor list',
  disclosed: 'not among the disclosed vendors',
  restriction: 'restricted by the publisher',
  declared: 'not declared on the vendor list',
  purpose: 'no consent to the purpose',
  special_feature: 'no opt-in to the special feature',
  vendor: 'no consent to the vendor',
};

const purposeText = (purpose: MissingBasis['purpose']) =>
  purpose === 'place' ? 'special feature 1' : `purpose ${purpose}`;

/** What would have permitted it, and what was there instead. */
export function withholdingText(one: Withholding): { readonly wanted: string; readonly met: string } {
  if ('signals' in one) return { wanted: 'no such signal', met: one.signals.join(', ') };
  return {
    wanted: `${purposeText(one.purpose)}, vendor ${one.vendor}`,
    met: missingTexts[one.missing],
  };
}

/** Why a partner may not bid. */
export function refusalFor(consent: ViewerConsent, vendor: number): Refusal {
  const reasons = consent.reasonsFor(vendor).filter((one) => (one.activities & activities.bid) !== 0);
  const [first] = reasons;
  const isUnreadable = first === undefined || 'signals' in first;
  return refuse(isUnreadable ? 'consent_unreadable' : 'consent_missing', first && withholdingText(first));
}
