import { isIP } from 'node:net';
import { Refusal } from '../../fields/fault.ts';
import type { LoginAttempt } from '../../identity/sessions.ts';
import type { Call } from '../endpoint/endpoint.ts';

type Requested = Pick<Call, 'clientAddress' | 'userAgent' | 'request'>;

/** A text in one word: all but letters, digits and few signs as `%`, as in a URL. */
function inOneWord(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@').replaceAll('%2B', '+');
}

/** Logs a failed login in the form that the filter of docs/operations.md reads, the name in one word. */
function logFailedLogin({ log, id }: Requested['request'], { username, address }: LoginAttempt): void {
  const from = isIP(address) === 0 ? 'unknown' : address;
  log.warn({ requestId: id }, `failed login from ${from} as ${inOneWord(username)}`);
}

/** Tries to log in with what a body holds, and logs it where the pair is wrong. Refuses as `logIn` does. */
export async function tryLogin<T>(
  { clientAddress, userAgent, request }: Requested,
  { Username: username, Password: password }: { readonly Username: string; readonly Password: string },
  logIn: (attempt: LoginAttempt) => Promise<T>,
): Promise<T> {
  const attempt = { username, password, address: clientAddress(), userAgent };
  try {
    return await logIn(attempt);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthorized') logFailedLogin(request, attempt);
    throw error;
  }
}
