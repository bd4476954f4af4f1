import { Type } from 'typebox';
import { reader } from '../endpoint/access.ts';
import { emptyBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { keyBody, keyExample, keySchema } from './api-key.ts';
import { authTag } from './session.ts';

const listKeys = {
  path: '/api/auth/apikey/get',
  tag: authTag,
  summary: 'Fetch API keys',
  description:
    "The team's keys for an administrator, for others their own. The keys themselves are not shown.",
  access: reader,
  returns: { description: 'Done', schema: Type.Array(keySchema), example: () => [keyExample] },
};

/** API keys, without the keys themselves. */
export const getApiKeys = defineEndpoint({
  ...listKeys,
  method: 'GET',
  name: 'getApiKeys',
  serve:
    ({ identity }) =>
    async ({ caller }) =>
      (await identity.apiKeys(caller)).map(keyBody),
});

/** The same by POST, for clients that only POST (decisions A3). */
export const postApiKeys = defineEndpoint({
  ...listKeys,
  method: 'POST',
  name: 'postApiKeys',
  accepts: emptyBody,
  serve:
    ({ identity }) =>
    async ({ caller }) =>
      (await identity.apiKeys(caller)).map(keyBody),
});
