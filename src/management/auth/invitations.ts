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

const linkProperty = Type.String({
  description: 'Link with which the user sets the password: once, within 7 days. It is shown only here',
});

const inviteLink = ({ baseUrl, consoleUrl = baseUrl }: Links, secret: string) =>
  `${consoleUrl}/#invite=${secret}`;

export const inviteUser = defineEndpoint({
  method: 'POST',
  path: '/api/auth/user/invite',
  name: 'inviteUser',
  tag: usersTag,
  summary: 'Invite a user',
  description:
    'Adds a user to the team, or a user of a publisher or advertiser (a partner, Role 3), and returns the link with which the user sets a password. Bourse does not mail it; send it to the user in a way that you trust.',
  access: accessGiver,
  accepts: checkedBody({
    schema: closedObject({
      Mail: Type.String(mail),
      ...invitedMembers,
    }),
    example: () => ({ Mail: userExample.Mail, FirstName: 'Grace', LastName: 'Hopper', Role: 1 }),
  }),
  returns: {
    description: 'Done',
    schema: closedObject({ Status: okStatus, User: userSchema, Link: linkProperty }),
    example: (links) => ({
      ...succeeded,
      User: { ...userExample, Invited: 1 },
      Link: inviteLink(links, tokenExample),
    }),
  },
  serve: (context) => (call) =>
    perform(context, call, async (transaction) => {
      const { identity: writes } = transaction;
      const { Mail: mail, FirstName: firstName, LastName: lastName, Role: role, ...sent } = call.body;
      const partner = await partnerIn(sent, role, transaction);
      const invited = { mail, firstName, lastName, role, ...(partner && { partner }) };
      const { user, link } = await context.identity.invite(call.caller, invited, writes);
      const Link = inviteLink(context.links(), link);
      return { body: JSON.stringify({ ...succeeded, User: shownUser(user), Link }), isSecret: true };
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
