import { anyObject, anything, bit, integer, list, number, object, type TypeOf, text, word } from './forms.ts';

/*
 * The bid request of OpenRTB 2.5 and 2.6 as Bourse receives it. Members that it reads must have their type and be
 * within sensible bounds; all others may be anything. Names, units and codes are the standard's.
 */

const pixels = integer(0, 99_999);
const seconds = integer(0, 86_400);
const code = integer(0, 1_000_000);
const codes = list(integer(-1_000_000, 1_000_000), 1000);
const words = list(text, 10_000);

/** Most impressions of a request. */
const impsMax = 100;
/** Highest floor in USD CPM: the highest amount that the management API takes. */
const floorMax = 1_000_000;

/** Sections 3.2.6 and 3.2.10. */
const banner = object({
  w: pixels,
  h: pixels,
  format: list(object({ w: pixels, h: pixels }), 200),
  battr: codes,
  pos: code,
});

/** Sections 3.2.7 and 3.2.8. Audio has no members of its own here, and lacks some of video's. */
const stream = object({
  mimes: words,
  minduration: seconds,
  maxduration: seconds,
  startdelay: integer(-2, 86_400),
  protocols: codes,
  w: pixels,
  h: pixels,
  placement: code,
  plcmt: code,
  linearity: code,
  skip: bit,
  battr: codes,
  pos: code,
  api: codes,
  playbackmethod: codes,
  delivery: codes,
});

/** Section 3.2.9: `request` is a JSON text of the Dynamic Native Ads API. */
const native = object({ request: word, ver: text, battr: codes }, ['request']);

/** Section 3.2.4. */
const imp = object(
  {
    id: word,
    banner,
    video: stream,
    audio: stream,
    native,
    instl: bit,
    bidfloor: number(0, floorMax),
    bidfloorcur: text,
    secure: bit,
    pmp: object({ private_auction: bit }),
    ext: anyObject,
  },
  ['id'],
);

/** Section 3.2.16; older versions have the context as text. */
const content = object({ series: text, season: text, context: anything });

const medium = {
  name: text,
  domain: text,
  cat: words,
  sectioncat: words,
  pagecat: words,
  cattax: code,
  keywords: text,
  kwarray: words,
  content,
};

/** Section 3.2.13. */
const site = object({ ...medium, page: text, search: text });

/** Section 3.2.14. */
const app = object({ ...medium, bundle: text, storeurl: text });

/** Section 3.2.30. */
const brand = object({ brand: text, version: words }, ['brand']);

/** Sections 3.2.18, 3.2.19 and 3.2.29. */
const device = object({
  ua: text,
  ip: text,
  ipv6: text,
  geo: object({ country: text, region: text, lat: number(-1e6, 1e6), lon: number(-1e6, 1e6) }),
  dnt: bit,
  lmt: bit,
  devicetype: code,
  make: text,
  model: text,
  os: text,
  osv: text,
  language: text,
  langb: text,
  ifa: text,
  sua: object({ browsers: list(brand, 100), platform: brand, mobile: integer(0, 1), model: text }),
});

/** Sections 3.2.2 and 3.2.25; 2.5 has the chain in `ext`. */
const source = object({ schain: anything, ext: object({ schain: anything }) });

/** Section 3.2.3; 2.5 has all but `coppa` in `ext`. */
const regs = object({
  coppa: bit,
  gdpr: bit,
  us_privacy: text,
  gpp: text,
  gpp_sid: codes,
  ext: object({ gdpr: bit, us_privacy: text, gpp: text, gpp_sid: codes }),
});

/** Section 3.2.20; 2.5 has `consent` in `ext`. */
const user = object({ id: text, consent: text, ext: object({ consent: text }) });

/** Section 3.2.1. */
export const bidRequest = object(
  {
    id: word,
    imp: list(imp, impsMax, 1),
    site,
    app,
    device,
    user,
    source,
    regs,
    test: bit,
    at: code,
    tmax: integer(0, 3_600_000),
    cur: words,
    acat: words,
    bcat: words,
    badv: words,
    bapp: words,
    wseat: words,
    bseat: words,
  },
  ['id', 'imp'],
);

/** A bid request that `readBidRequest` has accepted. */
export type ReceivedRequest = TypeOf<typeof bidRequest>;

/** One of its impressions. */
export type ReceivedImp = ReceivedRequest['imp'][number];

/** Kinds of ad that an impression may allow (section 3.2.4), and the pop, which the standard does not know. */
export type ReceivedMedium = 'video' | 'banner' | 'native' | 'audio' | 'pop';

const standardMedia = ['video', 'banner', 'native', 'audio'] as const;
const popWord = /^pop/i;

/**
 * The media that an impression allows. By convention an impression without a medium is a pop if it covers the screen
 * (`instl`) or its extension says so (`"type": "popunder"`, `"pop": 1`).
 */
export function mediaOf(received: ReceivedImp): readonly ReceivedMedium[] {
  const media = standardMedia.filter((name) => received[name]);
  if (media.length > 0) return media;
  const { type, pop } = received.ext ?? {};
  const isPop = (typeof type === 'string' && popWord.test(type)) || pop === 1 || received.instl === 1;
  return isPop ? ['pop'] : [];
}
