import { isIP } from 'node:net';
import { type Static, Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { Refusal } from '../../fields/fault.ts';
import type { LoginAttempt } from '../../identity/login-check.ts';
import { passwordLength } from '../../reference/password-length.ts';
import type { Call } from '../endpoint/endpoint.ts';

type Requested = Pick<Call, 'clientAddress' | 'browser' | 'userAgent' | 'request'>;

/** Replaces all but letters, digits and a few signs as `%`, as in a URL. */
function inOneWord(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@').replaceAll('%2B', '+');
}

/** As the filter of docs/operations.md reads it, the name in one word. */
function logFailedLogin({ log, id }: Requested['request'], { username, address }: LoginAttempt): void {
  const from = isIP(address) === 0 ? 'unknown' : address;
  log.warn({ requestId: id }, `failed login from ${from} as ${inOneWord(username)}`);
}

export const loginSchema = closedObject({
  Username: Type.String({ minLength: 1, maxLength: 320, description: 'E-mail address of the user' }),
  Password: Type.String({ minLength: 1, maxLength: passwordLength.max, description: 'Password of the user' }),
  Code: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'For a user with a second factor: the code from the app, or a recovery code',
    }),
  ),
});

export const loginFailures = {
  Unauthorized:
    'Username or Password is wrong; or the user has a second factor, and Code is missing or wrong: then the fault has the code `second_factor`.',
  TooMany:
    'After 10 failures in a minute, or 20 in an hour, for one user from one network or from networks and browsers that the user has never logged in from; after 10 in a minute from one network; after 5 wrong codes in a minute, 10 in an hour or 20 in a day.',
} as const;

/** Logs a wrong pair. Refuses like `logIn`. */
export async function tryLogin<T>(
  { clientAddress, browser, userAgent, request }: Requested,
  { Username: username, Password: password, Code: code }: Static<typeof loginSchema>,
  logIn: (attempt: LoginAttempt) => Promise<T>,
): Promise<T> {
  const attempt = { username, password, code, address: clientAddress(), browser, userAgent };
  try {
    return await logIn(attempt);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthorized') {
      // A right password whose code is still to come is no guess.
      const isHalf = error.faults.length > 0 && !code;
      if (!isHalf) logFailedLogin(request, attempt);
    }
    throw error;
  }
}
