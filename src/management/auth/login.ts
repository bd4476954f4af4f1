import { Type } from 'typebox';
import { Refusal } from '../../fields/fault.ts';
import { passwordLength } from '../../reference/password-length.ts';
import { anyone } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { closedObject } from '../endpoint/wire-schema.ts';
import { logFailedLogin } from '../http/failed-login.ts';
import { authTag, sessionBody, sessionResponse } from './session.ts';

const loginSchema = closedObject({
  Username: Type.String({ minLength: 1, maxLength: 320, description: 'E-mail address of the user' }),
  Password: Type.String({ minLength: 1, maxLength: passwordLength.max, description: 'Password of the user' }),
});

/** A token for a mail address and a password (decisions A1). */
export const login = defineEndpoint({
  method: 'POST',
  path: '/api/auth/login',
  name: 'login',
  tag: authTag,
  summary: 'Log in',
  description:
    'Gives an access token for a mail address and a password, which lasts an hour and goes with every other call as "Authorization: Bearer <token>". After 10 failures in a minute for one mail or client address: 429.',
  access: anyone,
  accepts: checkedBody({
    schema: loginSchema,
    example: () => ({ Username: 'ada@example.com', Password: 'correct horse battery' }),
  }),
  returns: sessionResponse,
  failures: {
    Unauthorized: 'Username or Password is wrong.',
    TooMany: 'After 10 failures in a minute for one mail or client address.',
  },
  serve:
    ({ identity }) =>
    async ({ body: { Username, Password }, clientAddress, request }) => {
      const attempt = { username: Username, password: Password, address: clientAddress() };
      try {
        return sessionBody(await identity.login(attempt));
      } catch (error) {
        if (error instanceof Refusal && error.code === 'unauthorized') logFailedLogin(request, attempt);
        throw error;
      }
    },
});
