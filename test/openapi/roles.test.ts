import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createIdentity } from '../../src/identity/identity.ts';
import { partner } from '../../src/identity/roles.ts';
import { roles } from '../../src/reference/roles.ts';
import { openStore } from '../../src/store/open-store.ts';
import { addUsers } from '../management/users.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type ApiDocument, type Found, operationsOf, requiredQuery } from './document.ts';

let server: TestServer;
let operations: readonly Found[];

beforeEach(async () => {
  server = await startTestServer();
  operations = operationsOf((await (await fetch(`${server.url}/api/openapi.json`)).json()) as ApiDocument);
});
afterEach(() => server.close());

/** POSTs that change nothing, or are about the caller's own token: for every role. */
const forAll =
  /^\/api\/(auth\/(refresh|logout|apikey\/get|password|totp\/\w+|session\/end|download)|exchange\/(explain|consent)|config\/plan|statistics\/(report|drivers)|own\/report\/\w+)$/;

const forAdministrators = /^\/api\/(auth\/user\/(?!get)\w+|demonstration\/start|team\/update)$/;

/** What is asked for by a password, a link or a statistics credential, and not by a token. */
const ownCredentials = /^\/api\/auth\/(login|session|link)$|\/stats\//;

/** Operations that refuse API keys, whatever the role. */
const isOfKeys = ({ path }: Found) => /^\/api\/auth\/(refresh|logout|password|totp\/\w+)$/.test(path);

/** What partners may call: what is about themselves, reference lists, their own objects and their reports. */
const forPartners =
  /^\/api\/(auth\/(refresh|logout|account|password|totp\/\w+|session\/\w+|download|user\/get)|info\/\w+|integrations\/get|portal\/.+|own\/report\/\w+|statistics\/(report|combinations))$/;
/** Of their own objects, those of a publisher's side. */
const ofPublishers = /^\/api\/portal\/(publisher|ortb\/(vasttag|rtbep)|bannerep|xml\/popfeed|adstxt)\/get$/;
/** What is open to all roles, and closed to some of their users. */
const forbidsSome: readonly string[] = ['/api/auth/session/get', '/api/integrations/get'];
/** What needs no token. */
const forAnyone = /^\/(api\/openapi\.json|healthz|readyz|metrics)$/;

/** Whether a role may not call an operation, whatever it sends. */
function isClosedTo(role: number, { method, path }: Found): boolean {
  if (forAnyone.test(path)) return false;
  const isOfPortal = path.startsWith('/api/portal/');
  if (role === partner) return !forPartners.test(path) || (isOfPortal && !ofPublishers.test(path));
  if (isOfPortal || (role > 0 && forAdministrators.test(path))) return true;
  return role === 2 && method === 'POST' && !forAll.test(path);
}

async function statusOf({ method, path, operation }: Found, token: string): Promise<number> {
  const example = operation.requestBody?.content?.['application/json']?.example;
  const answer = await fetch(server.url + path + requiredQuery(operation), {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(example === undefined ? {} : { body: JSON.stringify(example) }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

describe('decision A5, for every operation of the document', () => {
  for (const { Id: role, Name } of roles) {
    test(`as ${Name.toLowerCase()}`, async () => {
      const of = role === partner ? { partner: { kind: 'Publisher', id: 1 } } : {};
      const [user, refreshes, logsOut] = await addUsers(server, Array(3).fill({ role, teamId: 1, ...of }));
      const tokens = new Map([
        ['/api/auth/refresh', refreshes?.token],
        ['/api/auth/logout', logsOut?.token],
      ]);
      for (const found of operations.filter(({ path }) => !ownCredentials.test(path))) {
        const isClosed = isClosedTo(role, found);
        const status = await statusOf(found, tokens.get(found.path) ?? user?.token ?? '');
        // An example may name what is not there, or take what is taken: the role has let it through.
        const allowed = found.method === 'POST' || requiredQuery(found.operation) !== '' ? [200, 406] : [200];
        assert.ok((isClosed ? [403] : allowed).includes(status), `${found.name}: ${status}`);
        const isForSome = roles.some(({ Id }) => isClosedTo(Id, found));
        const tells = isForSome || isOfKeys(found) || forbidsSome.includes(found.path);
        assert.equal('403' in found.operation.responses, tells, `403 of ${found.name}`);
      }
    });
  }

  test('as an edge, whose key is for nothing but /api/edge/', async () => {
    const store = await openStore({ url: server.databaseUrl, now: Date.now });
    const { key } = await createIdentity({ store, now: Date.now }).addEdgeKey('an edge');
    await store.close();
    const isOpen = ({ path }: Found) => ownCredentials.test(path) || forAnyone.test(path);
    for (const found of operations.filter((one) => !isOpen(one)))
      assert.equal(await statusOf(found, key), 403, found.name);
  });
});
