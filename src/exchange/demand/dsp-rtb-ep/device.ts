import type { Device, Geo } from '../../../protocols/openrtb/bid-request.ts';
import { countryAlpha3 } from '../../../reference/countries.ts';
import type { Opportunity, Software } from '../../opportunity.ts';
import { objectIfAny, textIfKnown, withPassed } from './if-known.ts';

/** The most exact of several types: phone (4) and tablet (5) go before mobile (1). */
const typeOf = (types: readonly number[]) => (types.length === 0 ? undefined : Math.max(...types));

const versionOf = ({ major, minor }: Software) => (minor === '' ? major : `${major}.${minor}`);

/** `language`: the tag's ISO 639-1 code (`en` of `en-GB`), else `langb`: the tag (BCP 47). Only one may be sent. */
function languageOf(tag: string): Pick<Device, 'language' | 'langb'> {
  const code = /^([a-z]{2})(?:[-_]|$)/i.exec(tag)?.[1];
  return { language: code?.toLowerCase(), langb: code === undefined ? textIfKnown(tag) : undefined };
}

function geoOf({ country, region, latitude, longitude, passed }: Opportunity): Geo | undefined {
  const geo = objectIfAny({
    country: countryAlpha3(country),
    region: textIfKnown(region),
    lat: latitude,
    lon: longitude,
  });
  return withPassed(geo, passed?.geo);
}

/** The device that would show the ad (OpenRTB 2.6 section 3.2.18). */
export function deviceOf(opportunity: Opportunity): Device {
  const { device, ip, userAgent, privacy } = opportunity;
  const { language, langb } = languageOf(device.language);
  return {
    ua: textIfKnown(userAgent),
    ip: ip?.version === 4 ? ip.text : undefined,
    ipv6: ip?.version === 6 ? ip.text : undefined,
    geo: geoOf(opportunity),
    dnt: privacy?.doNotTrack,
    lmt: privacy?.limitAdTracking,
    devicetype: typeOf(device.types),
    make: textIfKnown(device.make),
    model: textIfKnown(device.model),
    os: textIfKnown(device.os.family),
    osv: textIfKnown(versionOf(device.os)),
    language,
    langb,
    ifa: textIfKnown(device.ifa),
  };
}
