import { idSchema } from '../../fields/number.ts';
import { writer } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { closedObject, okStatus } from '../endpoint/wire-schema.ts';
import { perform } from '../perform.ts';
import { answeredMembers, keyAnswer, keyExample, keySchema } from './api-key.ts';
import { authTag } from './session.ts';

/** The end of an API key (decisions A9). */
export const revokeApiKey = defineEndpoint({
  method: 'POST',
  path: '/api/auth/apikey/revoke',
  name: 'revokeApiKey',
  tag: authTag,
  summary: 'Revoke an API key',
  description:
    'Ends the key at once. Administrators revoke any key of the team; for others, the keys of other users do not exist: 406.',
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
