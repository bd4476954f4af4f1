import { Type } from 'typebox';
import { anyone } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { closedObject } from '../endpoint/wire-schema.ts';
import { sessionCookie } from '../http/session-cookie.ts';
import { accountExample, accountSchema } from './account.ts';
import { tryLogin } from './failed-login.ts';
import { authTag, loginSchema } from './sessions.ts';

/** A session of the console, which a cookie carries (decisions A14). */
export const openSession = defineEndpoint({
  method: 'POST',
  path: '/api/auth/session',
  name: 'openSession',
  tag: authTag,
  summary: 'Log in to the console',
  description:
    'Begins a session for a browser, and answers the account. The session is the cookie `bourse-session`, which no script can read; it ends after an hour without use, and after twelve in any case. A request with the cookie counts only with the header `Bourse-Console: 1`, or `poll`, which does not count as use. Programs take `login`.',
  access: { ...anyone, isForConsole: true },
  setsCookie: true,
  accepts: checkedBody({
    schema: loginSchema,
    example: () => ({ Username: 'ada@example.com', Password: 'correct horse battery' }),
  }),
  returns: {
    description: 'Done',
    schema: closedObject({
      ...accountSchema.properties,
      ExpiresIn: Type.Integer({ description: 'Seconds that the session lasts without use' }),
    }),
    example: () => ({ ...accountExample, ExpiresIn: 3600 }),
  },
  failures: {
    Unauthorized: 'Username or Password is wrong.',
    TooMany: 'After 10 failures in a minute for one mail or client address.',
  },
  serve:
    ({ identity, links }) =>
    async (call) => {
      const session = await tryLogin(call, call.body, identity.openConsole);
      const { accessToken, expiresInSeconds: ExpiresIn } = session;
      const body = { ...(await identity.account(session)), ExpiresIn };
      return { body: JSON.stringify(body), headers: sessionCookie(accessToken, links().baseUrl) };
    },
});
