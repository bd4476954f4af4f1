import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../fields/fault.ts';
import { knownPlaceMs } from '../../identity/known-places.ts';

export const sessionCookieName = 'bourse-session';

interface SentSession {
  readonly token: string;
  /** Whether the request was made by itself, and so says nothing of whether somebody still works. */
  readonly isPolling: boolean;
}

const browserCookieName = 'bourse-browser';

/** What the header may say: that the cookie is meant; and that it is a page that asks, and no person. */
const sayings: readonly unknown[] = ['1', 'poll'];

/**
 * Refuses what no page of the console sends (reference, A14): other sites cannot set the header, since a browser would
 * ask us first whether they may, and they cannot have the browser say that they are this site.
 */
export function assertFromConsole(headers: IncomingHttpHeaders): void {
  if (!sayings.includes(headers['bourse-console']))
    throw new Refusal('forbidden', 'A cookie counts only with the header "Bourse-Console: 1"');
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  if (site === 'same-origin') return;
  throw new Refusal('forbidden', `A cookie counts only on pages of this server; Sec-Fetch-Site is "${site}"`);
}

function cookiesNamed(name: string, { cookie = '' }: IncomingHttpHeaders): readonly string[] {
  return cookie.split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=');
    return key.trim() === name ? [value.join('=').trim()] : [];
  });
}

/** The token in a request's cookie, whether it counts or not. */
export function sessionTokenIn(headers: IncomingHttpHeaders): string | undefined {
  return cookiesNamed(sessionCookieName, headers)[0];
}

/** What the browser was given at an earlier login. */
export function browserTokenIn(headers: IncomingHttpHeaders): string | undefined {
  return cookiesNamed(browserCookieName, headers)[0];
}

/**
 * The session that a request's cookie names; undefined where there is none. Refuses with `forbidden` where the cookie
 * does not count, and with `unauthorized` where there are two: a neighbouring host may have set one of them.
 */
export function sentSession(headers: IncomingHttpHeaders): SentSession | undefined {
  const [token, ...others] = cookiesNamed(sessionCookieName, headers);
  if (!token) return undefined;
  assertFromConsole(headers);
  if (others.length > 0)
    throw new Refusal(
      'unauthorized',
      `The cookie ${sessionCookieName} stands twice; delete the cookies of this site`,
    );
  return { token, isPolling: headers['bourse-console'] === 'poll' };
}

/** Where the console is: at its own URL, else at the base URL. */
interface CookieOrigin {
  readonly baseUrl: string;
  readonly consoleUrl?: string | undefined;
}

function cookie(name: string, value: string, maxAge: string, at: CookieOrigin): string {
  const { baseUrl, consoleUrl = baseUrl } = at;
  const secure = consoleUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/api; HttpOnly; SameSite=Strict${secure}${maxAge}`;
}

/** The cookie of a session; with an empty token, what ends it. It lasts until the browser is closed. */
export function sessionCookie(token: string, at: CookieOrigin): string {
  return cookie(sessionCookieName, token, token === '' ? '; Max-Age=0' : '', at);
}

/** The cookie by which a browser is known at the next login (reference, A23). */
export function browserCookie(token: string, at: CookieOrigin): string {
  return cookie(browserCookieName, token, `; Max-Age=${knownPlaceMs / 1000}`, at);
}
