import { Type } from 'typebox';
import { closedObject, okStatus, succeeded } from '../../answers/wire-schema.ts';
import type { Users } from '../../identity/users.ts';
import type { Bearer, PartnerOf } from '../../store/identity/interface.ts';
import type { Transaction } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { accessGiver, administrator } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts';
import { perform } from '../perform.ts';
import { partnerIn } from './partner-of.ts';
import { shownUser, userExample, userMembers, userSchema, usersTag } from './users.ts';

const { Id, ...changeable } = userMembers;

const answeredSchema = closedObject({ Status: okStatus, User: userSchema });

const returns = {
  description: 'Done',
  schema: answeredSchema,
  example: () => ({ ...succeeded, User: userExample }),
};

interface UserChange {
  readonly id: number;
  readonly role: number | undefined;
  readonly sent: Parameters<typeof partnerIn>[0];
}

/** A partner keeps its account. */
async function partnerAfter(
  { identity }: Pick<Context, 'identity'>,
  caller: Bearer,
  { id, role, sent }: UserChange,
  transaction: Transaction,
): Promise<{ readonly is: PartnerOf | undefined } | undefined> {
  const isSent = Object.keys(sent).length > 0;
  if (role === undefined && !isSent) return undefined;
  const user = (await identity.users(caller)).find((one) => one.id === id);
  if (!user) return undefined;
  if (user.partner && !isSent && role === user.role) return undefined;
  return { is: await partnerIn(sent, role ?? user.role, transaction) };
}

export const updateUser = defineEndpoint({
  method: 'POST',
  path: '/api/auth/user/update',
  name: 'updateUser',
  tag: usersTag,
  summary: 'Change a user',
  description:
    "Changes the members that are sent. A new role takes effect with the user's next request. A team must keep an active administrator: 406 otherwise.",
  access: accessGiver,
  accepts: checkedBody({
    schema: closedObject({ Id, ...Type.Partial(closedObject(changeable)).properties }),
    example: () => ({ Id: userExample.Id, FirstName: 'Grace' }),
  }),
  returns,
  serve: (context) => (call) =>
    perform(context, call, async (transaction) => {
      const { Id: id, FirstName: firstName, LastName: lastName, Role: role, ...sent } = call.body;
      const partner = await partnerAfter(context, call.caller, { id, role, sent }, transaction);
      const values = {
        ...(firstName !== undefined && { firstName }),
        ...(lastName !== undefined && { lastName }),
        ...(role !== undefined && { role }),
        ...(partner && { partner: partner.is }),
      };
      const user = await context.identity.updateUser(call.caller, id, values, transaction.identity);
      return { body: JSON.stringify({ ...succeeded, User: shownUser(user) }) };
    }),
});

/** By the last word of its path. */
const changes = [
  {
    word: 'deactivate',
    name: 'deactivateUser',
    summary: 'Shut a user out',
    description:
      'Ends all sessions and access tokens of the user, and revokes the API keys. You cannot shut out yourself or the last active administrator: 406.',
    access: administrator,
    change: 'deactivateUser',
  },
  {
    word: 'activate',
    name: 'activateUser',
    summary: 'Let a user in again',
    description: 'The user can log in again with the same password. API keys stay revoked.',
    access: accessGiver,
    change: 'activateUser',
  },
  {
    word: 'resettotp',
    name: 'resetTotp',
    summary: 'Remove the second factor of a user',
    description:
      'For a user who has lost the app and the recovery codes: the user then logs in with the password alone.',
    access: accessGiver,
    change: 'resetSecondFactor',
  },
] as const satisfies readonly { change: keyof Users; [more: string]: unknown }[];

export const userChanges: readonly Endpoint[] = changes.map(({ word, change, ...described }) =>
  defineEndpoint({
    ...described,
    method: 'POST',
    path: `/api/auth/user/${word}`,
    tag: usersTag,
    accepts: checkedBody({ schema: closedObject({ Id }), example: () => ({ Id: userExample.Id }) }),
    returns,
    serve: (context) => (call) =>
      perform(context, call, async ({ identity: writes }) => {
        const user = await context.identity[change](call.caller, call.body.Id, writes);
        return { body: JSON.stringify({ ...succeeded, User: shownUser(user) }) };
      }),
  }),
);
