import { bit, type Form, integer, isObject, list, number, text } from './forms.ts';

/*
 * What a bid request tells that no rule of an exchange asks for, and that bidders want all the same: it is passed on
 * where it is of its type, and dropped where it is not. Names are the standard's (OpenRTB 2.6 section 3.2).
 */

/** What of a value is passed on; undefined where that is nothing. */
type Pass = (value: unknown) => unknown;

/** Members of an OpenRTB object. */
export type PassedMembers = Readonly<Record<string, unknown>>;

/** A value that is of a form, as it is. */
const as =
  (form: Form<unknown>): Pass =>
  (value) =>
    form(value) === undefined ? value : undefined;

/** Some members of an object, those of them that pass. */
function some(members: Readonly<Record<string, Pass>>): (value: unknown) => PassedMembers | undefined {
  const entries = Object.entries(members);
  return (value) => {
    if (!isObject(value)) return undefined;
    let passed: Record<string, unknown> | undefined;
    for (const [name, pass] of entries) {
      const member = value[name] === undefined ? undefined : pass(value[name]);
      if (member === undefined) continue;
      passed ??= {};
      passed[name] = member;
    }
    return passed;
  };
}

const itemsMax = 100;

/** The items of a list that pass. */
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

const brand = some({ brand: word, version: words });

/** Section 3.2.18. */
const device = some({
  ...{ w: whole, h: whole, ppi: whole, pxratio: as(number(0, 100)), js: flag, geofetch: flag },
  ...{ carrier: word, mccmnc: word, connectiontype: whole, hwv: word },
  sua: some({
    ...{ browsers: items(brand), platform: brand, mobile: flag, architecture: word, bitness: word },
    ...{ model: word, source: whole },
  }),
});

/** Sections 3.2.20, 3.2.27 and 3.2.28; the bidder's own ID for the user is another for each, and is not passed. */
const user = some({
  ...{ yob: whole, gender: word, keywords: word },
  eids: items(some({ source: word, uids: items(some({ id: word, atype: whole })) })),
});

const content = {
  ...{ id: word, episode: whole, title: word, genre: word, genres: words, language: word, len: whole },
  ...{ series: word, season: word, context: as(integer(1, 7)) },
  ...{ livestream: flag, url: word, contentrating: word, userrating: word },
};

/** Sections 3.2.13, 3.2.14 and 3.2.16. */
const site = some({ ref: word, mobile: flag, privacypolicy: flag });
const app = some({ ver: word, paid: flag, privacypolicy: flag });

/** Sections 3.2.4 to 3.2.8. */
const imp = some({ clickbrowser: flag, rwdd: flag, ssai: whole, displaymanagerver: word });
const banner = some({ api: codes, mimes: words, topframe: flag, vcm: flag, btype: codes, expdir: codes });
const stream = {
  ...{ maxextended: as(integer(-1, 86_400)), minbitrate: whole, maxbitrate: whole, companiontype: codes },
};
const video = some({
  ...stream,
  ...{ skipmin: whole, skipafter: whole, boxingallowed: flag, playbackend: whole },
});
const audio = some({ ...stream, api: codes, delivery: codes, feed: whole, stitched: flag, nvol: whole });

/** Section 3.2.9: the version is that of the payload, which is passed on too. */
const native = some({ ver: word, api: codes });

/** How each object is passed on. */
export const passedMembers = {
  device,
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
