import type { Regs, User } from '../../../protocols/openrtb/bid-request.ts';
import type { Opportunity, Privacy } from '../../opportunity.ts';
import { listIfAny, objectIfAny, textIfKnown } from './if-known.ts';

/** The privacy signals of the request, passed on in the members of OpenRTB 2.6 and, in `ext`, in those of 2.5. */
export function regsOf(privacy: Privacy | undefined): Regs | undefined {
  if (privacy === undefined) return undefined;
  const gdpr = privacy.gdpr;
  const us_privacy = textIfKnown(privacy.usPrivacy);
  const gpp = textIfKnown(privacy.gpp);
  const gpp_sid = listIfAny(privacy.gppSections);
  return objectIfAny({
    coppa: privacy.coppa,
    gdpr,
    us_privacy,
    gpp,
    gpp_sid,
    ext: objectIfAny({ gdpr, us_privacy, gpp, gpp_sid }),
  });
}

/** The user's ID and consent; undefined if both are unknown. */
export function userOf({ userId, privacy }: Opportunity): User | undefined {
  const consent = textIfKnown(privacy?.consent ?? '');
  return objectIfAny({
    id: textIfKnown(userId),
    consent,
    ext: consent === undefined ? undefined : { consent },
  });
}
