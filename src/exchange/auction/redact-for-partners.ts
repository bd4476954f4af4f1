import { withoutPersonal } from '../../protocols/openrtb/object-of.ts';
import type { Device, Geo } from '../../protocols/openrtb/objects/audience.ts';
import { bidRequest } from '../../protocols/openrtb/objects/request.ts';
import type { Opportunity, OriginalImpression, Privacy } from '../opportunity.ts';
import { parseForwardedAddress, subnetOf } from '../reading/ip-address.ts';

/** Version 1 of the IAB's US Privacy string: after its version, notice and opt-out from sale. */
const saleOptOut = /^1[YN-]Y[YN-]$/i;

/** Whether nobody may recognize the viewer (reference, "Privacy"). */
const isProtected = (privacy: Privacy | undefined) =>
  privacy !== undefined &&
  (privacy.coppa === 1 ||
    privacy.limitAdTracking === 1 ||
    privacy.hasGpc ||
    saleOptOut.test(privacy.usPrivacy));

const hundredths = 100;

/** Two decimals: about a kilometre. */
const coarse = (degrees: number) => Math.round(degrees * hundredths) / hundredths;
const coarseIfAny = (degrees: number | undefined) => (degrees === undefined ? undefined : coarse(degrees));

const addressOf = (text: string | undefined) => {
  const address = parseForwardedAddress(text ?? '');
  return address && subnetOf(address);
};

function shownGeo(geo: Geo): Geo {
  const { lat, lon, ...rest } = geo;
  return {
    ...rest,
    ...(lat !== undefined && { lat: coarse(lat) }),
    ...(lon !== undefined && { lon: coarse(lon) }),
  };
}

function shownDevice(device: Device): Device {
  const { ip, ipv6, geo, ...rest } = device;
  const [shownIp, shownIpv6] = [addressOf(ip), addressOf(ipv6)];
  return {
    ...rest,
    ...(shownIp && { ip: shownIp.text }),
    ...(shownIpv6?.version === 6 && { ipv6: shownIpv6.text }),
    ...(geo && { geo: shownGeo(geo) }),
  };
}

function shownRequest(request: OriginalImpression['request']): OriginalImpression['request'] {
  const { device, user, ...rest } = withoutPersonal(bidRequest, request);
  return {
    ...rest,
    ...(device && { device: shownDevice(device) }),
    ...(user && { user: { ...user, ...(user.geo && { geo: shownGeo(user.geo) }) } }),
  };
}

/** The opportunity as partners see it: without address, place and ID of children and of those who opted out. */
export function redactForPartners(opportunity: Opportunity): Opportunity {
  if (!isProtected(opportunity.privacy)) return opportunity;
  const { ip, latitude, longitude, device, original } = opportunity;
  return {
    ...opportunity,
    ip: ip && subnetOf(ip),
    latitude: coarseIfAny(latitude),
    longitude: coarseIfAny(longitude),
    userId: '',
    device: { ...device, ifa: '' },
    ...(original && { original: { ...original, request: shownRequest(original.request) } }),
  };
}
