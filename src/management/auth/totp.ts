import { Type } from 'typebox';
import { closedObject, okStatus, succeeded } from '../../answers/wire-schema.ts';
import { own } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { passwordSchema } from './password.ts';
import { authTag } from './sessions.ts';

const codeSchema = Type.String({ minLength: 1, maxLength: 64, description: 'The code that the app shows' });
const secretExample = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

export const beginTotp = defineEndpoint({
  method: 'POST',
  path: '/api/auth/totp/begin',
  name: 'beginTotp',
  tag: authTag,
  summary: 'Set up a second factor',
  description:
    'Makes a secret for an app that shows codes (TOTP, RFC 6238), for the calling user. Logins need a code once the secret has been confirmed with one.',
  access: own,
  accepts: checkedBody({
    schema: closedObject({ Password: passwordSchema }),
    example: () => ({ Password: 'correct horse battery' }),
  }),
  returns: {
    description: 'Done',
    schema: closedObject({
      Status: okStatus,
      Secret: Type.String({ description: 'The secret in base32, to type into the app' }),
      Url: Type.String({ description: 'The secret as a URL, to show as a QR code' }),
    }),
    example: () => ({
      ...succeeded,
      Secret: secretExample,
      Url: `otpauth://totp/Bourse:ada%40example.com?issuer=Bourse&secret=${secretExample}&algorithm=SHA1&digits=6&period=30`,
    }),
  },
  serve:
    ({ identity }) =>
    async ({ caller: bearer, body: { Password }, clientAddress }) => {
      const caller = { bearer, address: clientAddress() };
      const { secret: Secret, url: Url } = await identity.beginSecondFactor(caller, Password);
      return { ...succeeded, Secret, Url };
    },
});

export const confirmTotp = defineEndpoint({
  method: 'POST',
  path: '/api/auth/totp/confirm',
  name: 'confirmTotp',
  tag: authTag,
  summary: 'Confirm the second factor',
  description:
    'From now on the user needs the password and a code to log in. Each recovery code replaces one code, in case the user loses the app; they are shown only here.',
  access: own,
  accepts: checkedBody({ schema: closedObject({ Code: codeSchema }), example: () => ({ Code: '123456' }) }),
  returns: {
    description: 'Done',
    schema: closedObject({
      Status: okStatus,
      RecoveryCodes: Type.Array(Type.String(), { description: 'Recovery codes; each works once' }),
    }),
    example: () => ({ ...succeeded, RecoveryCodes: ['MZXW-6YTB-OI2G-64TF'] }),
  },
  serve:
    ({ identity }) =>
    async ({ caller: bearer, body: { Code }, clientAddress }) => {
      const codes = await identity.confirmSecondFactor({ bearer, address: clientAddress() }, Code);
      return { ...succeeded, RecoveryCodes: codes };
    },
});

export const removeTotp = defineEndpoint({
  method: 'POST',
  path: '/api/auth/totp/remove',
  name: 'removeTotp',
  tag: authTag,
  summary: 'Remove the second factor',
  description: 'From now on the user logs in with the password alone. `Code` may be a recovery code.',
  access: own,
  accepts: checkedBody({
    schema: closedObject({ Password: passwordSchema, Code: codeSchema }),
    example: () => ({ Password: 'correct horse battery', Code: '123456' }),
  }),
  returns: { description: 'Done', schema: closedObject({ Status: okStatus }), example: () => succeeded },
  serve:
    ({ identity }) =>
    async ({ caller: bearer, body: { Password: password, Code: code }, clientAddress }) => {
      await identity.removeSecondFactor({ bearer, address: clientAddress() }, { password, code });
      return succeeded;
    },
});
