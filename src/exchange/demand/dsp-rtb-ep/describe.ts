import { nativeRequest } from '../../../protocols/openrtb/native-request.ts';
import type { Device, Geo } from '../../../protocols/openrtb/objects/audience.ts';
import type { Banner, Imp } from '../../../protocols/openrtb/objects/imp.ts';
import type { App, Site } from '../../../protocols/openrtb/objects/inventory.ts';
import { countryAlpha3 } from '../../../reference/countries.ts';
import { isVideoMime } from '../../is-video-mime.ts';
import { inMedium, mediaIn } from '../../media-variants.ts';
import type { Media, Opportunity, OriginalImpression, Privacy, Size, Software } from '../../opportunity.ts';
import { ownHost } from '../../own-host.ts';
import type { Supply } from '../../snapshot/supply.ts';
import type { Solicitation } from '../demand-kind.ts';
import { supplyPart } from './supply-part.ts';

/* Opportunities that came without a bid request as OpenRTB: by player or page, browser, and the object's fields. */

/** Leaves out what is unknown: undefined, `""`, 0 and empty lists. */
function known<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept: { [K in keyof T]?: NonNullable<T[K]> } = {};
  for (const name in members) {
    const value = members[name];
    if (value && !(Array.isArray(value) && value.length === 0)) kept[name] = value;
  }
  return kept;
}

const isEmpty = (members: object) => Object.keys(members).length === 0;

/** Phone (4) and tablet (5) are more exact than mobile (1). */
const typeOf = (types: readonly number[]) => (types.length === 0 ? undefined : Math.max(...types));

const versionOf = ({ major, minor }: Software) => (minor === '' ? major : `${major}.${minor}`);

/** `language` (ISO 639-1: `en` of `en-GB`), else `langb` (BCP 47). Only one may be sent. */
function languageOf(tag: string): Pick<Device, 'language' | 'langb'> {
  const code = /^([a-z]{2})(?:[-_]|$)/i.exec(tag)?.[1];
  return code === undefined ? { langb: tag } : { language: code.toLowerCase() };
}

function geoOf({ country, region, latitude, longitude }: Opportunity): Geo | undefined {
  const place = known({ country: countryAlpha3(country), region });
  const isMeasured = latitude !== undefined && longitude !== undefined;
  const geo = isMeasured ? { ...place, lat: latitude, lon: longitude } : place;
  return isEmpty(geo) ? undefined : geo;
}

function deviceOf(opportunity: Opportunity): Device {
  const { device, ip, userAgent, privacy } = opportunity;
  const lmt = privacy?.limitAdTracking;
  return {
    ...known({
      ua: userAgent,
      ip: ip?.version === 4 ? ip.text : '',
      ipv6: ip?.version === 6 ? ip.text : '',
      geo: geoOf(opportunity),
      devicetype: device.declaredType || typeOf(device.types),
      make: device.make,
      model: device.model,
      os: device.os.family,
      osv: device.declaredOsVersion || versionOf(device.os),
      ...languageOf(device.language),
      ifa: device.ifa,
    }),
    ...(lmt !== undefined && { lmt }),
  };
}

function siteOf({ opportunity, supply, baseUrl }: Solicitation): Site {
  const { domain, pageUrl, categories, keywords } = opportunity.inventory;
  const isHidden = supply.settings.SendOriginalSite === 0;
  return known({
    domain: isHidden ? ownHost(baseUrl) : domain,
    page: isHidden ? '' : pageUrl,
    search: opportunity.query,
    cat: categories,
    keywords,
  });
}

function appOf({ opportunity }: Solicitation): App {
  const { appName, appBundle, appStoreUrl, domain, categories, keywords } = opportunity.inventory;
  return known({
    name: appName,
    bundle: appBundle,
    storeurl: appStoreUrl,
    domain,
    cat: categories,
    keywords,
  });
}

/** An app if known to be one, else a site. */
function inventoryOf(solicitation: Solicitation): Pick<OriginalImpression['request'], 'site' | 'app'> {
  const { inventory, content } = solicitation.opportunity;
  const { environment, appBundle } = inventory;
  const isApp = environment === 'app' || (environment === '' && appBundle !== '');
  const shown = content && !isEmpty(content) ? { content } : {};
  return isApp
    ? { app: { ...appOf(solicitation), ...shown } }
    : { site: { ...siteOf(solicitation), ...shown } };
}

const isWhole = ({ width, height }: Size) => width > 0 && height > 0;

function bannerOf({ width, height, position }: Opportunity, supply: Supply): Banner {
  const mimes = supplyPart(supply).mimes.filter((mime) => !isVideoMime(mime));
  const formats = [{ width, height }].filter(isWhole).map((size) => ({ w: size.width, h: size.height }));
  return known({ w: width, h: height, format: formats, pos: position, mimes });
}

/** No tag is for audio. Without protocols in the request, `Version` says which ones a tag plays. */
const impressions: Readonly<Record<Media, (opportunity: Opportunity, supply: Supply) => Partial<Imp>>> = {
  video: ({ video }, supply) => ({ video: { protocols: supplyPart(supply).protocols, ...video } }),
  audio: () => ({ audio: {} }),
  banner: (opportunity, supply) => ({ banner: bannerOf(opportunity, supply) }),
  native: () => ({ native: { request: nativeRequest, ver: '1.2' } }),
  pop: () => ({}),
};

function impressionOf(opportunity: Opportunity, supply: Supply): Partial<Imp> {
  const parts = mediaIn(opportunity).map((media) => impressions[media](inMedium(opportunity, media), supply));
  return Object.assign({}, ...parts);
}

function regsOf(privacy: Privacy | undefined): Pick<OriginalImpression['request'], 'regs'> {
  if (!privacy) return {};
  const { coppa, gdpr, usPrivacy, gpp, gppSid, hasGpc } = privacy;
  const regs = {
    ...(coppa !== undefined && { coppa }),
    ...(gdpr !== undefined && { gdpr }),
    ...known({ us_privacy: usPrivacy, gpp, gpp_sid: gppSid }),
    ...(hasGpc && { ext: { gpc: '1' as const } }),
  };
  return isEmpty(regs) ? {} : { regs };
}

export function describe(solicitation: Solicitation): OriginalImpression {
  const { opportunity, supply } = solicitation;
  const user = known({ id: opportunity.userId, consent: opportunity.privacy?.consent });
  return {
    request: {
      ...inventoryOf(solicitation),
      device: deviceOf(opportunity),
      ...(!isEmpty(user) && { user }),
      source: { fd: 0 },
      ...regsOf(opportunity.privacy),
    },
    imp: { ...impressionOf(opportunity, supply), secure: opportunity.isSecure ? 1 : 0 },
  };
}
