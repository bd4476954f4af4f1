import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startChild } from '../store/child.ts';
import { dayMs, minuteMs, noFill, openAlertRoom, timeouts } from './alert-room.ts';
import { posted, type Values } from './api.ts';
import { headersOf } from './receivers.ts';
import { assertRefused } from './refusals.ts';
import { addUser } from './users.ts';

const {
  api,
  bodies,
  clock,
  count,
  isFiring,
  later,
  logOf,
  mail,
  minutes,
  one,
  other,
  quiet,
  server,
  webhook,
} = await openAlertRoom();

describe('a muted alert', () => {
  for (const [what, muted, ends] of [
    ['by hand', { Muted: 1 }, { Muted: 0 }],
    ['until a time', { MutedUntil: '2100-01-01T00:00:00Z' }, { MutedUntil: '' }],
  ] as const) {
    test(`${what} is judged and tells nobody, and then of what still fires`, async () => {
      const alert = await api.add('Alert', { ...noFill, ...muted, WebhookUrl: webhook.url });
      await minutes(2);
      assert.deepEqual([await isFiring(alert), webhook.posts.length], [1, 0]);
      await api.update('Alert', { Id: alert.Id, ...ends });
      await minutes(2);
      assert.deepEqual([webhook.posts.length, bodies()[0]?.Begun?.length], [1, 1]);
    });
  }

  test('owes the end of what it told before, and nothing of what came and went', async () => {
    const alert = await api.add('Alert', { ...noFill, WebhookUrl: webhook.url });
    await minutes(1);
    await api.update('Alert', { Id: alert.Id, Muted: 1 });
    await count({ impressions: 1 });
    await minutes(1);
    assert.deepEqual([await isFiring(alert), webhook.posts.length], [0, 1]);
    await later(120);
    await minutes(1);
    await count({ impressions: 1 });
    await minutes(1);
    assert.equal((await logOf(alert)).length, 2);
    await api.update('Alert', { Id: alert.Id, Muted: 0 });
    await minutes(2);
    assert.deepEqual(
      [webhook.posts.length, bodies()[1]?.Begun?.length, bodies()[1]?.Ended?.length],
      [2, 0, 1],
    );
  });

  test('until a day is muted through it', async () => {
    const day = new Date(clock.ms).toISOString().slice(0, 10);
    await api.add('Alert', { ...noFill, MutedUntil: day, WebhookUrl: webhook.url });
    await minutes(1);
    assert.equal(webhook.posts.length, 0);
    await later((dayMs - (clock.ms % dayMs)) / minuteMs);
    await minutes(1);
    assert.equal(webhook.posts.length, 1);
  });
});

describe('an alert that is changed or switched off', () => {
  test('ends what it told of', async () => {
    const alert = await api.add('Alert', { ...noFill, WebhookUrl: webhook.url });
    await minutes(1);
    await api.update('Alert', { Id: alert.Id, Name: 'Other name', Mails: ['a@desk.example'] });
    await minutes(1);
    assert.equal((await logOf(alert)).length, 1, 'a name is no rule');
    await api.update('Alert', { Id: alert.Id, Window: 60 });
    await minutes(2);
    assert.deepEqual(
      (await logOf(alert)).map(({ Ending }) => Ending),
      ['', 'changed'],
    );
    posted(await api.post('/api/alert/deactivate', { Alert: { Id: alert.Id } }), 'Alert');
    await minutes(2);
    assert.deepEqual(
      (await logOf(alert)).map(({ Ending }) => Ending),
      ['inactive', 'changed'],
    );
    assert.equal(webhook.posts.length, 4);
  });
});

describe('what is sent', () => {
  test('is tried again, and then shown as failed; who was taken off gets nothing', async () => {
    const alert = await api.add('Alert', { ...noFill, WebhookUrl: webhook.url, Mails: ['a@desk.example'] });
    webhook.statuses.push(...Array(8).fill(500));
    await minutes(1);
    const stateOf = async () => {
      const sent = (await api.get(`/api/alert/sendings?Id=${alert.Id}`)).body as unknown as readonly Values[];
      const [found] = sent.filter(({ Channel }) => Channel === 'webhook');
      return [found?.State, found?.Attempts, found?.Error];
    };
    assert.deepEqual(await stateOf(), ['waiting', 1, 'the URL answered 500']);
    for (const wait of [1, 5, 15, 60, 180, 360, 720]) {
      clock.ms += wait * minuteMs;
      await one.send();
    }
    assert.deepEqual(await stateOf(), ['failed', 8, 'the URL answered 500']);
    assert.equal(new Set(webhook.posts.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal(new Set(webhook.posts.map(({ body }) => body)).size, 1);
    assert.equal(mail.mails.length, 1);
  });

  test('has no header of an object’s making', async () => {
    const Name = 'South\r\nBcc: spy@evil.example';
    await api.update('DspRtbEp', { Id: quiet.Id, Name });
    await api.add('Alert', { ...timeouts, HoldMinutes: 0, Mails: ['a@desk.example'] });
    await count({ calls: 200, timeouts: 200 }, 0, { kind: 'DspRtbEp', id: quiet.Id });
    await minutes(1);
    const [received] = mail.mails;
    assert.ok(received);
    assert.doesNotMatch(headersOf(received), /^bcc:/im);
    assert.match(headersOf(received), /^Subject: Alert: Timeouts: South Bcc: spy@evil\.example$/m);
  });
});

describe('of several processes', () => {
  test('one judges a minute, and one message is sent', async () => {
    const alert = await api.add('Alert', { ...noFill, WebhookUrl: webhook.url });
    clock.ms += minuteMs;
    await Promise.all([one.judge(), other.judge()]);
    await Promise.all([one.send(), other.send()]);
    assert.deepEqual([(await logOf(alert)).length, webhook.posts.length], [1, 1]);
    const rules = { name: 'Alerts', claimMs: minuteMs, isPeriodic: true };
    assert.equal(await other.store.jobs.claim(rules, 'other', clock.ms + minuteMs), undefined);
  });

  test('another one goes on where the one that judged is killed: nothing is lost, nothing twice', async () => {
    const alert = await api.add('Alert', {
      ...timeouts,
      HoldMinutes: 2,
      EndMinutes: 0,
      WebhookUrl: webhook.url,
    });
    await count({ calls: 200, timeouts: 120 });
    // The lease of who judges in this process is over by then.
    clock.ms += 3 * minuteMs;
    const module = new URL('./alerting-process.ts', import.meta.url);
    const children = [startChild(module, [server.databaseUrl]), startChild(module, [server.databaseUrl])];
    for (const child of children) assert.equal(await child.line(), 'open');
    const [first, second] = children;
    assert.ok(first && second);
    const tell = async (child: typeof first) => {
      child.say(String(clock.ms));
      assert.equal(await child.line(), 'judged');
    };
    clock.ms += minuteMs;
    await tell(first);
    await tell(second);
    clock.ms += minuteMs;
    await tell(second);
    assert.equal(
      (await api.one('Alert', alert.Id)).CheckedAt,
      new Date(clock.ms - minuteMs).toISOString(),
      'it is the first one’s',
    );
    await tell(first);
    first.process.kill('SIGKILL');
    await first.ended;
    clock.ms += minuteMs;
    await tell(second);
    assert.equal(await isFiring(alert), 0, 'until the dead one’s lease is over');
    clock.ms += 2 * minuteMs;
    await tell(second);
    await tell(second);
    assert.equal(await isFiring(alert), 1);
    await Promise.all([one.send(), other.send()]);
    assert.equal(webhook.posts.length, 1);
    second.process.kill('SIGKILL');
    await second.ended;
    await count({ calls: 20_000 });
    clock.ms += 3 * minuteMs;
    await one.judge();
    await one.send();
    assert.deepEqual([await isFiring(alert), webhook.posts.length], [0, 2]);
  });
});

describe('the log', () => {
  test('forgets what ended long ago, and nothing that fires', async () => {
    const alert = await api.add('Alert', noFill);
    await minutes(1);
    await count({ impressions: 1 });
    await minutes(1);
    await later(60);
    await minutes(1);
    assert.equal((await logOf(alert)).length, 2);
    assert.equal(await one.store.alerts.forget(clock.ms), false);
    assert.deepEqual(
      (await logOf(alert)).map(({ Ended }) => Ended),
      [''],
    );
  });

  test('is every user’s of the team, and nobody else’s; only who may change it mutes', async () => {
    const alert = await api.add('Alert', noFill);
    await minutes(1);
    const analyst = api.as((await addUser(server, { role: 2, teamId: 1 })).token);
    assert.equal((await logOf(alert, analyst)).length, 1);
    assert.equal((await analyst.one('Alert', alert.Id)).Firing, 1);
    assertRefused(await analyst.post('/api/alert/update', { Alert: { Id: alert.Id, Muted: 1 } }), {
      status: 403,
    });
    const outsider = api.as((await addUser(server, { role: 0 })).token);
    assertRefused(await outsider.get(`/api/alert/log?Id=${alert.Id}`), { status: 406, paths: ['Id'] });
    assert.deepEqual((await outsider.get('/api/alert/log')).body, []);
    assert.deepEqual((await outsider.get('/api/alert/sendings')).body, []);
    const firing = (await api.get('/api/alert/log?FiringOnly=1')).body as unknown as readonly Values[];
    assert.deepEqual(
      firing.map(({ AlertId }) => AlertId),
      [alert.Id],
    );
    const [{ Id } = { Id: 0 }] = firing;
    assert.deepEqual((await api.get(`/api/alert/log?Id=${alert.Id}&BeforeId=${Id}`)).body, []);
  });
});
