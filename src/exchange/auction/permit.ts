import { activities } from '../../reference/activities.ts';
import { consentModes } from '../consent/viewer-consent.ts';
import { refusalFor } from '../consent/withholding-text.ts';
import { refuse } from '../reasons.ts';
import { isOut, type Step } from './auction.ts';

/** Asks of each partner what the viewer permits it to do and to be told. */
export const permit: Step = (auction) => {
  const { supply, services, candidates, consent } = auction;
  const { ConsentMode: mode } = supply.settings;
  if (consent.state === 'not_required') return undefined;
  const isRefused = consent.state === 'unreadable' && mode === consentModes.refuse;
  const unreadable = isRefused ? refuse('consent_unreadable', { field: 'ConsentMode' }) : undefined;
  isOut(auction, unreadable);
  for (const candidate of candidates) {
    const { demand, refusal, refusals } = candidate;
    if (refusal && !refusals) continue;
    if (isOut(candidate, unreadable) || services.kinds[demand.kind].isOwn) continue;
    candidate.withheld = consent.withheldFrom(demand.gvlId);
    if ((candidate.withheld & activities.bid) !== 0) isOut(candidate, refusalFor(consent, demand.gvlId));
  }
  return auction.refusal;
};
