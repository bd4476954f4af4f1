import { anyObject, bit, integer, listOf, number, text } from '../member-types.ts';
import { objectOf, type ReadObject, type SentObject } from '../object-of.ts';
import { code, manyWords, objectsMax, whole, words } from './bounds.ts';

/* Who would see the ad. Each row has a member's type and its uses (`MemberUse`). */

const brandVersion = objectOf('BrandVersion', '3.2.30', {
  brand: [text, 'read', 'passed'], version: [manyWords, 'read', 'passed'],
}, ['brand']); // biome-ignore format: a table

const userAgent = objectOf('UserAgent', '3.2.29', {
  browsers: [listOf(brandVersion, objectsMax), 'read', 'passed'],
  platform: [brandVersion, 'read', 'passed'],
  mobile: [bit, 'read', 'passed'],
  architecture: [text, 'passed'], bitness: [text, 'passed'],
  model: [text, 'read', 'passed'],
  source: [whole, 'passed'],
}); // biome-ignore format: a table

/** The postal code is personal: in some countries it means a few houses. */
export const geo = objectOf('Geo', '3.2.19', {
  lat: [number(-90, 90), 'passed'], lon: [number(-180, 180), 'passed'],
  type: [whole, 'passed'], accuracy: [whole, 'passed', 'personal'], lastfix: [whole, 'passed'], ipservice: [whole, 'passed'],
  country: [text, 'read', 'passed'], region: [text, 'read', 'passed'],
  regionfips104: [text, 'passed'], metro: [text, 'passed'], city: [text, 'passed'], zip: [text, 'passed', 'personal'],
  utcoffset: [integer(-1440, 1440), 'passed'],
}); // biome-ignore format: a table

export const device = objectOf('Device', '3.2.18', {
  ua: [text, 'read', 'passed'],
  ip: [text, 'read', 'passed'], ipv6: [text, 'read', 'passed'],
  geo: [geo, 'read', 'passed'],
  dnt: [bit, 'read', 'passed'], lmt: [bit, 'read', 'passed'],
  devicetype: [code, 'read', 'passed'],
  make: [text, 'read', 'passed'], model: [text, 'read', 'passed'],
  os: [text, 'read', 'passed'], osv: [text, 'read', 'passed'],
  language: [text, 'read', 'passed'], langb: [text, 'read', 'passed'],
  ifa: [text, 'read', 'passed', 'personal'],
  sua: [userAgent, 'read', 'passed'],
  hwv: [text, 'passed'], h: [whole, 'passed'], w: [whole, 'passed'], ppi: [whole, 'passed'], pxratio: [number(0, 100), 'passed'],
  js: [bit, 'passed'], geofetch: [bit, 'passed'], flashver: [text, 'passed'],
  carrier: [text, 'passed'], mccmnc: [text, 'passed'], connectiontype: [whole, 'passed'],
  didsha1: [text, 'passed', 'personal'], didmd5: [text, 'passed', 'personal'],
  dpidsha1: [text, 'passed', 'personal'], dpidmd5: [text, 'passed', 'personal'],
  macsha1: [text, 'passed', 'personal'], macmd5: [text, 'passed', 'personal'],
}); // biome-ignore format: a table

const segment = objectOf('Segment', '3.2.22', {
  id: [text, 'passed'], name: [text, 'passed'], value: [text, 'passed'],
}); // biome-ignore format: a table

export const data = objectOf('Data', '3.2.21', {
  id: [text, 'passed'], name: [text, 'passed'], cids: [words, 'passed'],
  segment: [listOf(segment, objectsMax), 'passed'],
}); // biome-ignore format: a table

/** The one extension passed on: the kind of ID (OpenRTB 2.6 section 3.2.28 leaves it to `ext`). */
const uid = objectOf('UID', '3.2.28', {
  id: [text, 'passed'], atype: [whole, 'passed'], ext: [anyObject, 'passed'],
}); // biome-ignore format: a table

const eid = objectOf('EID', '3.2.27', {
  inserter: [text, 'passed'], source: [text, 'passed'], matcher: [text, 'passed'], mm: [whole, 'passed'],
  uids: [listOf(uid, objectsMax), 'passed'],
}); // biome-ignore format: a table

/** `buyeruid` is not passed on: each bidder has its own ID for the user. */
export const user = objectOf('User', '3.2.20', {
  id: [text, 'read', 'passed', 'personal'], buyeruid: [text],
  yob: [whole, 'passed', 'personal'], gender: [text, 'passed', 'personal'],
  keywords: [text, 'passed', 'personal'], kwarray: [words, 'passed', 'personal'], customdata: [text, 'passed', 'personal'],
  geo: [geo, 'passed'],
  data: [listOf(data, objectsMax), 'passed', 'personal'],
  consent: [text, 'read', 'passed', 'older'],
  eids: [listOf(eid, objectsMax), 'passed', 'older', 'personal'],
  ext: [anyObject, 'sent'],
}); // biome-ignore format: a table

export type Device = ReadObject<typeof device>;
export type Geo = ReadObject<typeof geo>;
export type SentUser = SentObject<typeof user>;
