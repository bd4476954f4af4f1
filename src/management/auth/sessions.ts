import { Type } from 'typebox';
import { closedObject, okStatus, succeeded } from '../../answers/wire-schema.ts';
import { apiKeyRefusal, type Session } from '../../identity/sessions.ts';
import { anyone, everyUser } from '../endpoint/access.ts';
import { checkedBody, emptyBody } from '../endpoint/body.ts';
import { defineEndpoint, type ResponseBody, type Tag } from '../endpoint/endpoint.ts';
import { sessionCookie } from '../http/session-cookie.ts';
import { loginFailures, loginSchema, tryLogin } from './try-login.ts';

export const authTag: Tag = {
  name: 'Authentication',
  description: 'Access tokens, API keys, and the user to whom a token belongs.',
};

export const tokenExample = 'ZXhhbXBsZS1vbmx5LWV4YW1wbGUtb25seS1leGFtcGw';

const sessionSchema = closedObject({
  Status: okStatus,
  UID: Type.Integer({ description: 'ID of the user' }),
  AccessToken: Type.String({ description: 'Token for the header "Authorization: Bearer <token>"' }),
  ExpiresIn: Type.Integer({ description: 'Seconds until the token expires' }),
});

const sessionResponse: ResponseBody<typeof sessionSchema> = {
  description: 'Done',
  schema: sessionSchema,
  example: () => ({ Status: 'Ok', UID: 1, AccessToken: tokenExample, ExpiresIn: 3600 }),
};

function sessionBody({ userId, accessToken, expiresInSeconds }: Session) {
  return { ...succeeded, UID: userId, AccessToken: accessToken, ExpiresIn: expiresInSeconds };
}

export const login = defineEndpoint({
  method: 'POST',
  path: '/api/auth/login',
  name: 'login',
  tag: authTag,
  summary: 'Log in',
  description:
    'Returns an access token for a mail address and a password. It lasts an hour; send it with every other call as "Authorization: Bearer <token>". A user with a second factor also sends `Code`. After 10 failures in a minute: 429.',
  access: anyone,
  accepts: checkedBody({
    schema: loginSchema,
    example: () => ({ Username: 'ada@example.com', Password: 'correct horse battery' }),
  }),
  returns: sessionResponse,
  failures: loginFailures,
  serve:
    ({ identity }) =>
    async (call) =>
      sessionBody(await tryLogin(call, call.body, identity.login)),
});

export const refresh = defineEndpoint({
  method: 'POST',
  path: '/api/auth/refresh',
  name: 'refresh',
  tag: authTag,
  summary: 'Renew the access token',
  description:
    'Returns a new access token and ends the one of this request. API keys cannot be renewed: 403.',
  access: { ...everyUser, refusesApiKeys: apiKeyRefusal('refresh') },
  accepts: emptyBody,
  returns: sessionResponse,
  serve:
    ({ identity }) =>
    async ({ caller }) =>
      sessionBody(await identity.refresh(caller)),
});

export const logout = defineEndpoint({
  method: 'POST',
  path: '/api/auth/logout',
  name: 'logout',
  tag: authTag,
  summary: 'Log out',
  description:
    'Ends the access token or the console session of this request. API keys cannot log out; revoke them instead: 403.',
  access: { ...everyUser, refusesApiKeys: apiKeyRefusal('logout') },
  accepts: emptyBody,
  setsCookie: true,
  returns: {
    description: 'Done',
    schema: closedObject({ Status: okStatus }),
    example: () => succeeded,
  },
  serve:
    ({ identity, links }) =>
    async ({ caller }) => {
      await identity.logout(caller);
      if (caller.kind !== 'console') return succeeded;
      return { body: JSON.stringify(succeeded), headers: { 'set-cookie': sessionCookie('', links()) } };
    },
});
