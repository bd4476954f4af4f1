import { type TProperties, Type } from 'typebox';
import { closedObject, okStatus } from '../../answers/wire-schema.ts';
import { invalid, pathOf } from '../../fields/fault.ts';
import { dateTimePattern, readMoment } from '../../fields/moment.ts';
import { idSchema } from '../../fields/number.ts';
import { type ApiKey, type NewApiKey, noKeysByApiKeys } from '../../identity/api-keys.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { Context } from '../context.ts';
import { reader, writer } from '../endpoint/access.ts';
import { checkedBody, emptyBody } from '../endpoint/body.ts';
import { type Call, defineEndpoint } from '../endpoint/endpoint.ts';
import { perform } from '../perform.ts';
import { authTag, tokenExample } from './sessions.ts';

/** A date and time with its zone; `""` = never. */
const momentSchema = (description: string) =>
  Type.String({
    pattern: `^(${dateTimePattern})?$`,
    maxLength: 40,
    description,
    'x-wants': 'must be a date and time like 2027-01-31T12:00:00Z',
  });

const labelDescription = 'What the key is for';

const keySchemaWith = <More extends TProperties>(more: More) =>
  closedObject({
    Id: Type.Integer({ description: 'ID of the key' }),
    Label: Type.String({ description: labelDescription }),
    ...more,
    UserId: Type.Integer({ description: 'ID of the user for whom the key acts' }),
    CreatedAt: momentSchema('When the key was added'),
    ExpiresAt: momentSchema('When the key expires; "" = never'),
    LastUsedAt: momentSchema('When the key was last used, to the minute; "" = never'),
  });

const keySchema = keySchemaWith({});

const newKeySchema = keySchemaWith({
  Key: Type.String({ description: 'The key itself; it is shown only here' }),
});

const answeredMembers: readonly string[] = Object.keys(newKeySchema.properties);

const keyExample = {
  Id: 7,
  Label: 'nightly report',
  UserId: 1,
  CreatedAt: '2027-01-01T09:00:00.000Z',
  ExpiresAt: '2027-12-31T00:00:00.000Z',
  LastUsedAt: '',
};

function shownTime(atMs: number | undefined): string {
  return atMs === undefined ? '' : new Date(atMs).toJSON();
}

function keyBody(key: ApiKey | NewApiKey) {
  return {
    Id: key.id,
    Label: key.label,
    ...('key' in key ? { Key: key.key } : {}),
    UserId: key.userId,
    CreatedAt: shownTime(key.createdAtMs),
    ExpiresAt: shownTime(key.expiresAtMs),
    LastUsedAt: shownTime(key.lastUsedAtMs),
  };
}

function keyAnswer(key: ApiKey | NewApiKey) {
  return { body: JSON.stringify({ Status: 'Ok', ApiKey: keyBody(key) }) };
}

const { Id, Label, ...exampleRest } = keyExample;

function expiryIn(ExpiresAt: string): { expiresAtMs?: number } {
  if (ExpiresAt === '') return {};
  const moment = readMoment(ExpiresAt);
  if (moment) return { expiresAtMs: moment.fromMs };
  const Path = pathOf('ApiKey', 'ExpiresAt');
  throw invalid([{ Path, Code: 'format', Message: 'is not a valid date and time' }]);
}

/** For a machine (reference, A3). */
export const addApiKey = defineEndpoint({
  method: 'POST',
  path: '/api/auth/apikey/add',
  name: 'addApiKey',
  tag: authTag,
  summary: 'Add an API key',
  description:
    'Adds a token for a machine that acts for the user of this request. The key is shown only in this answer.',
  access: { ...writer, refusesApiKeys: noKeysByApiKeys },
  accepts: checkedBody({
    wrapper: 'ApiKey',
    schema: closedObject({
      Label: Type.String({ minLength: 1, maxLength: 100, description: labelDescription }),
      ExpiresAt: Type.Optional(momentSchema('When the key expires; omitted or "" = never')),
    }),
    example: () => ({ Label, ExpiresAt: '2027-12-31T00:00:00Z' }),
    ignored: answeredMembers,
  }),
  returns: {
    description: 'Done',
    schema: closedObject({ Status: okStatus, ApiKey: newKeySchema }),
    example: () => ({ Status: 'Ok', ApiKey: { Id, Label, Key: tokenExample, ...exampleRest } }),
  },
  serve: (context) => (call) => {
    const { caller, body } = call;
    const wanted = { label: body.Label, ...expiryIn(body.ExpiresAt ?? '') };
    return perform(context, call, async (transaction) => ({
      ...keyAnswer(await context.identity.addApiKey(caller, wanted, transaction.identity)),
      isSecret: true,
    }));
  },
});

const listKeys = {
  path: '/api/auth/apikey/get',
  tag: authTag,
  summary: 'Fetch API keys',
  description:
    'All keys of the team for administrators; other users see their own. The keys themselves are not shown.',
  access: reader,
  returns: { description: 'Done', schema: Type.Array(keySchema), example: () => [keyExample] },
  serve:
    ({ identity }: Context) =>
    async ({ caller }: Pick<Call<Bearer>, 'caller'>) =>
      (await identity.apiKeys(caller)).map(keyBody),
};

export const getApiKeys = defineEndpoint({ ...listKeys, method: 'GET', name: 'getApiKeys' });

/** For clients that only POST (reference, A3). */
export const postApiKeys = defineEndpoint({
  ...listKeys,
  method: 'POST',
  name: 'postApiKeys',
  accepts: emptyBody,
});

export const revokeApiKey = defineEndpoint({
  method: 'POST',
  path: '/api/auth/apikey/revoke',
  name: 'revokeApiKey',
  tag: authTag,
  summary: 'Revoke an API key',
  description:
    'Revokes the key immediately. Administrators can revoke any key of the team; everyone else only their own: 406 otherwise.',
  access: writer,
  accepts: checkedBody({
    wrapper: 'ApiKey',
    schema: closedObject({ Id: { ...idSchema, description: 'ID of the key' } }),
    example: () => ({ Id: keyExample.Id }),
    ignored: answeredMembers,
  }),
  returns: {
    description: 'Done',
    schema: closedObject({ Status: okStatus, ApiKey: keySchema }),
    example: () => ({ Status: 'Ok', ApiKey: keyExample }),
  },
  serve: (context) => (call) =>
    perform(context, call, async (transaction) =>
      keyAnswer(await context.identity.revokeApiKey(call.caller, call.body.Id, transaction.identity)),
    ),
});
