import type { ReceivedRequest } from '../../../protocols/openrtb/received-request.ts';
import type { IpAddress, Opportunity, Privacy } from '../../opportunity.ts';
import { countryCode } from '../../reading/country-code.ts';
import {
  type BrandVersion,
  type DeclaredDevice,
  deviceOf,
  type StructuredUserAgent,
} from '../../reading/device.ts';
import { parseForwardedAddress, parseIpAddress } from '../../reading/ip-address.ts';
import { type Caller, unknownCaller } from '../../trackers/match.ts';
import type { DoorContext } from '../door.ts';
import { listOrNone, numberOrZero, orUndefined, textOr } from './optional-members.ts';

type ReceivedDevice = NonNullable<ReceivedRequest['device']>;
type ReceivedAgent = NonNullable<ReceivedDevice['sua']>;

/** What is known of the viewer and the viewer's place. */
type Audience = Pick<
  Opportunity,
  'device' | 'userAgent' | 'ip' | 'country' | 'region' | 'latitude' | 'longitude' | 'userId'
>;

const brandOf = ({ brand, version }: NonNullable<ReceivedAgent['platform']>): BrandVersion =>
  version ? { brand, version } : { brand };

function structuredOf({ browsers, platform, mobile, model }: ReceivedAgent): StructuredUserAgent {
  return {
    ...(browsers && { browsers: browsers.map(brandOf) }),
    ...(platform && { platform: brandOf(platform) }),
    ...(typeof mobile === 'number' && { mobile }),
    ...(model && { model }),
  };
}

function declaredDevice(device: ReceivedDevice): DeclaredDevice {
  const { os, osv, devicetype, make, model, language, langb, ifa, sua } = device;
  return {
    os: textOr(os),
    osVersion: textOr(osv),
    type: numberOrZero(devicetype),
    make: textOr(make),
    model: textOr(model),
    language: textOr(language, textOr(langb)),
    ifa: textOr(ifa),
    structured: sua ? structuredOf(sua) : undefined,
  };
}

/** Coordinates; undefined if they are out of range, as in many examples and tests. */
function placeOf(lat: number | null | undefined, lon: number | null | undefined) {
  const isPlace = Math.abs(lat ?? 0) <= 90 && Math.abs(lon ?? 0) <= 180;
  return {
    latitude: isPlace ? orUndefined(lat) : undefined,
    longitude: isPlace ? orUndefined(lon) : undefined,
  };
}

const undeclared: ReceivedDevice = {};

function addressOf({ ip, ipv6 }: ReceivedDevice, caller: Caller): IpAddress | undefined {
  return (
    parseForwardedAddress(textOr(ip)) ?? parseForwardedAddress(textOr(ipv6)) ?? parseIpAddress(caller.ip)
  );
}

/**
 * The device and its user. `caller` is the browser that asks for itself; undefined if a server asks for its visitor.
 */
export function audienceOf(
  { device, user }: ReceivedRequest,
  caller: Caller | undefined,
  context: DoorContext,
): Audience {
  const received = device ?? undeclared;
  const userAgent = textOr(received.ua, caller?.userAgent);
  const ip = addressOf(received, caller ?? unknownCaller);
  const { country, region, lat, lon } = received.geo ?? {};
  return {
    device: deviceOf(context.readUserAgent(userAgent), declaredDevice(received)),
    userAgent,
    ip,
    country: countryCode(textOr(country)) || (ip ? context.countryOf(ip) : ''),
    region: textOr(region),
    ...placeOf(lat, lon),
    userId: textOr(user?.id),
  };
}

/** Privacy signals, from the place where the request's version of OpenRTB has them (or `ext`). */
export function privacyOf({ regs, user, device }: ReceivedRequest): Privacy {
  const { coppa, gdpr, us_privacy, gpp, gpp_sid, ext } = regs ?? {};
  return {
    coppa: orUndefined(coppa),
    gdpr: orUndefined(gdpr ?? ext?.gdpr),
    usPrivacy: textOr(us_privacy, textOr(ext?.us_privacy)),
    gpp: textOr(gpp, textOr(ext?.gpp)),
    gppSections: listOrNone(gpp_sid ?? ext?.gpp_sid),
    consent: textOr(user?.consent, textOr(user?.ext?.consent)),
    doNotTrack: orUndefined(device?.dnt),
    limitAdTracking: orUndefined(device?.lmt),
  };
}
