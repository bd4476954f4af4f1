import { Type } from 'typebox';
import { invalid, pathOf } from '../../fields/fault.ts';
import { keysAddNone } from '../../identity/api-keys.ts';
import { writer } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { closedObject, okStatus } from '../endpoint/wire-schema.ts';
import { readMoment } from '../input/moment.ts';
import { perform } from '../perform.ts';
import {
  answeredMembers,
  keyAnswer,
  keyExample,
  labelDescription,
  momentSchema,
  newKeySchema,
} from './api-key.ts';
import { authTag, tokenExample } from './session.ts';

const { Id, Label, ...exampleRest } = keyExample;

function expiryIn(ExpiresAt: string): { expiresAtMs?: number } {
  if (ExpiresAt === '') return {};
  const moment = readMoment(ExpiresAt);
  if (moment) return { expiresAtMs: moment.fromMs };
  const Path = pathOf('ApiKey', 'ExpiresAt');
  throw invalid([{ Path, Code: 'format', Message: 'is no date and time of the calendar' }]);
}

/** A token for a machine (decisions A3). */
export const addApiKey = defineEndpoint({
  method: 'POST',
  path: '/api/auth/apikey/add',
  name: 'addApiKey',
  tag: authTag,
  summary: 'Add an API key',
  description:
    'Adds a token for a machine, which speaks for the user of this request. The key is shown only in this answer.',
  access: { ...writer, refusesApiKeys: keysAddNone },
  accepts: checkedBody({
    wrapper: 'ApiKey',
    schema: closedObject({
      Label: Type.String({ minLength: 1, maxLength: 100, description: labelDescription }),
      ExpiresAt: Type.Optional(momentSchema('When the key ends; omitted or "" = never')),
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
