import { keysHaveNo } from '../../identity/sessions.ts';
import { reader } from '../endpoint/access.ts';
import { emptyBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { authTag, sessionBody, sessionResponse } from './session.ts';

/** A new token for the one that asks (decisions A2). */
export const refresh = defineEndpoint({
  method: 'POST',
  path: '/api/auth/refresh',
  name: 'refresh',
  tag: authTag,
  summary: 'Renew the access token',
  description: 'Gives a new access token; the one of this request ends. API keys are not renewed: 403.',
  access: { ...reader, refusesApiKeys: keysHaveNo('refresh') },
  accepts: emptyBody,
  returns: sessionResponse,
  serve:
    ({ identity }) =>
    async ({ caller }) =>
      sessionBody(await identity.refresh(caller)),
});
