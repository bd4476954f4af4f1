import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { bourseProcess, stopped } from '../cli/bourse-process.ts';
import { type ExchangeRoom, furnish, type Stored, todays, zoneUrl } from '../exchange/exchange-room.ts';
import { film } from '../exchange/vast-room.ts';
import type { ApiDocument, Json } from '../openapi/document.ts';
import type { SpawnedServer } from '../spawned-server.ts';
import { alteredProgram } from '../support/altered-server.ts';
import { freePort } from '../support/free-port.ts';
import { tokenOf } from '../support/server.ts';
import { addedCounters } from './added-counters.ts';

const mail = 'ada@example.com';
const password = 'correct horse battery';
const original = bourseProcess();
const altered = bourseProcess(alteredProgram(addedCounters));
const databaseUrl = `sqlite:${original.databasePath}`;

let server: SpawnedServer;
let room: ExchangeRoom;
let tag: Stored;
let bare: Stored;

/** Asks for an ad and clicks on it; asks in vain for another. */
async function playAndClick(): Promise<void> {
  const ad = await (await fetch(zoneUrl(tag))).text();
  const [impression, click] = ['impression', 'click'].map(
    (event) => new RegExp(`https?://[\\w.:]+/track/${event}\\?t=[\\w.:~-]+`).exec(ad)?.[0] ?? assert.fail(ad),
  );
  assert.equal((await fetch(String(impression))).status, 200);
  assert.equal((await fetch(String(click), { redirect: 'manual' })).status, 302);
  assert.doesNotMatch(await (await fetch(zoneUrl(bare))).text(), /<Ad/);
}

/** Today's line of a report in CSV, by column. */
async function lineOf(reportUrl: unknown): Promise<Readonly<Record<string, string>>> {
  const [header = '', line = ''] = (await (await fetch(todays(reportUrl))).text()).split('\r\n');
  const values = line.split(',');
  return Object.fromEntries(header.split(',').map((name, index) => [name, values[index] ?? '']));
}

before(async () => {
  const environment = {
    BOURSE_ADMIN_MAIL: mail,
    BOURSE_ADMIN_PASSWORD: password,
    BOURSE_DATABASE_URL: databaseUrl,
    BOURSE_PORT: String(await freePort()),
  };
  server = await original.serve(environment);
  const { url } = server;
  const token = await tokenOf(url, mail, password);
  room = await furnish({ url, token, mail, password, databaseUrl, close: async () => undefined });
  const campaign = await room.add('campaign', film);
  tag = await room.add('ortb/vasttag', { Campaigns: [campaign.Id] });
  bare = await room.add('ortb/vasttag');
  await room.served();
  await playAndClick();
  await stopped(server);
  server = await altered.serve(environment);
  await room.served();
});
after(() => stopped(server));

describe('a counter is one row and the call that counts it', () => {
  test('a database made before keeps its counts, and counts go on', async () => {
    const kept = { Requests: 1, Bids: 1, Wins: 1, Bills: 1, NetImpressions: 1, Clicks: 1 };
    const row = await room.statistics(tag);
    assert.deepEqual(Object.fromEntries(Object.keys(kept).map((name) => [name, row[name]])), kept);
    assert.deepEqual([row.EmptyAnswers, row.Landings], [0, 0]);
    await playAndClick();
    await room.statistics(tag, ({ Requests, Landings }) => Requests === 2 && Landings === 1);
    await room.statistics(bare, ({ Requests, EmptyAnswers }) => Requests === 2 && EmptyAnswers === 1);
  });

  test('it is in the rows of the database, of pairs and of objects', () => {
    using database = new DatabaseSync(original.databasePath, { readOnly: true });
    const rowsOf = (table: string, kind: string) =>
      database
        .prepare(`select empty_answers as empty, landings from ${table} where ${kind} order by requests desc`)
        .all()
        .map(({ empty, landings }) => [empty, landings]);
    assert.deepEqual(rowsOf('cube_supply_day', `supply_id = ${tag.Id}`), [[0, 1]]);
    assert.deepEqual(rowsOf('cube_supply_day', `supply_id = ${bare.Id}`), [[1, 0]]);
    assert.deepEqual(rowsOf('cube_demand_day', "demand_kind = 'Campaign'"), [[0, 1]]);
    assert.deepEqual(rowsOf('cube_pair_hour', `supply_id = ${tag.Id} and demand_kind = 'Campaign'`), [
      [0, 1],
    ]);
  });

  test('reports show it in its column, to whom the row says', async () => {
    const counts = ['Requests', 'Bids', 'Wins', 'Bills', 'NetImpressions', 'Clicks'];
    const line = await lineOf(room.publisher.StatsByDateCsv);
    const before = ['DateStats', ...counts];
    assert.deepEqual(Object.keys(line), [...before, 'EmptyAnswers', 'Landings', 'FillRate', 'Spent']);
    assert.deepEqual([line.EmptyAnswers, line.Landings], ['1', '1']);
    const ofAdvertiser = await lineOf(room.advertiser.StatsByDateCsv);
    assert.deepEqual(Object.keys(ofAdvertiser), [...before, 'Landings', 'FillRate', 'Revenue']);
    assert.equal(ofAdvertiser.Landings, '1');
  });

  test('the OpenAPI document describes it, and the metrics count the event', async () => {
    const document = (await room.call('openapi.json')) as unknown as ApiDocument;
    const { responses } = document.paths['/api/ortb/stats/publisher/vast']?.get ?? assert.fail();
    const { content } = responses['200'] as { readonly content: Readonly<Record<string, { schema: Json }>> };
    const rows = content['application/json']?.schema as { readonly items: { readonly properties: Json } };
    assert.deepEqual(rows.items.properties.EmptyAnswers, {
      type: 'integer',
      description: 'Requests that got no ad',
    });
    const [example] =
      (content['application/json'] as { readonly example?: Json[] } | undefined)?.example ?? [];
    assert.deepEqual([example?.EmptyAnswers, example?.Landings], [7, 8]);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    assert.match(metrics, /^bourse_billable_events_total\{event="landings",outcome="counted"\} 1$/m);
  });
});
