import { cookiesNamed } from '../shared/cookies.ts';

/** The IDs by which partners know a viewer. Immutable. */
export interface Matches {
  /** A partner's own ID for the viewer (`Demand.partner`); undefined if it has none, or had it too long ago. */
  of(partner: string): string | undefined;
  /** With that ID as the newest, matched now; an empty one ends the match. Throws `RangeError` for no `isPartnerUid`. */
  with(partner: string, uid: string, nowMs: number): Matches;
  /** For a cookie or a token: at most so many characters, of which the oldest matches are left out. */
  text(charactersMax: number): string;
}

const dayMs = 86_400_000;
const lifeDays = 30;
/** Then a partner must match the viewer again. */
export const matchLifeMs = lifeDays * dayMs;

const uidPattern = /^[ -~]{1,256}$/;

/** Printable ASCII, at most 256 characters. */
export const isPartnerUid = (uid: string): boolean => uidPattern.test(uid);

interface Match {
  readonly uid: string;
  /** Since 1970. */
  readonly day: number;
}

type Table = ReadonlyMap<string, Match>;

const dayAt = (nowMs: number) => Math.floor(nowMs / dayMs);
const dayRadix = 36;
const entryPattern = /^([\w-]{0,32}):([\da-z]{1,4}):([!-~]{1,768})$/;

function textOf([partner, { uid, day }]: readonly [string, Match]): string {
  return `${partner}:${day.toString(dayRadix)}:${encodeURIComponent(uid)}`;
}

function decodedUid(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Undefined for anything that `textOf` did not write. */
function entryOf(text: string, today: number): readonly [string, Match] | undefined {
  const [, partner = '', dayText = '', uidText = ''] = entryPattern.exec(text) ?? [];
  const day = Number.parseInt(dayText, dayRadix);
  const uid = decodedUid(uidText);
  // Clocks of our machines may be on two sides of midnight.
  const isCurrent = day <= today + 1 && day > today - lifeDays;
  return isCurrent && isPartnerUid(uid) ? [partner, { uid, day }] : undefined;
}

/** The newest entries that fit; they stand in the order in which they were matched. */
function boundedText(table: Table, charactersMax: number): string {
  const entries: string[] = [];
  let left = charactersMax;
  for (const entry of [...table].map(textOf).toReversed()) {
    left -= entry.length + 1;
    if (left < -1) break;
    entries.unshift(entry);
  }
  return entries.join('&');
}

function matchesOf(table: Table): Matches {
  return {
    of: (partner) => table.get(partner)?.uid,
    with(partner, uid, nowMs) {
      if (uid !== '' && !isPartnerUid(uid)) throw new RangeError('an ID that cannot be stored');
      const others = [...table].filter(([other]) => other !== partner);
      const own: [string, Match][] = uid === '' ? [] : [[partner, { uid, day: dayAt(nowMs) }]];
      return matchesOf(new Map([...others, ...own]));
    },
    text: (charactersMax) => boundedText(table, charactersMax),
  };
}

export const noMatches: Matches = matchesOf(new Map());

/** Longer texts are none of ours. */
const textCharactersMax = 4096;

/** Of what `Matches.text` made; anything else in it counts as absent. */
export function matchesIn(text: string, nowMs: number): Matches {
  if (text === '' || text.length > textCharactersMax) return noMatches;
  const today = dayAt(nowMs);
  return matchesOf(
    new Map(
      text.split('&').flatMap((entry) => {
        const known = entryOf(entry, today);
        return known ? [known] : [];
      }),
    ),
  );
}

/** `__Host-`: of this host alone, and only by HTTPS (RFC 6265bis). */
const names = { matches: '__Host-bourse-uids', optOut: '__Host-bourse-optout' } as const;

/** A whole `Set-Cookie`; browsers take 4,096. */
const cookieCharactersMax = 3500;
const optOutMs = 5 * 365 * dayMs;

/** For a page of another site: only of its own partition, which no other site sees (CHIPS). */
const cookie = (name: string, value: string, lifeMs: number, partition = '; Partitioned') =>
  `${name}=${value}; Path=/; Max-Age=${lifeMs / 1000}; Secure; HttpOnly; SameSite=None${partition}`;

/** A `Set-Cookie`; without matches it deletes the cookie. */
export function matchesCookie(matches: Matches): string {
  const text = matches.text(cookieCharactersMax - cookie(names.matches, '', matchLifeMs).length);
  return cookie(names.matches, text, text === '' ? 0 : matchLifeMs);
}

/** Both: for this site, and for all sites where browsers still permit that. `Set-Cookie` headers. */
export function optOutCookies(isOut: boolean): readonly string[] {
  const lifeMs = isOut ? optOutMs : 0;
  return [cookie(names.optOut, '1', lifeMs), cookie(names.optOut, '1', lifeMs, '')];
}

export const hasOptedOut = (cookieHeader: string | undefined): boolean =>
  cookieHeader?.includes(names.optOut) === true && cookiesNamed(names.optOut, cookieHeader).length > 0;

/** From a `Cookie` header. Undefined if the viewer is unknown or has opted out. */
export function readMatches(cookieHeader: string | undefined, nowMs: number): Matches | undefined {
  if (!cookieHeader?.includes(names.matches) || hasOptedOut(cookieHeader)) return undefined;
  const [text = ''] = cookiesNamed(names.matches, cookieHeader);
  const matches = matchesIn(text, nowMs);
  return matches === noMatches ? undefined : matches;
}
