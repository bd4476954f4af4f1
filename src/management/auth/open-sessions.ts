import { Type } from 'typebox';
import { closedObject, named, okStatus, type ReadonlyStatic, succeeded } from '../../answers/wire-schema.ts';
import { idSchema, intMax } from '../../fields/number.ts';
import type { ShownSession } from '../../identity/open-sessions.ts';
import { everyUser } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number } from '../endpoint/parameter.ts';
import { perform } from '../perform.ts';
import { usersTag } from './users.ts';

const sessionSchema = named(
  'Session',
  closedObject(
    {
      Id: Type.Integer({ description: 'ID of the session' }),
      UserId: Type.Integer({ description: 'ID of the user' }),
      Created: Type.String({ description: 'When it began, for example 2027-01-31T12:00:00.000Z' }),
      LastUsed: Type.String({
        description:
          'When it was last used, to the minute; "" = not yet, and always for access tokens, which last an hour',
      }),
      Address: Type.String({ description: 'IP address that it was opened from; "" = the command line' }),
      UserAgent: Type.String({ description: 'Browser or program that opened it, in its own words' }),
      IsCurrent: Type.Integer({ enum: [0, 1], description: '1 = the session of this request' }),
    },
    'A session of the console, or an access token',
  ),
);

type Shown = ReadonlyStatic<typeof sessionSchema>;

function shown({ id, userId, createdAtMs, lastUsedAtMs, client, isCurrent }: ShownSession): Shown {
  return {
    Id: id,
    UserId: userId,
    Created: new Date(createdAtMs).toJSON(),
    LastUsed: lastUsedAtMs === undefined ? '' : new Date(lastUsedAtMs).toJSON(),
    Address: client.address,
    UserAgent: client.userAgent,
    IsCurrent: isCurrent ? 1 : 0,
  };
}

const example: Shown = {
  Id: 4711,
  UserId: 1,
  Created: '2027-01-31T09:00:00.000Z',
  LastUsed: '2027-01-31T12:00:00.000Z',
  Address: '192.0.2.7',
  UserAgent: 'Mozilla/5.0',
  IsCurrent: 1,
};

export const getSessions = defineEndpoint({
  method: 'GET',
  path: '/api/auth/session/get',
  name: 'getSessions',
  tag: usersTag,
  summary: 'Fetch sessions',
  description:
    'Open console sessions and access tokens of the calling user; administrators can name another user of the team with `UserId`.',
  access: everyUser,
  parameters: { UserId: number({ help: 'ID of the user; absent = the caller', max: intMax }) },
  failures: { Forbidden: 'Only administrators can see the sessions of others.' },
  returns: { description: 'The sessions', schema: Type.Array(sessionSchema), example: () => [example] },
  serve:
    ({ identity }) =>
    async ({ caller, parameters: { UserId } }) =>
      (await identity.sessions(caller, UserId || undefined)).map(shown),
});

export const endSession = defineEndpoint({
  method: 'POST',
  path: '/api/auth/session/end',
  name: 'endSession',
  tag: usersTag,
  summary: 'End a session',
  description:
    'Ends a session or an access token immediately. Administrators can end those of any user of the team; everyone else only their own: 406 otherwise.',
  access: { ...everyUser, changes: true },
  accepts: checkedBody({
    schema: closedObject({ Id: { ...idSchema, description: 'ID of the session' } }),
    example: () => ({ Id: example.Id }),
  }),
  returns: { description: 'Done', schema: closedObject({ Status: okStatus }), example: () => succeeded },
  serve: (context) => (call) =>
    perform(context, call, async ({ identity: writes }) => {
      await context.identity.endSession(call.caller, call.body.Id, writes);
      return { body: JSON.stringify(succeeded) };
    }),
});
