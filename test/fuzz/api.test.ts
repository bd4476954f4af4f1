import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Found } from '../openapi/document.ts';
import { jsonOf } from '../postgres/caller.ts';
import { queryOnce } from '../postgres/hard-stop.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { areAllDrawn, drawn, seed } from '../support/seed.ts';
import { assertInvariants, exported } from './invariants.ts';
import { createInventory, type Inventory } from './inventory.ts';
import { createJudge } from './judge.ts';
import { casesOf, type FuzzCase, type Who } from './requests.ts';
import {
  addOneOfEach,
  password,
  type RunningExchange,
  startExchange,
  type TeamAccess,
} from './running-exchange.ts';

/**
 * Requests for every operation of the OpenAPI document, made up from its schemas: right ones, and right ones with a
 * fault or two. How many there are for an operation, on average; PostgreSQL answers the same but for what its SQL does.
 */
const runsPerOperation = { SQLite: 14, PostgreSQL: 5 };
const casesPerCheck = 800;
/** Which operations random cases miss is left to chance: so many more of their own find them. */
const casesToReach = 200;

/** Adds and updates have the most to them; each login takes long on purpose. */
function weightOf(name: string): number {
  if (name.endsWith('/login')) return 2;
  if (/\/(add|update|plan|apply)$/.test(name)) return 12;
  return name.endsWith('/get') ? 8 : 4;
}

/**
 * What ends the tokens of others, or locks an address out after ten wrong guesses: a few such cases would refuse all
 * others. `test/management/` has them: users, passwords, sessions, second factors.
 */
const isAboutAccess = ({ name }: Found) =>
  /^POST \/api\/auth\/(session|password|link|totp|user\/(?!invite))/.test(name);

function allCases({ document, operations }: RunningExchange): fc.Arbitrary<FuzzCase> {
  const cases = operations.filter((found) => !isAboutAccess(found));
  return fc.oneof(
    ...cases.map((found) => ({ weight: weightOf(found.name), arbitrary: casesOf(document, found) })),
  );
}

/** A token for each kind of user; the key is none that requests know the ID of. */
async function tokensOf({ own, users, other }: RunningExchange): Promise<Map<Who, string>> {
  const body = { ApiKey: { Label: 'of the test' } };
  const { ApiKey } = jsonOf(await own.caller.post('/api/auth/apikey/add', body)) as {
    ApiKey: { Key: string };
  };
  const [, manager, analyst] = users;
  return new Map<Who, string>([
    ['administrator', own.token],
    ['manager', manager?.token ?? ''],
    ['analyst', analyst?.token ?? ''],
    ['apiKey', ApiKey.Key],
    ['other', other.token],
    ['nonsense', 'x'.repeat(43)],
  ]);
}

/** Checks what must always hold, and lets the next requests draw from what is there now. */
async function check(exchange: RunningExchange, inventory: Inventory): Promise<void> {
  const all = await assertInvariants(exchange);
  inventory.renew(new Map([...all].map(([key, objects]) => [key, [...objects.keys()]])));
}

/** What a team has added so far. */
async function untilServed({ caller }: TeamAccess): Promise<void> {
  const history = jsonOf(await caller.get('/api/history/get?Limit=1000')) as readonly { Revision: number }[];
  const last = Math.max(...history.map(({ Revision }) => Revision));
  const { status, text } = await caller.get(`/api/exchange/status?Revision=${last}`);
  assert.equal(status, 200, text);
}

/** Sends cases of one operation until one succeeds. */
async function reach(
  { document }: RunningExchange,
  found: Found,
  judge: (request: FuzzCase) => Promise<void>,
  succeeded: ReadonlySet<string>,
): Promise<void> {
  for (const request of fc.sample(casesOf(document, found), { seed, numRuns: casesToReach })) {
    await judge(request);
    if (succeeded.has(found.name)) return;
  }
  assert.fail(`${casesToReach} cases have not reached ${found.name}`);
}

function fuzz(engine: keyof typeof runsPerOperation, databaseUrl: () => Promise<string | undefined>): void {
  describe(`requests made from the OpenAPI document, on ${engine}`, () => {
    let running: RunningExchange | undefined;
    before(async () => {
      running = await startExchange(await databaseUrl());
    });
    after(() => running?.close());

    test(`no answer that it does not allow, no invariant broken (seed ${seed})`, async (t) => {
      const exchange = running ?? assert.fail();
      const { operations, own, other, users } = exchange;
      const foreign = await addOneOfEach(other, 0);
      await addOneOfEach(own, users[0]?.id ?? 0);
      await untilServed(other);
      const othersView = await exported(other, operations, foreign);
      const fixed = { userIds: users.map(({ id }) => id), foreign, mail: own.mail, password };
      const inventory = createInventory(fixed);
      await check(exchange, inventory);
      const { judge, tally } = createJudge(exchange, inventory, await tokensOf(exchange));
      const cases = allCases(exchange);
      const total = drawn(runsPerOperation[engine]) * operations.length;
      for (let done = 0; done < total; done += casesPerCheck) {
        const numRuns = Math.min(casesPerCheck, total - done);
        await fc.assert(fc.asyncProperty(cases, judge), { seed: seed + done, numRuns });
        await check(exchange, inventory);
        assert.deepEqual(await exported(other, operations, foreign), othersView, 'another team was touched');
      }
      // Statistics take the credentials of an account, an explanation a tag with a zone URL, a download a path, and the
      // demonstration an empty team, which no case draws: `test/openapi/answers.test.ts` has them, and a report, whose
      // times are at quarter hours. Tests take a URL that another call has sealed, a batch or a test an object whose
      // kind stands beside its ID, as do the statistics of a partner. The portal is for partners, of whom there are none
      // here; of own reports none is drawn whose ID only their user knows, nor an entry that an alert has found, nor surely a
      // deal with a URL that it can be pushed to.
      const never = operations.filter(
        (found) =>
          !isAboutAccess(found) &&
          !/\/stats\/|\/portal\/|statistics\/(report|drivers|partner\/\w+)$|own\/report\/(?!add|get)|deal\/push$|explain$|batch$|alert\/acknowledge$|exchange\/test|download$|demonstration\/start$/.test(
            found.path,
          ) &&
          !tally.succeeded.has(found.name),
      );
      for (const found of never) await reach(exchange, found, judge, tally.succeeded);
      await check(exchange, inventory);
      assert.deepEqual(exchange.faults(), []);
      t.diagnostic(`${total} cases: ${JSON.stringify(Object.fromEntries([...tally.statuses].toSorted()))}`);
    });
  });
}

fuzz('SQLite', async () => undefined);

if (areAllDrawn) {
  describe('on a PostgreSQL server', () => {
    let server: SharedPostgres | undefined;
    before(async () => {
      server = await sharedPostgres();
    });
    after(() => server?.remove());
    fuzz('PostgreSQL', async () => {
      const url = (await server?.freshDatabase()) ?? '';
      // What is tested here outlives no power cut.
      await queryOnce(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
      return url;
    });
  });
}
