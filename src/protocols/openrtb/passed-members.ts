import { bit, type Form, integer, isObject, list, number, text, word as wordForm } from './forms.ts';

/*
 * Members of a bid request that no rule of ours needs, but that bidders want. They are passed on if they have their
 * type, and dropped if not. The same goes for members of a bid, which go to the sender of the request. Names are the
 * standard's (OpenRTB 2.6 sections 3.2 and 4.2.3).
 */

/** Returns the part of a value that is passed on; undefined if there is none. */
type Pass = (value: unknown) => unknown;

/** Members of an OpenRTB object. */
export type PassedMembers = Readonly<Record<string, unknown>>;

/** Passes a value unchanged if it has the form. */
const as =
  (form: Form<unknown>): Pass =>
  (value) =>
    form(value) === undefined ? value : undefined;

/** Passes the named members of an object, as far as each of them passes. */
function some(members: Readonly<Record<string, Pass>>): (value: unknown) => PassedMembers | undefined {
  const passes = new Map(Object.entries(members));
  return (value) => {
    if (!isObject(value)) return undefined;
    let passed: Record<string, unknown> | undefined;
    // It goes by the object's own members: they are seldom a tenth of those that could be there.
    for (const name in value) {
      const member = passes.get(name)?.(value[name]);
      if (member === undefined) continue;
      passed ??= {};
      passed[name] = member;
    }
    return passed;
  };
}

const itemsMax = 100;

/** Passes the items of a list that pass. */
const items =
  (pass: Pass): Pass =>
  (value) => {
    const passed = Array.isArray(value) ? value.slice(0, itemsMax).map(pass) : [];
    return passed.some((item) => item !== undefined)
      ? passed.filter((item) => item !== undefined)
      : undefined;
  };

const flag = as(bit);
const word = as(text);
const whole = as(integer(0, 2_147_483_647));
const codes = as(list(integer(0, 1_000_000), itemsMax));
const words = as(list(text, itemsMax));
const latitude = as(number(-90, 90));
const longitude = as(number(-180, 180));

const brand = some({ brand: word, version: words });

/** Section 3.2.19. Country, region and coordinates are read elsewhere; this is the rest: names, codes and accuracy. */
const place = {
  ...{ city: word, zip: word, metro: word, regionfips104: word, type: whole, ipservice: whole },
  ...{ accuracy: whole, lastfix: whole, utcoffset: as(integer(-1440, 1440)) },
};

/** Sections 3.2.21 and 3.2.22. */
const data = items(
  some({ id: word, name: word, segment: items(some({ id: word, name: word, value: word })) }),
);

/** Section 3.2.18. `ipv6` is passed on because of two addresses only one is read. */
const device = some({
  ...{ ipv6: word, w: whole, h: whole, ppi: whole, pxratio: as(number(0, 100)), js: flag, geofetch: flag },
  ...{ carrier: word, mccmnc: word, connectiontype: whole, hwv: word },
  sua: some({
    ...{ browsers: items(brand), platform: brand, mobile: flag, architecture: word, bitness: word },
    ...{ model: word, source: whole },
  }),
});

/** Sections 3.2.27 and 3.2.28. */
const eids = items(some({ source: word, uids: items(some({ id: word, atype: whole })) }));

/** Section 3.2.20. `buyeruid` is not passed on, because each bidder has another ID for the user. */
const ofUser = some({
  ...{ yob: whole, gender: word, keywords: word, kwarray: words, data, eids },
  geo: some({ country: word, region: word, lat: latitude, lon: longitude, ...place }),
});
const ofUserExtension = some({ eids });

/** 2.5 has `eids` in `ext`. */
function user(value: unknown): PassedMembers | undefined {
  const current = ofUser(value);
  const older = isObject(value) && value.ext ? ofUserExtension(value.ext) : undefined;
  return older ? { ...older, ...current } : current;
}

/** Sections 3.2.17, 3.2.23 and 3.2.24. */
const network = { id: word, name: word, domain: word };
const producer = some({ ...network, cat: words, cattax: whole });
const channel = some(network);

const content = {
  ...{ producer, network: channel, channel, cat: words, cattax: whole, data },
  ...{ keywords: word, kwarray: words, album: word, artist: word, isrc: word, langb: word },
  ...{ prodq: whole, qagmediarating: whole, embeddable: flag, sourcerelationship: flag },
  ...{ id: word, episode: whole, title: word, genre: word, genres: words, language: word, len: whole },
  ...{ series: word, season: word, context: as(integer(1, 7)) },
  ...{ livestream: flag, url: word, contentrating: word, userrating: word },
};

/** Sections 3.2.13, 3.2.14 and 3.2.16. */
const medium = { inventorypartnerdomain: word, privacypolicy: flag };
const site = some({ name: word, ref: word, mobile: flag, ...medium });
const app = some({ ver: word, paid: flag, ...medium });

/** Sections 3.2.4 to 3.2.8. */
const imp = some({
  exp: as(integer(1, 2_147_483_647)),
  ...{ clickbrowser: flag, rwdd: flag, ssai: whole, iframebuster: words },
  ...{ tagid: word, displaymanager: word, displaymanagerver: word },
  metric: items(some({ type: word, value: as(number(0, 1_000_000)), vendor: word })),
});
const ofBanner = { api: codes, mimes: words, topframe: flag, vcm: flag, btype: codes, expdir: codes };
const banner = some(ofBanner);
const companion = some({ id: word, w: whole, h: whole, pos: whole, ...ofBanner });
/** Members for ad breaks (pods); `-1` means the last place of a break. */
const pod = {
  ...{ podid: word, podseq: as(integer(-1, 1)), slotinpod: as(integer(-1, 2)), sequence: whole },
  ...{ poddur: whole, maxseq: whole, rqddurs: codes },
};
const stream = {
  ...{ companionad: items(companion), ...pod },
  ...{ maxextended: as(integer(-1, 86_400)), minbitrate: whole, maxbitrate: whole, companiontype: codes },
};
const video = some({
  ...stream,
  ...{ skipmin: whole, skipafter: whole, boxingallowed: flag, playbackend: whole },
});
const audio = some({ ...stream, api: codes, delivery: codes, feed: whole, stitched: flag, nvol: whole });

/** Section 3.2.9. `ver` is the version of the payload, which is passed on as well. */
const native = some({ ver: word, api: codes });

/** Section 3.2.1: the taxonomy of the request's lists, its allowed categories, and languages. */
const request = some({ cattax: whole, acat: words, wlang: words, wlangb: words });

/** Section 3.2.2. `tid` is the same for all who take part in the auction; the chain is read elsewhere. */
const source = some({ tid: as(wordForm) });

/** For each object of the bid request, what picks the members to pass on. */
export const passedMembers = {
  request,
  source,
  device,
  geo: some(place),
  user,
  site,
  app,
  content: some(content),
  imp,
  banner,
  video,
  audio,
  native,
} as const;

/** An object of the bid request of which members are passed on. */
export type PassedObject = keyof typeof passedMembers;

/** Picks the members of a bid to pass on (section 4.2.3); `cattax` is the taxonomy of its `cat`. */
export const passedOfBid = some({
  ...{ cid: word, iurl: word, tactic: word, cattax: whole, language: word, langb: word },
  ...{ api: whole, apis: codes, protocol: whole, qagmediarating: whole },
  ...{ dur: whole, slotinpod: as(integer(-1, 2)), wratio: whole, hratio: whole },
});
