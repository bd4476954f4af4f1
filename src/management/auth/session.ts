import { Type } from 'typebox';
import type { Session } from '../../identity/sessions.ts';
import type { ResponseBody, Tag } from '../endpoint/endpoint.ts';
import { closedObject, okStatus, succeeded } from '../endpoint/wire-schema.ts';

/** Endpoints about who calls. */
export const authTag: Tag = {
  name: 'Authentication',
  description: 'Access tokens, API keys, and the user that a token belongs to.',
};

/** A token in examples. */
export const tokenExample = 'ZXhhbXBsZS1vbmx5LWV4YW1wbGUtb25seS1leGFtcGw';

const sessionSchema = closedObject({
  Status: okStatus,
  UID: Type.Integer({ description: 'ID of the user' }),
  AccessToken: Type.String({ description: 'Token for the header "Authorization: Bearer <token>"' }),
  ExpiresIn: Type.Integer({ description: 'Seconds that the token lasts' }),
});

/** A session as answers show it. */
export const sessionResponse: ResponseBody<typeof sessionSchema> = {
  description: 'Done',
  schema: sessionSchema,
  example: () => ({ Status: 'Ok', UID: 1, AccessToken: tokenExample, ExpiresIn: 3600 }),
};

/** What a session is shown as. */
export function sessionBody({ userId, accessToken, expiresInSeconds }: Session) {
  return { ...succeeded, UID: userId, AccessToken: accessToken, ExpiresIn: expiresInSeconds };
}
