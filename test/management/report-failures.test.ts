import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Refusal } from '../../src/fields/fault.ts';
import { isFinalFault } from '../../src/management/statistics/report-failure.ts';
import { readReportQuestion } from '../../src/management/statistics/report-question.ts';
import { assertAnswerable } from '../../src/statistics/asking/run-report.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import { headersOf, textOf } from './receivers.ts';
import { dayMs, minuteMs, startSendingRoom } from './sending-room.ts';
import { addUser } from './users.ts';

const { mail, webhook, server, api, clock, startProcess, one, ...room } = await startSendingRoom();
const { addReport, sendingsOf, states, toSeven } = room;
const other = await startProcess();
const administrator = server.mail;

describe('a report that cannot be answered', () => {
  const unanswerable = { GroupBy: ['Os', 'Creative'] };
  const told = () => mail.mails.filter((one) => /^Subject: Report not sent/im.test(headersOf(one)));

  test('is not tried again, and its owner is told at once, once for all receivers', async () => {
    const report = await addReport({
      ...unanswerable,
      Name: 'Broken',
      Mails: ['a@desk.example', 'b@desk.example'],
      WebhookUrl: webhook.url,
    });
    toSeven();
    await Promise.all([one.run(), other.run()]);
    await one.run();
    assert.deepEqual(
      (await states(report)).map(([, state]) => state),
      ['failed', 'failed', 'failed'],
    );
    const [notice, ...more] = told();
    assert.ok(notice);
    assert.deepEqual([more.length, mail.mails.length, webhook.posts.length], [0, 1, 0]);
    assert.deepEqual(notice.to, [administrator]);
    const text = textOf(notice);
    assert.match(text, /"Broken" \(Report \d+\)/);
    assert.match(text, /Os, Creative are not counted together; possible combinations, including filters/);
    assert.ok(text.includes(`https://exchange.example/console/Report/${report.Id}`), text);
    for (let times = 0; times < 3; times += 1) {
      clock.nowMs += 15 * minuteMs;
      await one.run();
    }
    assert.deepEqual(
      (await sendingsOf(report)).map(({ Attempts }) => Attempts),
      [1, 1, 1],
    );
    assert.equal(told().length, 1);
    await api.update('Report', { Id: report.Id, GroupBy: ['Day'] });
    clock.nowMs += dayMs;
    toSeven();
    await one.run();
    assert.deepEqual([told().length, mail.mails.length, webhook.posts.length], [1, 3, 1]);
  });

  test('is told to whoever changed it last and is active', async () => {
    const manager = await addUser(server, { role: 1, teamId: 1 });
    const report = await addReport({ ...unanswerable, WebhookUrl: webhook.url });
    await api.as(manager.token).update('Report', { Id: report.Id, Name: 'Mine now' });
    toSeven();
    await one.run();
    assert.deepEqual(
      told().map(({ to }) => to),
      [[manager.mail]],
    );
    const left = await api.post('/api/auth/user/deactivate', { Id: manager.id });
    assert.equal(left.status, 200, left.text);
    clock.nowMs += dayMs;
    await one.run();
    assert.deepEqual(
      told()
        .map(({ to }) => to)
        .slice(1),
      [[administrator]],
    );
  });

  test('is told as well once a receiver was given up', async () => {
    const report = await addReport({ WebhookUrl: webhook.url });
    toSeven();
    webhook.statuses.push(...Array(8).fill(503));
    for (const minutes of [0, 1, 5, 15, 60, 180, 360, 720]) {
      assert.equal(told().length, 0);
      clock.nowMs += minutes * minuteMs;
      await one.run();
    }
    assert.deepEqual(
      (await states(report)).map(([, state]) => state),
      ['failed'],
    );
    assert.deepEqual(
      told().map(({ to }) => to),
      [[administrator]],
    );
    assert.match(textOf(told()[0] as (typeof mail.mails)[number]), /the URL answered 503/);
  });

  const months = [
    ['Asia/Kolkata', 'Day'], ['Asia/Kathmandu', 'Day'], ['America/St_Johns', 'Week'], ['Asia/Kolkata', 'Month'],
  ] as const; // biome-ignore format: a table
  for (const [TimeZone, unit] of months) {
    test(`is none of the last month by ${unit} in ${TimeZone}, though it is sent two weeks late`, async () => {
      clock.nowMs = Date.parse('2044-08-14T23:45:00Z');
      const asked = await one.store.statistics.cubeStarts();
      assert.ok(asked.size > 0);
      const question = readReportQuestion(
        { Period: 'LastMonth', TimeZone, GroupBy: [unit], Measures: ['Requests', 'Revenue'] },
        ...([1, clock.nowMs] as const),
      );
      const kept = { nowMs: clock.nowMs, keptDays: standardKeptDays, starts: asked };
      assert.doesNotThrow(() => assertAnswerable(question, kept, one.store.statistics));
    });
  }
});

describe('what is tried again', () => {
  const cases: readonly (readonly [fault: unknown, isFinal: boolean])[] = [
    [new Refusal('invalid', 'GroupBy …'), true],
    [new Refusal('too_large', 'it is too long'), true],
    [new Refusal('forbidden', 'the user is not active'), true],
    [new Refusal('too_many', 'wait'), false],
    [new Refusal('unavailable', 'the database is away'), false],
    [new Error('disk full'), false],
    ['odd', false],
  ]; // biome-ignore format: a table
  for (const [fault, isFinal] of cases) {
    test(`${fault} is ${isFinal ? 'not' : ''}`, () => assert.equal(isFinalFault(fault), isFinal));
  }
});
