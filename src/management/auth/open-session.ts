import { type Static, Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import type { Identity } from '../../identity/identity.ts';
import type { ConsoleSession } from '../../identity/sessions.ts';
import { anyone } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { type Call, defineEndpoint } from '../endpoint/endpoint.ts';
import { browserCookie, sessionCookie } from '../http/session-cookie.ts';
import { accountExample, accountSchema } from './account.ts';
import { linkSchema } from './password.ts';
import { authTag } from './sessions.ts';
import { loginFailures, loginSchema, tryLogin } from './try-login.ts';

const sentSchema = Type.Partial(
  closedObject({
    ...loginSchema.properties,
    Link: {
      ...linkSchema,
      description: 'Instead of all other members: the secret in the link that the first start printed',
    },
  }),
);
type Sent = Static<typeof sentSchema>;

const isLogin = (sent: Sent): sent is Static<typeof loginSchema> =>
  sent.Username !== undefined && sent.Password !== undefined;

/** Neither a login nor a link. */
function faultsOf(sent: Sent): readonly Fault[] {
  const names = ['Username', 'Password'] as const;
  if (sent.Link !== undefined) {
    const Message = 'must not be sent together with Link';
    return names
      .filter((name) => sent[name] !== undefined)
      .map((Path) => ({ Path, Code: 'contradiction', Message }));
  }
  const missing = names.filter((name) => sent[name] === undefined);
  return missing.map((Path) => ({ Path, Code: 'required', Message: 'is required, unless Link is sent' }));
}

function open(identity: Identity, call: Call<undefined, unknown, Sent>): Promise<ConsoleSession> {
  const { body, clientAddress, userAgent } = call;
  const faults = faultsOf(body);
  if (faults.length > 0) throw invalid(faults);
  if (isLogin(body)) return tryLogin(call, body, identity.openConsole);
  return identity.openConsoleByLink({ link: body.Link ?? '', address: clientAddress(), userAgent });
}

export const openSession = defineEndpoint({
  method: 'POST',
  path: '/api/auth/session',
  name: 'openSession',
  tag: authTag,
  summary: 'Log in to the console',
  description:
    'Begins a session for a browser, and returns the account. The session is the cookie `bourse-session`, which scripts cannot read; it ends after an hour without use, and after twelve hours in any case. A request with the cookie is valid only with the header `Bourse-Console: 1`, or `poll`, which does not count as use. Programs should use `login`.',
  access: { ...anyone, isForConsole: true },
  setsCookie: true,
  accepts: checkedBody({
    schema: sentSchema,
    example: () => ({ Username: 'ada@example.com', Password: 'correct horse battery' }),
  }),
  returns: {
    description: 'Done',
    schema: closedObject({
      ...accountSchema.properties,
      ExpiresIn: Type.Integer({ description: 'Seconds until the session ends if it is not used' }),
    }),
    example: () => ({ ...accountExample, ExpiresIn: 3600 }),
  },
  failures: loginFailures,
  serve:
    ({ identity, links }) =>
    async (call) => {
      const session = await open(identity, call);
      const { accessToken, browserToken, expiresInSeconds: ExpiresIn } = session;
      const body = { ...(await identity.account(session)), ExpiresIn };
      const at = links();
      const cookies = [sessionCookie(accessToken, at), browserCookie(browserToken, at)];
      return { body: JSON.stringify(body), headers: { 'set-cookie': cookies } };
    },
});
