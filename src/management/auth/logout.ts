import { keysHaveNo } from '../../identity/sessions.ts';
import { reader } from '../endpoint/access.ts';
import { emptyBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { closedObject, okStatus, succeeded } from '../endpoint/wire-schema.ts';
import { authTag } from './session.ts';

/** The end of the token that asks (decisions A2). */
export const logout = defineEndpoint({
  method: 'POST',
  path: '/api/auth/logout',
  name: 'logout',
  tag: authTag,
  summary: 'Log out',
  description: 'Ends the access token of this request. API keys do not log out, they are revoked: 403.',
  access: { ...reader, refusesApiKeys: keysHaveNo('logout') },
  accepts: emptyBody,
  returns: {
    description: 'Done',
    schema: closedObject({ Status: okStatus }),
    example: () => succeeded,
  },
  serve:
    ({ identity }) =>
    async ({ caller }) => {
      await identity.logout(caller);
      return succeeded;
    },
});
