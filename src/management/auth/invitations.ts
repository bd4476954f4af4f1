import { Type } from 'typebox';
import { closedObject, okStatus, succeeded } from '../../answers/wire-schema.ts';
import { accessGiver } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { perform } from '../perform.ts';
import type { Links } from '../present.ts';
import { partnerIn } from './partner-of.ts';
import { tokenExample } from './sessions.ts';
import { shownUser, userExample, userMembers, userSchema, usersTag } from './users.ts';

const { Id, ...invitedMembers } = userMembers;
const mail = { format: 'mail', minLength: 1, maxLength: 320, description: 'E-mail address to log in with' };

const linkText = 'Link with which the user sets the password: once, within 7 days. It is shown only here';
const linkProperty = Type.String({ description: linkText });

const inviteLink = ({ baseUrl, consoleUrl = baseUrl }: Links, secret: string) =>
  `${consoleUrl}/#invite=${secret}`;

export const inviteUser = defineEndpoint({
  method: 'POST',
  path: '/api/auth/user/invite',
  name: 'inviteUser',
  tag: usersTag,
  summary: 'Invite a user',
  description:
    'Adds a user to the team, or a user of a publisher or advertiser (a partner, Role 3), and mails the link with which the user sets a password. Without mail (`BOURSE_SMTP_URL`), or with `SendMail` 0, it returns the link; send it to the user in a way that you trust.',
  access: accessGiver,
  accepts: checkedBody({
    schema: closedObject({
      Mail: Type.String(mail),
      ...invitedMembers,
      SendMail: Type.Optional(
        Type.Integer({
          enum: [0, 1],
          description: '1, or absent = mail the link to the user, if this server sends mail; 0 = return it',
        }),
      ),
    }),
    example: () => ({ Mail: userExample.Mail, FirstName: 'Grace', LastName: 'Hopper', Role: 1 }),
  }),
  returns: {
    description: 'Done',
    schema: closedObject({
      Status: okStatus,
      User: userSchema,
      Link: Type.String({ description: `${linkText}; \`""\` if it is mailed` }),
      Mailed: Type.Integer({ enum: [0, 1], description: '1 = the link is mailed to the user' }),
    }),
    example: (links) => ({
      ...succeeded,
      User: { ...userExample, Invited: 1 },
      Link: inviteLink(links, tokenExample),
      Mailed: 0,
    }),
  },
  serve: (context) => (call) =>
    perform(context, call, async (transaction) => {
      const { identity: writes } = transaction;
      const {
        Mail: mail,
        FirstName: firstName,
        LastName: lastName,
        Role: role,
        SendMail = 1,
        ...sent
      } = call.body;
      const partner = await partnerIn(sent, role, transaction);
      const invited = { mail, firstName, lastName, role, ...(partner && { partner }) };
      const { user, link } = await context.identity.invite(call.caller, invited, writes);
      const Mailed = SendMail === 1 && context.hasMail ? 1 : 0;
      if (Mailed === 1) {
        const to = [{ channel: 'mail', target: user.mail }] as const;
        await transaction.addSendings({
          teamId: user.teamId,
          entity: 'Invitation',
          objectId: user.id,
          dueMs: context.now(),
          to,
        });
      }
      const Link = Mailed === 1 ? '' : inviteLink(context.links(), link);
      return { body: JSON.stringify({ ...succeeded, User: shownUser(user), Link, Mailed }), isSecret: true };
    }),
});

/** For whoever has lost the first link, or the password. */
export const resetLink = defineEndpoint({
  method: 'POST',
  path: '/api/auth/user/resetlink',
  name: 'makeResetLink',
  tag: usersTag,
  summary: 'Make a link to set the password',
  description:
    'Returns a link with which the user sets a new password; it replaces earlier links. The old password works until then.',
  access: accessGiver,
  accepts: checkedBody({ schema: closedObject({ Id }), example: () => ({ Id: 1 }) }),
  returns: {
    description: 'Done',
    schema: closedObject({ Status: okStatus, Link: linkProperty }),
    example: (links) => ({ ...succeeded, Link: inviteLink(links, tokenExample) }),
  },
  serve: (context) => (call) =>
    perform(context, call, async ({ identity: writes }) => {
      const secret = await context.identity.addPasswordLink(call.caller, call.body.Id, writes);
      const Link = inviteLink(context.links(), secret);
      return { body: JSON.stringify({ ...succeeded, Link }), isSecret: true };
    }),
});
