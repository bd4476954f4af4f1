import { consentModes, type ViewerConsent } from '../consent/viewer-consent.ts';
import type { Opportunity } from '../opportunity.ts';
import type { AuctionServices } from './auction.ts';

/** `mode`: `ConsentMode` of the supply object, if one asks. */
export function consentOf(
  asked: Pick<Opportunity, 'privacy' | 'country'>,
  teamId: number,
  mode: number | undefined,
  { consent, teamOf }: Pick<AuctionServices, 'consent' | 'teamOf'>,
): ViewerConsent {
  return consent.of(asked, teamOf(teamId).consent, mode === consentModes.passOn);
}
