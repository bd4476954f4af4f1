import type { ReceivedRequest } from '../../../protocols/openrtb/received-request.ts';
import type { IpAddress, Opportunity, Privacy } from '../../opportunity.ts';
import { countryCode } from '../../reading/country-code.ts';
import {
  type BrandVersion,
  deviceOf,
  type StructuredUserAgent,
  type ToldDevice,
} from '../../reading/device.ts';
import { parseIpAddress, toldIpAddress } from '../../reading/ip-address.ts';
import type { Caller } from '../../trackers/match.ts';
import type { DoorContext } from '../door.ts';
import { ifTold, listOrNone, numberOrZero, textOr } from './told.ts';

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

function toldDevice(device: ReceivedDevice): ToldDevice {
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
  return { latitude: isPlace ? ifTold(lat) : undefined, longitude: isPlace ? ifTold(lon) : undefined };
}

const nothing: ReceivedDevice = {};
const nobody: Caller = { ip: '', userAgent: '', referer: '' };

function addressOf({ ip, ipv6 }: ReceivedDevice, caller: Caller): IpAddress | undefined {
  return toldIpAddress(textOr(ip)) ?? toldIpAddress(textOr(ipv6)) ?? parseIpAddress(caller.ip);
}

/**
 * The device and its user. `caller` is the browser that asks for itself; undefined if a server asks for its visitor.
 */
export function audienceOf(
  { device, user }: ReceivedRequest,
  caller: Caller | undefined,
  context: DoorContext,
): Audience {
  const told = device ?? nothing;
  const userAgent = textOr(told.ua, caller?.userAgent);
  const ip = addressOf(told, caller ?? nobody);
  const { country, region, lat, lon } = told.geo ?? {};
  return {
    device: deviceOf(context.readUserAgent(userAgent), toldDevice(told)),
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
    coppa: ifTold(coppa),
    gdpr: ifTold(gdpr ?? ext?.gdpr),
    usPrivacy: textOr(us_privacy, textOr(ext?.us_privacy)),
    gpp: textOr(gpp, textOr(ext?.gpp)),
    gppSections: listOrNone(gpp_sid ?? ext?.gpp_sid),
    consent: textOr(user?.consent, textOr(user?.ext?.consent)),
    doNotTrack: ifTold(device?.dnt),
    limitAdTracking: ifTold(device?.lmt),
  };
}
