import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { createSending } from '../../src/serving/sending.ts';
import { dayOf, hourOf } from '../../src/statistics/days.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import { openStore } from '../../src/store/open-store.ts';
import { pairCounts } from '../statistics/counting.ts';
import { type Api, posted, startApi, type Values } from './api.ts';
import { attachmentOf, headersOf, startMailServer, textOf } from './receivers.ts';
import { assertRefused } from './refusals.ts';
import { addUsers } from './users.ts';

const dayMs = 86_400_000;
const { server, api } = await startApi();
const mail = await startMailServer();
/** The next morning, after that at which schedules begin. */
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
after(async () => {
  await sending.close();
  await store.close();
  await mail.close();
});

const [publisher, stranger] = [await api.add('Publisher'), await api.add('Publisher')];
const [users] = [
  await addUsers(server, [
    { role: 3, teamId: 1, partner: { kind: 'Publisher', id: publisher.Id } },
    { role: 3, teamId: 1, partner: { kind: 'Publisher', id: stranger.Id } },
    { role: 2, teamId: 1 },
    { role: 1, teamId: 1 },
  ]),
];
const [partner, other, analyst, manager] = users.map(({ token, mail: address, id }) => ({
  api: api.as(token),
  address,
  id,
})) as [Somebody, Somebody, Somebody, Somebody];
interface Somebody {
  readonly api: Api;
  readonly address: string;
  readonly id: number;
}

const question = { Period: 'Yesterday', GroupBy: ['Supply'], Measures: ['Requests', 'Cost'] };
const daily = { Name: 'Mine', ...question, Schedule: 1, ScheduleHour: 0 };
const add = (by: Somebody, values: Values = {}) =>
  by.api.post('/api/own/report/add', { Report: { ...daily, Mails: [by.address], ...values } });
const update = (by: Somebody, values: Values) => by.api.post('/api/own/report/update', { Report: values });
const own = async (by: Somebody): Promise<readonly Values[]> =>
  (await by.api.get('/api/own/report/get')).body as never;

test('everybody keeps reports of their own, which others do not change', async () => {
  for (const by of [partner, analyst, manager]) {
    const report = posted(await add(by, { Mails: [by.address] }), 'Report');
    assert.equal(report.UserId, by.id);
    assert.deepEqual(
      (await own(by)).map(({ Id }) => Id),
      [report.Id],
    );
    assert.equal(posted(await update(by, { Id: report.Id, Name: 'Renamed' }), 'Report').UserId, by.id);
    for (const word of ['deactivate', 'activate']) {
      const body = { Report: { Id: report.Id } };
      posted(await by.api.post(`/api/own/report/${word}`, body), 'Report');
      assertRefused(await other.api.post(`/api/own/report/${word}`, body), { status: 406 });
    }
    assertRefused(await update(other, { Id: report.Id, Name: 'Taken' }), {
      status: 406,
      paths: ['Report.Id'],
    });
    assertRefused(await other.api.get(`/api/own/report/sendings?Id=${report.Id}`), { status: 406 });
    assert.equal((await by.api.get(`/api/own/report/sendings?Id=${report.Id}`)).status, 200);
    assertRefused(await update(by, { Id: report.Id, UserId: 0, Nonsense: 1 }), { status: 406 });
  }
  assert.deepEqual(await own(other), []);
  const shared = await api.add('Report');
  assertRefused(await update(partner, { Id: shared.Id, Name: 'Taken' }), { status: 406 });
  assertRefused(await partner.api.get('/api/report/get'), { status: 403 });
  assertRefused(await analyst.api.post('/api/report/update', { Report: { Id: shared.Id } }), { status: 403 });
  const ids = (await api.all('Report')).map(({ UserId }) => UserId);
  assert.deepEqual(ids, [partner.id, analyst.id, manager.id, 0], 'the team sees whose they are');
});

test('a partner asks for what partners see, and nobody without rights mails strangers', async () => {
  const cases: readonly (readonly [by: Somebody, values: Values, paths: readonly string[]])[] = [
    [partner, { Measures: ['Cost', 'Profit'] }, ['Report.Measures[1]']],
    [partner, { GroupBy: ['Demand'] }, ['Report.GroupBy[0]']],
    [partner, { Filters: [{ Field: 'Publisher', Operator: 'In', Values: [stranger.Id] }] }, ['Report.Filters[0].Field']],
    [partner, { Mails: ['victim@elsewhere.example'] }, ['Report.Mails[0]']],
    [partner, { Mails: [analyst.address] }, ['Report.Mails[0]']],
    [partner, { WebhookUrl: 'https://elsewhere.example/' }, ['Report.WebhookUrl']],
    [analyst, { Mails: [manager.address, 'victim@elsewhere.example'] }, ['Report.Mails[1]']],
    [analyst, { Mails: [partner.address] }, ['Report.Mails[0]']],
    [analyst, { WebhookUrl: 'https://elsewhere.example/' }, ['Report.WebhookUrl']],
  ]; // biome-ignore format: a table
  for (const [by, values, paths] of cases) {
    assertRefused(await add(by, values), { status: 406, paths });
    const { Id } = posted(await add(by), 'Report');
    assertRefused(await update(by, { Id, ...values }), { status: 406, paths });
    posted(await by.api.post('/api/own/report/deactivate', { Report: { Id } }), 'Report');
  }
  posted(
    await add(manager, { Mails: ['desk@elsewhere.example'], WebhookUrl: 'https://elsewhere.example/' }),
    'Report',
  );
});

test('their number is bounded', async () => {
  for (let more = 0; more < 50; more += 1) await add(other, { Name: `More ${more}` });
  assert.equal((await own(other)).length, 50);
  assertRefused(await add(other), { status: 406, says: ['50'] });
});

test('they are no configuration: applied elsewhere, they would ask as the team does', async () => {
  const { body } = await api.get('/api/config/export');
  assert.equal((body.Report as readonly Values[]).length, 1);
  const reply = await api.post('/api/config/apply?DeactivateMissing=1', { Config: { ...body, Report: [] } });
  assert.equal(reply.status, 200, reply.text);
  assert.ok((await own(partner)).some(({ Status }) => Status === 0));
});

test('they are sent with the rights of their user, whoever has changed them', async () => {
  const tags = await Promise.all(
    [publisher, stranger, publisher].map(({ Id }) =>
      api.add('VastTag', { PublisherId: Id, Name: `Tag of ${Id}` }),
    ),
  );
  const pairs = tags.map(({ Id }, index) => ({
    ...pairCounts({ kind: 'VastTag', id: Id }, undefined, { requests: 7 - index }),
    hour: hourOf(nowMs) - 5,
  }));
  await store.statistics.add([{ id: 'lot', timeMs: nowMs, pairs, addresses: [] }]);
  for (const { Id } of await api.all('Report', '?ActiveOnly=1'))
    posted(await api.post('/api/report/deactivate', { Report: { Id } }), 'Report');
  const first = { Limit: 1, OrderBy: [{ Field: 'Requests', Direction: 'Desc' }] };
  const { Id } = posted(await add(partner, first), 'Report');
  const sendAgain = async () => {
    mail.mails.length = 0;
    nowMs += dayMs;
    await sending.run();
    const rows = (await partner.api.get(`/api/own/report/sendings?Id=${Id}`)).body as never as Values[];
    return rows[0] ?? {};
  };
  await sending.run();
  const [sent] = mail.mails;
  assert.ok(sent);
  const { content } = attachmentOf(sent);
  assert.match(
    content,
    /^\uFEFFSupplyKind,Supply,SupplyName,Requests,Cost\r\nVastTag,\d+,Tag of \d+,7,0\s*$/,
  );
  assert.ok(content.includes(`,${tags[0]?.Id},`), content);
  const tamper = async (values: Values) =>
    posted(await api.post('/api/report/update', { Report: { Id, ...values } }), 'Report');
  const rows: readonly (readonly [change: Values, says: RegExp])[] = [
    [{ Measures: ['Requests', 'Profit'] }, /Measures\[1\] is not shown to a publisher/],
    [{ Measures: ['Requests'], Mails: ['victim@elsewhere.example'] }, /your own address/],
  ];
  for (const [values, says] of rows) {
    await tamper(values);
    const { State, Error: text } = await sendAgain();
    assert.notEqual(State, 'sent');
    assert.match(String(text), says);
    // Who keeps it is told why, and nobody is sent figures.
    assert.deepEqual(
      mail.mails.map(({ to }) => to),
      [[partner.address]],
    );
    const [notice] = mail.mails;
    assert.match(notice ? headersOf(notice) : '', /^Subject: Report not sent/im);
    assert.match(textOf(notice), says);
    assert.doesNotMatch(notice?.text ?? '', /content-disposition: attachment/i);
  }
  await tamper({ Mails: [partner.address] });
  assert.equal((await sendAgain()).State, 'sent');
  assertDone(await api.post('/api/auth/user/deactivate', { Id: partner.id }));
  mail.mails.length = 0;
  nowMs += dayMs;
  await sending.run();
  assert.equal(mail.mails.length, 0, 'who is shut out is sent nothing');
});

function assertDone({ status, text }: { readonly status: number; readonly text: string }): void {
  assert.equal(status, 200, text);
}
