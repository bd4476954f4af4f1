import { type Matches, matchCookies, noMatches } from '../../src/exchange/viewer-matches.ts';

/** A `Cookie` header as a browser sends it that was told these. */
export const cookieWith = (matches: Matches): string =>
  matchCookies(noMatches, matches)
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
