import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bourseProcess, stopped } from '../cli/bourse-process.ts';
import { type ExchangeRoom, furnish, type Stored, zoneUrl } from '../exchange/exchange-room.ts';
import { film } from '../exchange/vast-room.ts';
import type { SpawnedServer } from '../spawned-server.ts';
import { addedCounters } from '../statistics/added-counters.ts';
import { type Alteration, alteredProgram } from '../support/altered-server.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { tokenOf } from '../support/server.ts';

const migration = (row: string): Alteration => ({
  file: 'src/store/migrations/migrate.ts',
  behind: 'export const migrations: Readonly<Record<string, Step>> = {\n',
  insert: `  ${row},\n`,
});

/** A version whose migration adds a column and a table; with a field, an entity and counters that are new, too. */
const nextVersion: readonly Alteration[] = [
  migration(`'0901-next': { up: async (_, db) => {
    await sql\`alter table team add column vat_id text not null default ''\`.execute(db);
    await sql\`create table seat (id integer primary key)\`.execute(db);
  } }`),
  {
    file: 'src/entities/campaign.ts',
    behind: "        Cpm: cpm({ help: 'Bid in CPM' }),\n",
    insert: "        Motto: text({ help: 'What the code means', example: 'More' }),\n",
  },
  {
    file: 'src/entities/registry.ts',
    behind: 'const declared = [\n',
    insert: "  { ...tag, key: 'Seal', title: 'Seal', wrapper: 'Seal', path: 'seal' },\n",
  },
  ...addedCounters,
];

/** A version whose migration changes what versions before use. */
const changedVersion = migration(`'0902-changed': { up: async (_, db) => {
    await sql\`alter table demo rename column doc to document\`.execute(db);
  }, requires: { migration: '0902-changed', version: '9.0.0' } }`);

const [mail, password] = ['ada@example.com', 'correct horse battery'];
const programs = {
  old: bourseProcess(),
  next: bourseProcess(alteredProgram(nextVersion)),
  changed: bourseProcess(alteredProgram([...nextVersion, changedVersion])),
};

let postgres: SharedPostgres | undefined;
before(async () => {
  postgres = await sharedPostgres();
});
after(() => postgres?.remove());

/** Answers of the management API. */
type Call = ExchangeRoom['call'];

/** The two versions that serve one database, and what is configured in it. */
interface Sides {
  readonly old: SpawnedServer;
  readonly next: SpawnedServer;
  readonly room: ExchangeRoom;
  /** Calls the API of the old one, and of the new one. */
  readonly calls: readonly [old: Call, next: Call];
  readonly campaign: Stored;
  readonly tag: Stored;
  readonly environment: NodeJS.ProcessEnv;
}

function callOf(url: string, token: string): Call {
  return async (path, body) => {
    const response = await fetch(`${url}/api/${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    const answer = (await response.json()) as Readonly<Record<string, unknown>>;
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer;
  };
}

/** Serves a database by the old version, which fills it, and then by the new one beside it. */
async function serveBoth(databaseUrl: string): Promise<Sides> {
  const environment = {
    BOURSE_ADMIN_MAIL: mail,
    BOURSE_ADMIN_PASSWORD: password,
    BOURSE_DATABASE_URL: databaseUrl,
  };
  const old = await programs.old.serve(environment);
  const { url } = old;
  const token = await tokenOf(url, mail, password);
  const room = await furnish({ url, token, mail, password, databaseUrl, close: async () => undefined });
  const campaign = await room.add('campaign', film);
  const tag = await room.add('ortb/vasttag', { Campaigns: [campaign.Id] });
  const next = await programs.next.serve(environment);
  // The token that the old version has given is good for both.
  const calls = [room.call, callOf(next.url, token)] as const;
  return { old, next, room, calls, campaign, tag, environment };
}

/** Asks one version for an ad, and calls its pixel at another one. */
async function playAt(tag: Stored, asks: SpawnedServer, pixel: SpawnedServer): Promise<void> {
  const at = (url: string, { url: base }: SpawnedServer) => base + url.slice(new URL(url).origin.length);
  const ad = await (await fetch(at(zoneUrl(tag), asks))).text();
  const tracker = /https?:\/\/[\w.:]+\/track\/impression\?t=[\w.:~-]+/.exec(ad)?.[0] ?? assert.fail(ad);
  assert.equal((await fetch(at(tracker, pixel))).status, 200);
}

/** What holds of two versions, in this order. */
const laws: readonly (readonly [what: string, check: (sides: Sides) => Promise<void>])[] = [
  [
    'both write, and neither loses what the other one has written',
    async ({ calls, campaign: { Id } }) => {
      const [old, next] = calls;
      const both = async (path: string) => [await old(path), await next(path)] as const;
      await next('campaign/update', { Campaign: { Id, Motto: 'More' } });
      await next('seal/add', { Seal: { Name: 'Gold' } });
      await old('campaign/update', { Campaign: { Id, Name: 'Renamed' } });
      const [before, now] = await both(`campaign/get?Id=${Id}`);
      const names = [before.Name, before.Motto, now.Name, now.Motto];
      assert.deepEqual(names, ['Renamed', undefined, 'Renamed', 'More']);
      const [seen, all] = await both('history/get?Limit=1000');
      assert.deepEqual([seen.length, Number(seen.length) > 0], [all.length, true]);
      const { Revision } = await old('exchange/status');
      for (const path of [`exchange/status?Revision=${Revision}`, 'search?Query=Gold', 'config/export'])
        await both(path);
    },
  ],
  [
    'each takes the trackers of ads of the other, and both count',
    async ({ old, next, room, tag }) => {
      await playAt(tag, old, next);
      await playAt(tag, next, old);
      await room.statistics(tag, ({ Requests, NetImpressions }) => Requests === 2 && NetImpressions === 2);
    },
  ],
  [
    'the old one can be started again, and says what it has found',
    async ({ environment }) => {
      const again = await programs.old.serve(environment);
      const { output } = await stopped(again);
      assert.match(output, /"newerMigrations":\["0901-next"\].*continues to work with it/);
      const { code, stdout, stderr } = await programs.old.run(['migrate'], { environment });
      assert.equal(code, 0, stderr);
      assert.match(
        stdout,
        /the schema of a newer program, which this one can use \(0901-next\); it is at revision/,
      );
    },
  ],
  [
    'where a version has changed what others use, they refuse by name, and say what to do',
    async ({ old, next, environment }) => {
      const migrated = await programs.changed.run(['migrate'], { environment });
      assert.equal(migrated.code, 0, migrated.stderr);
      const says = /this database needs Bourse 9\.0\.0 or newer; this is \d+\.\d+\.\d+.*\(0902-changed\)/;
      for (const { url } of [old, next]) {
        const answer = await fetch(`${url}/readyz`);
        assert.equal(answer.status, 503);
        assert.match(await answer.text(), says);
      }
      const { code, stderr } = await programs.old.run(['serve'], { environment });
      assert.equal(code, 1);
      assert.match(stderr, says);
      assert.match(stderr, /BOURSE_DATABASE_URL: .* Start that version on it; or restore a backup/);
    },
  ],
];

describe('two versions on one database, in an upgrade of one server after the other', () => {
  const engines: readonly (readonly [name: string, url: () => Promise<string>])[] = [
    ['SQLite', async () => `sqlite:${programs.old.databasePath}`],
    ['PostgreSQL', async () => (await postgres?.freshDatabase()) ?? assert.fail()],
  ];
  for (const [name, urlOf] of engines) {
    describe(`on ${name}`, () => {
      let sides: Sides;
      before(async () => {
        sides = await serveBoth(await urlOf());
      });
      after(async () => {
        for (const server of [sides.old, sides.next]) await stopped(server);
      });
      for (const [what, check] of laws) test(what, () => check(sides));
    });
  }
});
