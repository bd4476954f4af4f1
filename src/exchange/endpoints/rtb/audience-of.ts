import type { Device } from '../../../protocols/openrtb/objects/audience.ts';
import type { BidRequest } from '../../../protocols/openrtb/objects/request.ts';
import type { IpAddress, Opportunity } from '../../opportunity.ts';
import { type Caller, unknownCaller } from '../../reading/caller.ts';
import { countryCode } from '../../reading/country-code.ts';
import { type DeclaredDevice, deviceOf } from '../../reading/device.ts';
import { invalidAgentOf } from '../../reading/invalid-agent.ts';
import { parseForwardedAddress, parseIpAddress } from '../../reading/ip-address.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';

/** AdCOM Device Types: a screen outside the home. */
const oohDevice = 8;

type Audience = Pick<
  Opportunity,
  | 'device'
  | 'userAgent'
  | 'invalid'
  | 'ip'
  | 'country'
  | 'region'
  | 'utcOffsetMinutes'
  | 'latitude'
  | 'longitude'
  | 'userId'
>;

function declaredDevice({ device = {}, dooh }: BidRequest): DeclaredDevice {
  const {
    os = '',
    osv = '',
    devicetype,
    make = '',
    model = '',
    language,
    langb = '',
    ifa = '',
    sua,
  } = device;
  const type = devicetype ?? (dooh ? oohDevice : 0);
  return { os, osVersion: osv, type, make, model, language: language || langb, ifa, structured: sua };
}

function addressOf({ ip = '', ipv6 = '' }: Device, caller: Caller): IpAddress | undefined {
  return parseForwardedAddress(ip) ?? parseForwardedAddress(ipv6) ?? parseIpAddress(caller.ip);
}

/** `caller` is the browser that asks for itself; undefined if a server asks. */
export function audienceOf(
  request: BidRequest,
  caller: Caller | undefined,
  context: DeliveryContext,
): Audience {
  const { device = {}, user } = request;
  const userAgent = device.ua || caller?.userAgent || '';
  const ip = addressOf(device, caller ?? unknownCaller);
  const agent = context.readUserAgent(userAgent);
  const { country = '', region = '', utcoffset, lat, lon } = device.geo ?? {};
  return {
    device: deviceOf(agent, declaredDevice(request)),
    userAgent,
    invalid: invalidAgentOf(caller ?? unknownCaller, userAgent, agent),
    ip,
    country: countryCode(country) || (ip ? context.countryOf(ip) : ''),
    region,
    utcOffsetMinutes: utcoffset,
    latitude: lat,
    longitude: lon,
    userId: user?.id ?? '',
  };
}
