import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partnerOf } from '../../src/exchange/snapshot/partner.ts';
import { noMatches } from '../../src/exchange/viewer-matches.ts';
import { macroOf } from '../../src/protocols/openrtb/macros.ts';
import { cookieWith } from './match-cookie.ts';

const page = 'https://news.example/today?reader=mark-page';
const address = '203.0.113.77';
const address6 = '2001:db8:77:88:99aa:bbcc:ddee:ff01';
export const nothingAllowed = 'CQuPXIAQuPXIAEsABBENAwFgAAAAAAAAAAYgAAAAAAAA.IaAQAQAaAAAA.YAAAAAAAAAAA';
const optedOut = 'DBABLA~CAARAAAAAABA.YA';
const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Mark-Agent/77.4711';

/** What nobody may find; what is short, with what is before it. */
export const marks: readonly (string | RegExp)[] = [
  address, '203.0.113.77'.split('.').map((part) => Number(part).toString(16).padStart(2, '0')).join(''), '3405803853',
  address6, '2001:db8:77:88', '2001:0db8:0077:0088',
  'mark-ifa', 'mark-didsha1', 'mark-didmd5', 'mark-dpidsha1', 'mark-dpidmd5', 'mark-macsha1', 'mark-macmd5',
  'mark-user', 'mark-buyer', 'mark-match', 'mark-custom', 'mark-keyword', 'mark-kwarray', 'mark-eid', 'mark-data', 'mark-segment', 'mark-zip',
  'Mark-Agent', 'mark-page', 'mark-search', 'mark-cookie', '52.5243778', '13.4105399',
  'mark-gender', /\byob\W{1,5}1987/, /\b1YYN\b/, nothingAllowed.slice(0, 40), optedOut.slice(7),
]; // biome-ignore format: a table

/** Of all demand in the room, whose advertiser is the first. */
export const userSync = { SyncType: 1, SyncUrl: 'https://sync.example/?to={redirect_url}$UID' } as const;
const partner = partnerOf(userSync as Parameters<typeof partnerOf>[0], { id: 1 });
const matches = cookieWith(noMatches.with(partner, 'mark-match', Date.now()));

export const visitorHeaders = {
  'x-forwarded-for': address,
  'user-agent': browser,
  referer: page,
  cookie: `id=mark-cookie; ${matches}`,
  'accept-language': 'de',
};

const place = {
  lat: 52.5243778,
  lon: 13.4105399,
  accuracy: 77,
  zip: 'mark-zip',
  country: 'DEU',
  city: 'Berlin',
};
const data = [{ id: 'mark-data', segment: [{ id: 'mark-segment', value: 'mark-segment' }] }];

/** Of a bid request. */
export const viewer = {
  device: {
    ua: browser, ip: address, ipv6: address6, geo: place, ifa: 'mark-ifa', language: 'de',
    didsha1: 'mark-didsha1', didmd5: 'mark-didmd5', dpidsha1: 'mark-dpidsha1', dpidmd5: 'mark-dpidmd5', macsha1: 'mark-macsha1', macmd5: 'mark-macmd5',
  },
  user: {
    id: 'mark-user', buyeruid: 'mark-buyer', yob: 1987, gender: 'mark-gender', keywords: 'mark-keyword', kwarray: ['mark-kwarray'], customdata: 'mark-custom',
    geo: place, data, eids: [{ source: 'id.example', uids: [{ id: 'mark-eid', atype: 1 }] }],
  },
  site: { domain: 'news.example', page, ref: page, search: 'mark-search' },
} as const; // biome-ignore format: a table

export interface Consent {
  readonly name: string;
  readonly regs: object;
  readonly consent: string;
  readonly query: string;
}

/** Opt-outs are answered with less; without a basis nobody is asked; else everybody is told everything. */
export const consents: readonly Consent[] = [
  { name: 'nothing is said', regs: {}, consent: '', query: '' },
  { name: 'nothing is allowed', regs: { gdpr: 1 }, consent: nothingAllowed, query: `&gdpr=1&gdpr_consent=${nothingAllowed}` },
  { name: 'GDPR does not apply', regs: { gdpr: 0 }, consent: nothingAllowed, query: `&gdpr=0&gdpr_consent=${nothingAllowed}` },
  { name: 'an opt-out', regs: { us_privacy: '1YYN', gpp: optedOut, gpp_sid: [7] }, consent: '', query: `&us_privacy=1YYN&gpp=${optedOut}&gpp_sid=7` },
  { name: 'an opt-out that cannot be read', regs: { us_privacy: '1YYN?' }, consent: nothingAllowed, query: '&us_privacy=1YYN%3F' },
]; // biome-ignore format: a table

/** In the forms that a partner may write them. */
const found = (text: string): readonly string[] =>
  marks.filter((mark) => (typeof mark === 'string' ? text.includes(mark) : mark.test(text))).map(String);

export function marksIn(text: string): readonly string[] {
  let plain = text;
  try {
    plain = decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    // What is no UTF-8 is looked at as it is.
  }
  return [...new Set([...found(text), ...found(plain)])];
}

/** All files of a folder as Latin-1, so that each byte stays. */
export function filesIn(folder: string): readonly (readonly [name: string, text: string])[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')] as const);
}

/** What partners fill in their notices of privacy strings. */
export const consentMacros = `c=${macroOf('PRICE')}&tcf=\${GDPR_CONSENT_755}&gpp=\${GPP_STRING_755}`;
