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
  description: 'Your current password',
});

const newPasswordSchema = Type.String({
  minLength: passwordLength.min,
  maxLength: passwordLength.max,
  description:
    'The new password. Common passwords, and the mail address, are refused with the fault `common`',
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
    "Sets a new password for the calling user. It ends the user's other sessions and access tokens; API keys stay valid. A wrong `Password` is 406, and counts as a failed login.",
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
  summary: 'Set the password with a link',
  description:
    'Sets the password of the user for whom an invitation or a reset link was made. This uses up the link and ends all sessions and access tokens of the user. Returns the mail address to log in with.',
  access: anyone,
  accepts: checkedBody({
    schema: closedObject({
      Link: { ...linkSchema, description: 'The part of the link after `#invite=`' },
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
