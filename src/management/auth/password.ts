import { Type } from 'typebox';
import { closedObject, okStatus, succeeded } from '../../answers/wire-schema.ts';
import { passwordLength } from '../../reference/password-length.ts';
import { anyone, own } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { authTag, tokenExample } from './sessions.ts';

export const passwordSchema = Type.String({
  minLength: 1,
  maxLength: passwordLength.max,
  description: 'The password that you have now',
});

const newPasswordSchema = Type.String({
  minLength: passwordLength.min,
  maxLength: passwordLength.max,
  description:
    'The password that is to be. Common ones, and the mail address, are refused with the fault `common`',
});

/** As the console has it behind the `#` of its own URL. */
export const linkSchema = Type.String({ minLength: 1, maxLength: 100 });

export const changePassword = defineEndpoint({
  method: 'POST',
  path: '/api/auth/password',
  name: 'changePassword',
  tag: authTag,
  summary: 'Change the password',
  description:
    'Sets another password for the user who calls. It ends the other sessions and access tokens of the user; API keys stay. A wrong `Password` is 406, and counts as a failed login.',
  access: own,
  accepts: checkedBody({
    schema: closedObject({ Password: passwordSchema, NewPassword: newPasswordSchema }),
    example: () => ({ Password: 'correct horse battery', NewPassword: 'staple after staple' }),
  }),
  returns: { description: 'Done', schema: closedObject({ Status: okStatus }), example: () => succeeded },
  serve:
    ({ identity }) =>
    async ({ caller: bearer, body: { Password: password, NewPassword: newPassword }, clientAddress }) => {
      await identity.changePassword({ bearer, address: clientAddress() }, { password, newPassword });
      return succeeded;
    },
});

/** For whoever was invited or must reset the password (reference, A17). */
export const acceptLink = defineEndpoint({
  method: 'POST',
  path: '/api/auth/link',
  name: 'acceptLink',
  tag: authTag,
  summary: 'Set the password by a link',
  description:
    'Sets the password of the user whom an invitation, or a link to reset the password, was made for. The link is used up, and all sessions and access tokens of the user end. Answers the mail address to log in with.',
  access: anyone,
  accepts: checkedBody({
    schema: closedObject({
      Link: { ...linkSchema, description: 'What stands behind `#invite=` in the link' },
      NewPassword: newPasswordSchema,
    }),
    example: () => ({ Link: tokenExample, NewPassword: 'staple after staple' }),
  }),
  returns: {
    description: 'Done',
    schema: closedObject({
      Status: okStatus,
      Username: Type.String({ description: 'E-mail address of the user' }),
    }),
    example: () => ({ ...succeeded, Username: 'ada@example.com' }),
  },
  serve:
    ({ identity }) =>
    async ({ body: { Link: link, NewPassword: newPassword } }) => {
      const { mail } = await identity.acceptLink({ link, newPassword });
      return { ...succeeded, Username: mail };
    },
});
