import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../fields/fault.ts';
import { knownPlaceMs } from '../../identity/known-places.ts';
import { cookiesNamed } from '../../shared/cookies.ts';

export const sessionCookieName = 'bourse-session';

interface SentSession {
  readonly token: string;
  /** Sent automatically, so no sign that somebody still works. */
  readonly isPolling: boolean;
}

const browserCookieName = 'bourse-browser';

/** The cookie is meant; and a page asks by itself. */
const sayings: readonly unknown[] = ['1', 'poll'];

/** Reference, A14: other sites cannot set the header without a preflight, nor fake their origin. */
export function assertFromConsole(headers: IncomingHttpHeaders): void {
  if (!sayings.includes(headers['bourse-console']))
    throw new Refusal('forbidden', 'A cookie is valid only with the header "Bourse-Console: 1"');
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  if (site === 'same-origin') return;
  throw new Refusal(
    'forbidden',
    `A cookie is valid only on pages of this server; Sec-Fetch-Site is "${site}"`,
  );
}

export function sessionTokenIn(headers: IncomingHttpHeaders): string | undefined {
  return cookiesNamed(sessionCookieName, headers.cookie)[0];
}

/** At an earlier login. */
export function browserTokenIn(headers: IncomingHttpHeaders): string | undefined {
  return cookiesNamed(browserCookieName, headers.cookie)[0];
}

/**
 * Undefined without one. Refuses with `forbidden` a cookie that does not count; with `unauthorized` two: a neighbouring
 * host may have set one.
 */
export function sentSession(headers: IncomingHttpHeaders): SentSession | undefined {
  const [token, ...others] = cookiesNamed(sessionCookieName, headers.cookie);
  if (!token) return undefined;
  assertFromConsole(headers);
  if (others.length > 0)
    throw new Refusal(
      'unauthorized',
      `The cookie ${sessionCookieName} was sent twice; delete the cookies of this site`,
    );
  return { token, isPolling: headers['bourse-console'] === 'poll' };
}

/** The console's own URL, else the base URL. */
interface CookieOrigin {
  readonly baseUrl: string;
  readonly consoleUrl?: string | undefined;
}

function cookie(name: string, value: string, maxAge: string, at: CookieOrigin): string {
  const { baseUrl, consoleUrl = baseUrl } = at;
  const secure = consoleUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/api; HttpOnly; SameSite=Strict${secure}${maxAge}`;
}

/** An empty token ends it. It lasts until the browser is closed. */
export function sessionCookie(token: string, at: CookieOrigin): string {
  return cookie(sessionCookieName, token, token === '' ? '; Max-Age=0' : '', at);
}

/** Identifies the browser at the next login (reference, A23). */
export function browserCookie(token: string, at: CookieOrigin): string {
  return cookie(browserCookieName, token, `; Max-Age=${knownPlaceMs / 1000}`, at);
}
