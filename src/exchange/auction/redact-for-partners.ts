import type { MemberUse } from '../../protocols/openrtb/member-types.ts';
import { disclosed } from '../../protocols/openrtb/object-of.ts';
import { bidRequest } from '../../protocols/openrtb/objects/request.ts';
import { activities } from '../../reference/activities.ts';
import { recognition } from '../consent/masks.ts';
import type { Opportunity } from '../opportunity.ts';
import { parseForwardedAddress, subnetOf } from '../reading/ip-address.ts';

const hundredths = 100;

/** Two decimals: about a kilometre. */
const coarse = (degrees: number) => Math.round(degrees * hundredths) / hundredths;

const networkOf = (text: unknown) => {
  const address = typeof text === 'string' ? parseForwardedAddress(text) : undefined;
  return address && subnetOf(address);
};

interface Redaction {
  /** Of `activities`. */
  readonly bit: number;
  readonly shown: (name: string, value: unknown) => unknown;
}

function shownAddress(name: string, value: unknown): string | undefined {
  const network = networkOf(value);
  return name === 'ipv6' && network?.version !== 6 ? undefined : network?.text;
}

const shownPlace = (name: string, value: unknown) =>
  name === 'lat' || name === 'lon' ? coarse(Number(value)) : undefined;
const nothing = () => undefined;

/** What is left of a member if its disclosure is withheld. */
const redactions: ReadonlyMap<MemberUse, Redaction> = new Map<MemberUse, Redaction>([
  ['userIds', { bit: activities.userIds, shown: nothing }],
  ['userData', { bit: activities.userData, shown: nothing }],
  ['address', { bit: activities.address, shown: shownAddress }],
  ['place', { bit: activities.place, shown: shownPlace }],
]);

const withoutIds = ({ device }: Opportunity) => ({ userId: '', device: { ...device, ifa: '' } });
const withoutAddress = ({ ip }: Opportunity) => ({ ip: ip && subnetOf(ip) });
const withoutPlace = ({ latitude, longitude }: Opportunity) => ({
  latitude: latitude === undefined ? undefined : coarse(latitude),
  longitude: longitude === undefined ? undefined : coarse(longitude),
});

/** The opportunity as partners see it from whom a mask of activities is withheld. */
export function redactForPartners(opportunity: Opportunity, withheld: number): Opportunity {
  if ((withheld & recognition) === 0) return opportunity;
  const { original } = opportunity;
  const disclose = (use: MemberUse, name: string, value: unknown) => {
    const row = redactions.get(use);
    return row && (withheld & row.bit) !== 0 ? row.shown(name, value) : value;
  };
  return {
    ...opportunity,
    ...((withheld & activities.userIds) !== 0 && withoutIds(opportunity)),
    ...((withheld & (activities.userIds | activities.sync)) !== 0 && { viewerIdsOf: undefined }),
    ...((withheld & activities.address) !== 0 && withoutAddress(opportunity)),
    ...((withheld & activities.place) !== 0 && withoutPlace(opportunity)),
    ...(original && {
      original: { ...original, request: disclosed(bidRequest, original.request, disclose) },
    }),
  };
}
