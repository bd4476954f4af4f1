import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type BourseProcess, bourseProcess, stopped } from '../cli/bourse-process.ts';
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
  migration(`'0901-next': adds(async (_, db) => {
    await sql\`alter table team add column vat_id text not null default ''\`.execute(db);
    await sql\`create table seat (id integer primary key)\`.execute(db);
  })`),
  {
    file: 'src/entities/campaign.ts',
    behind: "        Cpm: cpm({ help: 'Bid in CPM' }),\n",
    insert: "        Motto: text({ help: 'What it stands for', example: 'More' }),\n",
  },
  {
    file: 'src/entities/registry.ts',
    behind: 'const declared = [\n',
    insert: "  { ...tag, key: 'Seal', title: 'Seal', wrapper: 'Seal', path: 'seal' },\n",
  },
  ...addedCounters,
];

/** A version whose migration changes what versions before use. */
const changedVersion = migration(`'0902-changed': changes(async (_, db) => {
    await sql\`alter table demo rename column doc to document\`.execute(db);
  }, '0902-changed', '9.0.0')`);

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

/** A version that serves, with its room: the publisher and the advertiser are those of the first. */
interface Version {
  readonly server: SpawnedServer;
  readonly room: ExchangeRoom;
}

async function asked(url: string): Promise<readonly [status: number, text: string]> {
  const response = await fetch(url);
  return [response.status, await response.text()];
}

/** Asks one version for an ad, and calls its pixel at another one. */
async function playAt(tag: Stored, asks: SpawnedServer, pixel: SpawnedServer): Promise<void> {
  const at = (url: string, { url: base }: SpawnedServer) => base + url.slice(new URL(url).origin.length);
  const [, ad] = await asked(at(zoneUrl(tag), asks));
  const tracker = /https?:\/\/[\w.:]+\/track\/impression\?t=[\w.:~-]+/.exec(ad)?.[0] ?? assert.fail(ad);
  assert.equal((await fetch(at(tracker, pixel))).status, 200);
}

/** What the old version shows of an object, and the new one. */
async function both(path: string, { old, next }: { readonly old: Version; readonly next: Version }) {
  return [await old.room.call(path), await next.room.call(path)] as const;
}

async function upgrade(
  databaseUrl: string,
  check: (name: string, job: () => Promise<void>) => Promise<void>,
) {
  const environment = {
    ...{ BOURSE_ADMIN_MAIL: mail, BOURSE_ADMIN_PASSWORD: password, BOURSE_DATABASE_URL: databaseUrl },
  };
  const serve = async (program: BourseProcess) => program.serve(environment);
  const old = await serve(programs.old);
  const token = await tokenOf(old.url, mail, password);
  const open = { token, mail, password, databaseUrl, close: async () => undefined };
  const room = await furnish({ ...open, url: old.url });
  const campaign = await room.add('campaign', film);
  const tag = await room.add('ortb/vasttag', { Campaigns: [campaign.Id] });
  const next = await serve(programs.next);
  const call: ExchangeRoom['call'] = async (path, body) => {
    const response = await fetch(`${next.url}/api/${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    const answer = await response.json();
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer;
  };
  const sides = { old: { server: old, room }, next: { server: next, room: { ...room, call } } };

  await check('both write, and neither loses what the other one has written', async () => {
    await call('campaign/update', { Campaign: { Id: campaign.Id, Motto: 'More' } });
    await call('seal/add', { Seal: { Name: 'Gold' } });
    await room.call('campaign/update', { Campaign: { Id: campaign.Id, Name: 'Renamed' } });
    const [before, now] = await both(`campaign/get?Id=${campaign.Id}`, sides);
    assert.deepEqual(
      [before.Name, before.Motto, now.Name, now.Motto],
      ['Renamed', undefined, 'Renamed', 'More'],
    );
    const [seen, all] = await both('history/get?Limit=1000', sides);
    assert.deepEqual([seen.length, Number(seen.length) > 0], [all.length, true]);
    const { Revision } = await room.call('exchange/status');
    await both(`exchange/status?Revision=${Revision}`, sides);
    await both('search?Query=Gold', sides);
    await both('config/export', sides);
  });

  await check('each takes the trackers of ads of the other, and both count', async () => {
    await playAt(tag, old, next);
    await playAt(tag, next, old);
    const counted = ({ Requests, NetImpressions }: Readonly<Record<string, unknown>>) =>
      Requests === 2 && NetImpressions === 2;
    await room.statistics(tag, counted);
  });

  await check('the old one can be started again, and says what it has found', async () => {
    const again = await serve(programs.old);
    assert.match((await stopped(again)).output, /"newerMigrations":\["0901-next"\].*serves on beside it/);
    const migrated = await programs.old.run(['migrate'], { environment });
    assert.equal(migrated.code, 0, migrated.stderr);
    assert.match(
      migrated.stdout,
      /that of a newer one, which this one can work on \(0901-next\); it is at revision/,
    );
  });

  await check(
    'where a version has changed what others use, they refuse by name, and say what to do',
    async () => {
      const migrated = await programs.changed.run(['migrate'], { environment });
      assert.equal(migrated.code, 0, migrated.stderr);
      const says = /this database needs Bourse 9\.0\.0 or newer; this is \d+\.\d+\.\d+.*\(0902-changed\)/;
      for (const { url } of [old, next]) {
        const [status, text] = await asked(`${url}/readyz`);
        assert.equal(status, 503);
        assert.match(text, says);
      }
      const refused = await programs.old.run(['serve'], { environment });
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, says);
      assert.match(refused.stderr, /BOURSE_DATABASE_URL: .* Start that version on it; or restore a backup/);
    },
  );
  await Promise.all([old, next].map(stopped));
}

describe('two versions on one database, in an upgrade of one server after the other', () => {
  const engines: readonly (readonly [name: string, url: () => Promise<string>])[] = [
    ['SQLite', async () => `sqlite:${programs.old.databasePath}`],
    ['PostgreSQL', async () => (await postgres?.freshDatabase()) ?? assert.fail()],
  ];
  for (const [name, urlOf] of engines) {
    test(`on ${name}`, async (t) => {
      await upgrade(await urlOf(), (what, job) => t.test(what, job).then(() => undefined));
    });
  }
});
