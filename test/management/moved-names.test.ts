import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { pino } from 'pino';
import { createSending } from '../../src/serving/sending.ts';
import { dayOf, hourOf } from '../../src/statistics/days.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import { openStore } from '../../src/store/open-store.ts';
import { pairCounts } from '../statistics/counting.ts';
import { type Fetched, posted, startApi, type Values } from './api.ts';
import { attachmentOf, startMailServer } from './receivers.ts';
import { addUsers } from './users.ts';

const dayMs = 86_400_000;
const { server, api } = await startApi();
const mail = await startMailServer();
let nowMs = (dayOf(Date.now()) + 1) * dayMs + 30 * 60_000;
const store = await openStore({ url: server.databaseUrl, now: () => nowMs });
const sending = createSending({
  store,
  now: () => nowMs,
  keptDays: standardKeptDays,
  baseUrl: () => 'https://exchange.example',
  config: { allowPrivateDemand: true, smtpUrl: mail.url, mailFrom: 'bourse@exchange.example' },
  logger: pino({ level: 'silent' }),
});
after(() => Promise.all([sending.close(), store.close(), mail.close()]));

const sides = [
  { owner: 'Publisher', field: 'PublisherId', object: 'VastTag', group: 'Supply', measure: 'Requests' },
  { owner: 'Advertiser', field: 'AdvertiserId', object: 'Campaign', group: 'Demand', measure: 'Calls' },
] as const;

for (const { owner, field, object, group, measure } of sides) {
  describe(`a former ${owner.toLowerCase()}`, () => {
    test('is told the last name that an object had there, in answers, CSV and mails', async () => {
      const [former, next] = [await api.add(owner), await api.add(owner)];
      const add = (Name: string) => api.add(object, { [field]: former.Id, Name });
      /** What becomes of an object, what its former owner calls it, and the present one. */
      const rows: readonly (readonly [
        begins: Fetched,
        changes: readonly Values[],
        name: string,
        now: string,
      ])[] = [
        [await add('stays'), [], 'stays', ''],
        [await add('stays, renamed'), [{ Name: 'mine' }], 'mine', ''],
        [await add('moves'), [{ [field]: next.Id }, { Name: 'secret 1' }], 'moves', 'secret 1'],
        [await add('moves, renamed'), [{ [field]: next.Id, Name: 'secret 2' }], 'moves, renamed', 'secret 2'],
        [
          await add('renamed, moves'),
          [{ Name: 'before' }, { [field]: next.Id }, { Name: 'secret 3' }, { Name: 'secret 4' }],
          'before',
          'secret 4',
        ],
        [await add('moves only'), [{ [field]: next.Id }], 'moves only', 'moves only'],
        [
          await add('comes back'),
          [{ [field]: next.Id }, { Name: 'secret 5' }, { [field]: former.Id }, { Name: 'back' }],
          'back',
          'secret 5',
        ],
      ];
      const supply = await api.add('VastTag');
      const hour = hourOf(nowMs) - 5;
      const count = (id: string) => {
        const pairs = rows.map(([{ Id }]) => {
          const key = { kind: object, id: Id };
          const other = { kind: 'VastTag', id: supply.Id } as const;
          const pair = group === 'Supply' ? ([key, undefined] as const) : ([other, key] as const);
          return { ...pairCounts(pair[0], pair[1], { requests: 3, calls: 3 }), hour };
        });
        return store.statistics.add([{ id, timeMs: nowMs, pairs, addresses: [] }]);
      };
      await count(`${owner} before`);
      for (const [{ Id }, changes] of rows) {
        for (const change of changes) await api.update(object, { Id, ...change });
      }
      const [users] = [
        await addUsers(server, [
          { role: 3, teamId: 1, partner: { kind: owner, id: former.Id } },
          { role: 3, teamId: 1, partner: { kind: owner, id: next.Id } },
        ]),
      ];
      const days = {
        From: new Date(nowMs - dayMs).toISOString().slice(0, 10),
        To: new Date(nowMs).toISOString().slice(0, 10),
      };
      const ask = async (token: string, query = '') =>
        api
          .as(token)
          .post(`/api/statistics/report${query}`, { ...days, GroupBy: [group], Measures: [measure] });
      const namesOf = ({ body }: { body: Values }) =>
        new Map((body.Rows as readonly Values[]).map((row) => [row[group], row[`${group}Name`]]));
      const [partner] = users;
      const reply = await ask(partner?.token ?? '');
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(namesOf(reply), new Map(rows.map(([{ Id }, , name]) => [Id, name])));
      assert.equal(reply.text.includes('secret'), false);
      const team = await ask(server.token);
      for (const [{ Id }, , , now] of rows) if (now) assert.ok(namesOf(team).has(Id));
      assert.equal(team.text.includes('secret 4'), true, 'the team sees names of now');
      const report = { Name: 'Mine', Period: 'Yesterday', GroupBy: [group], Measures: [measure] };
      const daily = { ...report, Schedule: 1, ScheduleHour: 0, Mails: [partner?.mail] };
      posted(await api.as(partner?.token ?? '').post('/api/own/report/add', { Report: daily }), 'Report');
      mail.mails.length = 0;
      nowMs += 60_000;
      await sending.run();
      const { content } = attachmentOf(mail.mails[0] ?? assert.fail());
      for (const [, , name] of rows) assert.ok(content.includes(name), `${name}: ${content}`);
      assert.equal(content.includes('secret'), false, content);
    });
  });
}
