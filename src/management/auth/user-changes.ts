import { Type } from 'typebox';
import type { Users } from '../../identity/users.ts';
import { accessGiver, administrator } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts';
import { closedObject, okStatus, succeeded } from '../endpoint/wire-schema.ts';
import { perform } from '../perform.ts';
import { shownUser, userExample, userMembers, userSchema, usersTag } from './users.ts';

const { Id, FirstName, LastName, Role } = userMembers;

const answeredSchema = closedObject({ Status: okStatus, User: userSchema });

const returns = {
  description: 'Done',
  schema: answeredSchema,
  example: () => ({ ...succeeded, User: userExample }),
};

/** Names and role of a user. */
export const updateUser = defineEndpoint({
  method: 'POST',
  path: '/api/auth/user/update',
  name: 'updateUser',
  tag: usersTag,
  summary: 'Change a user',
  description:
    'Changes the members that are sent. A role counts from the next request of the user on. The team keeps an active administrator: 406 otherwise.',
  access: accessGiver,
  accepts: checkedBody({
    schema: closedObject({
      Id,
      FirstName: Type.Optional(FirstName),
      LastName: Type.Optional(LastName),
      Role: Type.Optional(Role),
    }),
    example: () => ({ Id: userExample.Id, FirstName: 'Grace' }),
  }),
  returns,
  serve: (context) => (call) =>
    perform(context, call, async ({ identity: writes }) => {
      const { FirstName: firstName, LastName: lastName, Role: role } = call.body;
      const values = {
        ...(firstName !== undefined && { firstName }),
        ...(lastName !== undefined && { lastName }),
        ...(role !== undefined && { role }),
      };
      const user = await context.identity.updateUser(call.caller, call.body.Id, values, writes);
      return { body: JSON.stringify({ ...succeeded, User: shownUser(user) }) };
    }),
});

/** What may happen to a user, by the word that its path ends with. */
const changes = [
  {
    word: 'deactivate',
    name: 'deactivateUser',
    summary: 'Shut a user out',
    description:
      'Ends all sessions and access tokens of the user, and revokes the API keys. Nobody shuts out themselves, or the last active administrator: 406.',
    access: administrator,
    change: 'deactivateUser',
  },
  {
    word: 'activate',
    name: 'activateUser',
    summary: 'Let a user in again',
    description: 'The user may log in again, with the password of before. API keys stay revoked.',
    access: accessGiver,
    change: 'activateUser',
  },
  {
    word: 'resettotp',
    name: 'resetTotp',
    summary: 'Remove the second factor of a user',
    description: 'For a user who has lost the app and the recovery codes: a login needs the password alone.',
    access: accessGiver,
    change: 'resetSecondFactor',
  },
] as const satisfies readonly { change: keyof Users; [more: string]: unknown }[];

/** Deactivate, activate, reset of the second factor. */
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
