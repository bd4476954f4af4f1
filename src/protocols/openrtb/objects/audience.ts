import { anyObject, bit, integer, listOf, number, text } from '../member-types.ts';
import { type ReadObject, type SentObject, viewerObjectOf } from '../object-of.ts';
import { code, manyWords, objectsMax, whole, words } from './bounds.ts';

/* Who would see the ad. Each row has a member's type, what it tells of the viewer, and its uses. */

const brandVersion = viewerObjectOf('BrandVersion', '3.2.30', {
  brand: [text, 'open', 'read', 'passed'], version: [manyWords, 'open', 'read', 'passed'],
}, ['brand']); // biome-ignore format: a table

const userAgent = viewerObjectOf('UserAgent', '3.2.29', {
  browsers: [listOf(brandVersion, objectsMax), 'open', 'read', 'passed'],
  platform: [brandVersion, 'open', 'read', 'passed'],
  mobile: [bit, 'open', 'read', 'passed'],
  architecture: [text, 'open', 'passed'], bitness: [text, 'open', 'passed'],
  model: [text, 'open', 'read', 'passed'],
  source: [whole, 'open', 'passed'],
}); // biome-ignore format: a table

/** In some countries a postal code means a few houses. */
export const geo = viewerObjectOf('Geo', '3.2.19', {
  lat: [number(-90, 90), 'place', 'passed'], lon: [number(-180, 180), 'place', 'passed'],
  type: [whole, 'open', 'passed'], accuracy: [whole, 'place', 'passed'], lastfix: [whole, 'place', 'passed'], ipservice: [whole, 'open', 'passed'],
  country: [text, 'open', 'read', 'passed'], region: [text, 'open', 'read', 'passed'],
  regionfips104: [text, 'open', 'passed'], metro: [text, 'open', 'passed'], city: [text, 'open', 'passed'], zip: [text, 'place', 'passed'],
  utcoffset: [integer(-1440, 1440), 'open', 'passed'],
}); // biome-ignore format: a table

export const device = viewerObjectOf('Device', '3.2.18', {
  ua: [text, 'open', 'read', 'passed'],
  ip: [text, 'address', 'read', 'passed'], ipv6: [text, 'address', 'read', 'passed'],
  geo: [geo, 'open', 'read', 'passed'],
  dnt: [bit, 'open', 'read', 'passed'], lmt: [bit, 'open', 'read', 'passed'],
  devicetype: [code, 'open', 'read', 'passed'],
  make: [text, 'open', 'read', 'passed'], model: [text, 'open', 'read', 'passed'],
  os: [text, 'open', 'read', 'passed'], osv: [text, 'open', 'read', 'passed'],
  language: [text, 'open', 'read', 'passed'], langb: [text, 'open', 'read', 'passed'],
  ifa: [text, 'userIds', 'read', 'passed'],
  sua: [userAgent, 'open', 'read', 'passed'],
  hwv: [text, 'open', 'passed'], h: [whole, 'open', 'passed'], w: [whole, 'open', 'passed'], ppi: [whole, 'open', 'passed'], pxratio: [number(0, 100), 'open', 'passed'],
  js: [bit, 'open', 'passed'], geofetch: [bit, 'open', 'passed'], flashver: [text, 'open', 'passed'],
  carrier: [text, 'open', 'passed'], mccmnc: [text, 'open', 'passed'], connectiontype: [whole, 'open', 'passed'],
  didsha1: [text, 'userIds', 'passed'], didmd5: [text, 'userIds', 'passed'],
  dpidsha1: [text, 'userIds', 'passed'], dpidmd5: [text, 'userIds', 'passed'],
  macsha1: [text, 'userIds', 'passed'], macmd5: [text, 'userIds', 'passed'],
}); // biome-ignore format: a table

const segment = viewerObjectOf('Segment', '3.2.22', {
  id: [text, 'open', 'passed'], name: [text, 'open', 'passed'], value: [text, 'open', 'passed'],
}); // biome-ignore format: a table

export const data = viewerObjectOf('Data', '3.2.21', {
  id: [text, 'open', 'passed'], name: [text, 'open', 'passed'], cids: [words, 'open', 'passed'],
  segment: [listOf(segment, objectsMax), 'open', 'passed'],
}); // biome-ignore format: a table

/** The one extension passed on: the kind of ID (OpenRTB 2.6 section 3.2.28 leaves it to `ext`). */
const uid = viewerObjectOf('UID', '3.2.28', {
  id: [text, 'open', 'passed'], atype: [whole, 'open', 'passed'], ext: [anyObject, 'open', 'passed'],
}); // biome-ignore format: a table

const eid = viewerObjectOf('EID', '3.2.27', {
  inserter: [text, 'open', 'passed'], source: [text, 'open', 'passed'], matcher: [text, 'open', 'passed'], mm: [whole, 'open', 'passed'],
  uids: [listOf(uid, objectsMax), 'open', 'passed'],
}); // biome-ignore format: a table

/** `buyeruid` goes on to the bidder whose ID it is, alone: each has its own for the user. */
export const user = viewerObjectOf('User', '3.2.20', {
  id: [text, 'userIds', 'read', 'passed'], buyeruid: [text, 'userIds', 'passed', 'sent'],
  yob: [whole, 'userData', 'passed'], gender: [text, 'userData', 'passed'],
  keywords: [text, 'userData', 'passed'], kwarray: [words, 'userData', 'passed'], customdata: [text, 'userIds', 'userData', 'passed'],
  geo: [geo, 'open', 'passed'],
  data: [listOf(data, objectsMax), 'userData', 'passed'],
  consent: [text, 'open', 'read', 'passed', 'older'],
  eids: [listOf(eid, objectsMax), 'userIds', 'passed', 'older'],
  ext: [anyObject, 'open', 'sent'],
}); // biome-ignore format: a table

export type Device = ReadObject<typeof device>;
export type Geo = ReadObject<typeof geo>;
export type SentUser = SentObject<typeof user>;
