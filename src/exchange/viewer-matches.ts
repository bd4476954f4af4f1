import { cookiesIn, cookiesNamed } from '../shared/cookies.ts';

interface Match {
  readonly uid: string;
  /** Since 1970. */
  readonly minute: number;
}

/** The IDs by which partners know a viewer. Immutable. */
export interface Matches {
  /** A partner's own ID for the viewer (`Demand.partner`); undefined if it has none, or had it too long ago. */
  of(partner: string): string | undefined;
  /** With that ID, matched now; an empty one ends the match. Throws `RangeError` for no `isPartnerUid`. */
  with(partner: string, uid: string, nowMs: number): Matches;
  /** By partner, the oldest first. */
  readonly table: ReadonlyMap<string, Match>;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Then a partner must match the viewer again. */
export const matchLifeMs = 30 * dayMs;

const ownMark = 'own-';
/** In a partner's place, what holds an ID of ours that it alone was told. No partner is called so. */
export const ownEntry = (partner: string): string => ownMark + partner;
export const partnerOfEntry = (entry: string): string =>
  entry.startsWith(ownMark) ? entry.slice(ownMark.length) : entry;

const uidPattern = /^[ -~]{1,256}$/;

/** Printable ASCII, at most 256 characters. */
export const isPartnerUid = (uid: string): boolean => uidPattern.test(uid);

const minuteAt = (nowMs: number) => Math.floor(nowMs / minuteMs);
/** Our machines' clocks differ by less. */
const skewMinutes = 5;
const minuteRadix = 36;

type Entry = readonly [partner: string, match: Match];

const matchText = ({ uid, minute }: Match) => `${minute.toString(minuteRadix)}:${encodeURIComponent(uid)}`;
const entryPattern = /^([\w-]{1,32}):([\da-z]{1,6}):([!-~]{1,768})$/;

function decodedUid(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Of partner and `matchText`; undefined for anything else, and for what is over 30 days old. */
function entryIn(text: string, nowMs: number): Entry | undefined {
  const [, partner = '', minuteText = '', uidText = ''] = entryPattern.exec(text) ?? [];
  const minute = Number.parseInt(minuteText, minuteRadix);
  const uid = decodedUid(uidText);
  const isCurrent = minute <= minuteAt(nowMs) + skewMinutes && minute > minuteAt(nowMs - matchLifeMs);
  return isCurrent && isPartnerUid(uid) ? [partner, { uid, minute }] : undefined;
}

function matchesOf(entries: readonly Entry[]): Matches {
  const table = new Map(entries.toSorted(([, one], [, other]) => one.minute - other.minute));
  return {
    table,
    of: (partner) => table.get(partner)?.uid,
    with(partner, uid, nowMs) {
      if (uid !== '' && !isPartnerUid(uid)) throw new RangeError('an ID that cannot be stored');
      const others = [...table].filter(([other]) => other !== partner);
      const own: Entry[] = uid === '' ? [] : [[partner, { uid, minute: minuteAt(nowMs) }]];
      return matchesOf([...others, ...own]);
    },
  };
}

export const noMatches: Matches = matchesOf([]);

function matchesIn(texts: readonly string[], nowMs: number): Matches {
  const entries = texts.map((text) => entryIn(text, nowMs)).filter((entry) => entry !== undefined);
  return entries.length === 0 ? noMatches : matchesOf(entries);
}

/** The newest of which so many characters hold the texts, each with one that separates it. */
function newest({ table }: Matches, charactersMax: number, textOf: (entry: Entry) => string): Entry[] {
  const entries = [...table];
  let left = charactersMax;
  const firstLeftOut = entries.findLastIndex((entry) => {
    left -= textOf(entry).length + 1;
    return left < 0;
  });
  return entries.slice(firstLeftOut + 1);
}

const entryText = ([partner, match]: Entry) => `${partner}:${matchText(match)}`;

/** For a token: at most so many characters, of which the oldest matches are left out. */
export const matchesText = (matches: Matches, charactersMax: number): string =>
  newest(matches, charactersMax, entryText).map(entryText).join('&');

/** Longer texts are none of ours. */
const textCharactersMax = 4096;

/** Of `matchesText`; anything else in it counts as absent. */
export const matchesInText = (text: string, nowMs: number): Matches =>
  text.length > textCharactersMax ? noMatches : matchesIn(text.split('&'), nowMs);

/**
 * `__Host-`: of this host alone, and only by HTTPS (RFC 6265bis). A match has a cookie of its own, because partners of
 * a page answer at the same time, and each answer would undo the others.
 */
const names = { match: '__Host-bourse-uid-', optOut: '__Host-bourse-optout' } as const;
/** Of all cookies with matches: browsers send them with each request. */
const cookiesCharactersMax = 3500;
const optOutMs = 5 * 365 * dayMs;

/** For a page of another site: only of its own partition, which no other site sees (CHIPS). */
const setCookie = (pair: string, lifeMs: number, partition = '; Partitioned') =>
  `${pair}; Path=/; Max-Age=${lifeMs / 1000}; Secure; HttpOnly; SameSite=None${partition}`;

const cookieText = ([partner, match]: Entry) => `${names.match}${partner}=${matchText(match)}`;

/** `Set-Cookie` headers that make of a browser's matches others; of too many, the oldest are deleted. */
export function matchCookies(before: Matches, after: Matches): readonly string[] {
  const kept = newest(after, cookiesCharactersMax, cookieText);
  const known = new Set(kept.map(([partner]) => partner));
  const fresh = kept.filter(([partner, match]) => before.table.get(partner) !== match);
  const gone = [...before.table.keys()].filter((partner) => !known.has(partner));
  return [
    ...fresh.map((entry) => setCookie(cookieText(entry), matchLifeMs)),
    ...gone.map((partner) => setCookie(`${names.match}${partner}=`, 0)),
  ];
}

/** `Set-Cookie` headers: for this site, and for all sites where browsers still permit that. */
export function optOutCookies(isOut: boolean): readonly string[] {
  const pair = `${names.optOut}=1`;
  const lifeMs = isOut ? optOutMs : 0;
  return [setCookie(pair, lifeMs), setCookie(pair, lifeMs, '')];
}

export const hasOptedOut = (cookieHeader: string | undefined): boolean =>
  cookieHeader?.includes(names.optOut) === true && cookiesNamed(names.optOut, cookieHeader).length > 0;

/** From a `Cookie` header. Undefined if the viewer is unknown or has opted out. */
export function readMatches(cookieHeader: string | undefined, nowMs: number): Matches | undefined {
  if (!cookieHeader?.includes(names.match) || hasOptedOut(cookieHeader)) return undefined;
  const texts = cookiesIn(cookieHeader).flatMap(([name, value]) =>
    name.startsWith(names.match) ? [`${name.slice(names.match.length)}:${value}`] : [],
  );
  const matches = matchesIn(texts, nowMs);
  return matches === noMatches ? undefined : matches;
}
