import {
  anyObject,
  bit,
  filledWord,
  integer,
  listOf,
  number,
  positive,
  text,
  word,
} from '../member-types.ts';
import { objectOf, type ReadObject, type SentObject } from '../object-of.ts';
import { code, codes, manyCodes, manyWords, objectsMax, whole, words } from './bounds.ts';

/* One chance to show an ad, in one or more media. */

const pixels = integer(0, 99_999);
const seconds = integer(0, 86_400);
/** USD CPM: the highest amount that the management API takes. */
const floor = number(0, 1_000_000);
/** Impressions that one showing of an ad may count for. */
export const multiplierMax = 10_000;

const format = objectOf('Format', '3.2.10', {
  w: [pixels, 'read', 'passed'], h: [pixels, 'read', 'passed'],
  wratio: [whole, 'passed'], hratio: [whole, 'passed'], wmin: [whole, 'passed'],
}); // biome-ignore format: a table

const banner = objectOf('Banner', '3.2.6', {
  format: [listOf(format, 200), 'read', 'passed'],
  w: [pixels, 'read', 'passed'], h: [pixels, 'read', 'passed'],
  btype: [codes, 'passed'], battr: [manyCodes, 'read', 'sent'], pos: [code, 'passed'],
  mimes: [words, 'passed'], topframe: [bit, 'passed'], expdir: [codes, 'passed'], api: [codes, 'passed'],
  id: [text, 'passed'], vcm: [bit, 'passed'],
}); // biome-ignore format: a table

const durFloors = objectOf('DurFloors', '3.2.35', {
  mindur: [seconds, 'read', 'passed'], maxdur: [seconds, 'read', 'passed'], bidfloor: [floor, 'read', 'passed'],
}); // biome-ignore format: a table

/** Shared by video and audio. `-1` in members of ad breaks (pods) means the last place of a break. */
const stream = {
  mimes: [manyWords, 'read', 'passed', 'sent'],
  minduration: [seconds, 'read', 'passed'], maxduration: [seconds, 'read', 'passed'],
  startdelay: [integer(-2, 86_400), 'passed'], protocols: [manyCodes, 'read', 'passed'],
  maxseq: [whole, 'passed'], poddur: [whole, 'passed'], podid: [text, 'passed'], podseq: [integer(-1, 1), 'passed'],
  rqddurs: [codes, 'passed'], sequence: [whole, 'passed'], slotinpod: [integer(-1, 2), 'passed'],
  mincpmpersec: [floor, 'read', 'passed', 'sent'], durfloors: [listOf(durFloors, objectsMax), 'read', 'passed', 'sent'],
  battr: [manyCodes, 'read', 'sent'], maxextended: [integer(-1, 86_400), 'passed'],
  minbitrate: [whole, 'passed'], maxbitrate: [whole, 'passed'], delivery: [codes, 'passed'], api: [codes, 'passed'],
  companionad: [listOf(banner, objectsMax), 'passed'], companiontype: [codes, 'passed'],
} as const; // biome-ignore format: a table

const video = objectOf('Video', '3.2.7', {
  ...stream,
  w: [pixels, 'read', 'passed'], h: [pixels, 'read', 'passed'],
  placement: [code, 'passed'], plcmt: [code, 'passed'], linearity: [code, 'passed'],
  skip: [bit, 'passed'], skipmin: [whole, 'passed'], skipafter: [whole, 'passed'],
  boxingallowed: [bit, 'passed'], playbackmethod: [codes, 'passed'], playbackend: [whole, 'passed'],
  pos: [code, 'passed'], poddedupe: [codes, 'passed'],
}); // biome-ignore format: a table

const audio = objectOf('Audio', '3.2.8', {
  ...stream, feed: [whole, 'passed'], stitched: [bit, 'passed'], nvol: [whole, 'passed'],
}); // biome-ignore format: a table

/** `request` is a JSON text of the Dynamic Native Ads API, in version `ver`. */
const native = objectOf('Native', '3.2.9', {
  request: [filledWord, 'read', 'passed'], ver: [text, 'passed'], api: [codes, 'passed'], battr: [manyCodes, 'read', 'sent'],
}, ['request']); // biome-ignore format: a table

const deal = objectOf('Deal', '3.2.12', {
  id: [text, 'read', 'sent'], bidfloor: [floor, 'read', 'sent'], bidfloorcur: [text, 'read', 'sent'], at: [code, 'sent'],
  wseat: [words, 'read', 'sent'], wadomain: [words, 'read', 'sent'], guar: [bit, 'sent'],
  mincpmpersec: [floor], durfloors: [listOf(durFloors, objectsMax)],
}); // biome-ignore format: a table

const pmp = objectOf('Pmp', '3.2.11', {
  private_auction: [bit, 'read', 'sent'], deals: [listOf(deal, objectsMax), 'read', 'sent'],
}); // biome-ignore format: a table

const metric = objectOf('Metric', '3.2.5', {
  type: [text, 'passed'], value: [number(0, 1_000_000), 'passed'], vendor: [text, 'passed'],
}, ['type', 'value']); // biome-ignore format: a table

const qty = objectOf('Qty', '3.2.31', {
  multiplier: [positive(multiplierMax), 'read', 'passed'], sourcetype: [whole, 'passed'], vendor: [text, 'passed'],
}, ['multiplier']); // biome-ignore format: a table

const refSettings = objectOf('RefSettings', '3.2.34', {
  reftype: [whole, 'passed'], minint: [whole, 'passed'],
}); // biome-ignore format: a table

const refresh = objectOf('Refresh', '3.2.33', {
  refsettings: [listOf(refSettings, objectsMax), 'passed'], count: [whole, 'passed'],
}); // biome-ignore format: a table

/** Passed on. `type` and `pop` tell a pop, which the standard does not know (reference, B3). */
const impExtension = objectOf('Imp.ext', '3.2.4', {
  gpid: [text, 'passed'], skadn: [anyObject, 'passed'],
  type: [text, 'passed', 'sent'], pop: [integer(1, 1), 'passed', 'sent'],
}); // biome-ignore format: a table

export const imp = objectOf('Imp', '3.2.4', {
  id: [word, 'read', 'sent'],
  banner: [banner, 'read', 'sent'], video: [video, 'read', 'sent'],
  audio: [audio, 'read', 'sent'], native: [native, 'read', 'sent'],
  metric: [listOf(metric, objectsMax), 'passed'], pmp: [pmp, 'read', 'sent'],
  displaymanager: [text, 'passed', 'sent'], displaymanagerver: [text, 'passed'],
  instl: [bit, 'read', 'passed', 'sent'], tagid: [text, 'passed', 'sent'],
  bidfloor: [floor, 'read', 'sent'], bidfloorcur: [text, 'read', 'sent'],
  clickbrowser: [bit, 'passed'], secure: [bit, 'read', 'passed', 'sent'], iframebuster: [words, 'passed'],
  rwdd: [bit, 'passed'], ssai: [whole, 'passed'], exp: [integer(1, 2_147_483_647), 'passed', 'sent'],
  qty: [qty, 'read', 'passed'], dt: [number(0, Number.MAX_SAFE_INTEGER), 'passed'], refresh: [refresh, 'passed'],
  ext: [impExtension, 'passed', 'sent'],
}, ['id']); // biome-ignore format: a table

export type Imp = ReadObject<typeof imp>;
export type SentImp = SentObject<typeof imp>;
export type Banner = ReadObject<typeof banner>;
export type Video = ReadObject<typeof video>;
export type SentPmp = SentObject<typeof pmp>;
export type DurFloors = ReadObject<typeof durFloors>;
