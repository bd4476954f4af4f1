import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { pino } from 'pino';
import type { Counts } from '../../src/reference/counters.ts';
import { createAlerting } from '../../src/serving/alerting.ts';
import { createSending } from '../../src/serving/sending.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ObjectKey } from '../../src/store/statistics/interface.ts';
import { countsIn } from '../statistics/counting.ts';
import { killChildren, startChild } from '../store/child.ts';
import { type Fetched, posted, startApi, type Values } from './api.ts';
import { headersOf, startMailServer, startWebhook } from './receivers.ts';
import { assertRefused } from './refusals.ts';
import { addUser } from './users.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const quarterMs = 900_000;

const mail = await startMailServer();
const webhook = await startWebhook();
const { server, api } = await startApi();
/** Far ahead of the server's own clock, whose own judging finds nothing to do. */
let nowMs = Date.parse('2040-01-02T12:00:00Z');
const now = () => nowMs;
const logger = pino({ level: 'silent' });
const keptDays = standardKeptDays;

/** What the exchange tells of the health of objects, by kind and ID. */
const health = new Map<string, object>();
const exchange = {
  health: async ({ kind, ids }: { kind: string; ids: readonly number[] }) => [
    ids.map((id) => ({
      ...{ id, lastRequestMs: undefined, lastFault: undefined, pause: undefined, limits: [], inactive: [] },
      ...health.get(`${kind}:${id}`),
    })),
  ],
};

/** A process that judges and sends, on the server's database and the test's clock. */
async function startProcess() {
  const store = await openStore({ url: server.databaseUrl, now });
  const alerting = createAlerting({ store, exchange, now, logger, keptDays, keepDays: 93 });
  const config = { allowPrivateDemand: true, smtpUrl: mail.url, mailFrom: 'bourse@exchange.example' };
  const sending = createSending({
    config,
    store,
    now,
    keptDays,
    logger,
    baseUrl: () => 'https://exchange.example',
  });
  after(async () => {
    await alerting.close();
    await sending.close();
    await store.close();
  });
  return { store, judge: () => alerting.run(), send: () => sending.run() };
}

const one = await startProcess();
const other = await startProcess();
// From now on it is not the server that judges, for which it is much earlier.
await one.judge();
after(() => Promise.all([mail.close(), webhook.close()]));

beforeEach(async () => {
  for (const { Id } of await api.all('Alert', '?ActiveOnly=1')) {
    posted(await api.post('/api/alert/deactivate', { Alert: { Id } }), 'Alert');
  }
  nowMs = (Math.floor(nowMs / dayMs) + 9) * dayMs + 12 * hourMs;
  await one.judge();
  await one.send();
  mail.mails.length = 0;
  webhook.posts.length = 0;
  webhook.statuses.length = 0;
  health.clear();
});
afterEach(killChildren);

const [supply, dsp, quiet] = await Promise.all([
  api.add('VastTag', { Name: 'Homepage' }),
  api.add('DspRtbEp', { Name: 'North DSP' }),
  api.add('DspRtbEp', { Name: 'South DSP' }),
]);

let lots = 0;

/** Counts something of a supply and a demand object so many minutes ago. */
async function count(
  some: Partial<Counts>,
  minutesAgo = 0,
  demand: ObjectKey | null = { kind: 'DspRtbEp', id: dsp.Id },
) {
  lots += 1;
  const ms = nowMs - minutesAgo * minuteMs;
  const hour = Math.floor(ms / hourMs);
  await one.store.statistics.add({
    ...{ id: `lot ${lots}`, timeMs: ms, subIds: [], addresses: [] },
    pairs: [
      {
        ...{
          hour,
          quarter: Math.floor((ms % hourMs) / quarterMs),
          supply: { kind: 'VastTag', id: supply.Id },
        },
        ...{ demand: demand ?? undefined, counts: countsIn('pair', some) },
      },
    ],
  });
}

/** Judges so many minutes, one after the other, and sends. */
async function minutes(many: number) {
  for (let minute = 0; minute < many; minute += 1) {
    nowMs += minuteMs;
    await one.judge();
    await one.send();
  }
}

async function logOf({ Id }: Fetched, as = api): Promise<readonly Values[]> {
  const reply = await as.get(`/api/alert/log?Id=${Id}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body as unknown as readonly Values[];
}
const isFiring = async ({ Id }: Fetched) => (await api.one('Alert', Id)).Firing;
const bodies = () =>
  webhook.posts.map(({ body }) => JSON.parse(body) as Readonly<Record<string, readonly Values[]>>);

/** Timeouts of each DSP over 40 %, as soon as they are found. */
const timeouts = {
  ...{
    Name: 'Timeouts',
    Condition: 'Above',
    Measure: 'TimeoutRate',
    Threshold: 40,
    Window: 30,
    GroupBy: 'Demand',
  },
  ...{ MinVolume: 100, HoldMinutes: 2, EndMinutes: 2, EndMargin: 10 },
};
/** No impressions at all. */
const noFill = {
  ...{
    Name: 'No fill',
    Condition: 'Nothing',
    Measure: 'Impressions',
    Window: 30,
    HoldMinutes: 0,
    EndMinutes: 0,
  },
};

describe('an alert on timeouts over 40 %', () => {
  test('fires for the DSP concerned after a while, says so everywhere, and ends', async () => {
    const alert = await api.add('Alert', { ...timeouts, Mails: ['a@desk.example'], WebhookUrl: webhook.url });
    await count({ calls: 200, timeouts: 120 });
    await count({ calls: 200, timeouts: 20 }, 0, { kind: 'DspRtbEp', id: quiet.Id });
    await minutes(2);
    assert.equal(await isFiring(alert), 0, 'it has not held for long enough');
    await minutes(1);
    const shown = await api.one('Alert', alert.Id);
    assert.deepEqual([shown.Firing, shown.Value, shown.Problem], [1, 60, '']);
    assert.equal(shown.FiringSince, new Date(nowMs).toISOString());
    const [first] = await logOf(alert);
    assert.partialDeepStrictEqual(first ?? {}, {
      ...{
        Entity: 'DspRtbEp',
        ObjectId: dsp.Id,
        ObjectName: 'North DSP',
        FirstValue: 60,
        Ended: '',
        Ending: '',
      },
    });
    assert.match(String(first?.Rule), /^For each demand object: the timeout rate is above 40 %/);
    const [begun] = mail.mails;
    assert.ok(begun);
    assert.match(headersOf(begun), /^Subject: Alert: Timeouts: North DSP$/m);
    assert.match(begun.text.replaceAll('=\r\n', ''), /North DSP \(DSP RTB EP \d+\): 60 %/);
    assert.match(begun.text.replaceAll('=\r\n', ''), /https:\/\/exchange\.example\/console\/Alert\/\d+/);
    assert.equal(bodies()[0]?.Begun?.[0]?.FirstValue, 60);
    assert.match(String(webhook.posts[0]?.headers['webhook-signature']), /^v1,/);
    await count({ calls: 200, timeouts: 20 });
    await minutes(3);
    // 35 %: below the bound, but not by so much that it ends.
    assert.equal(await isFiring(alert), 1);
    await count({ calls: 2000, timeouts: 20 });
    await minutes(3);
    assert.equal(await isFiring(alert), 0);
    const [last] = await logOf(alert);
    assert.deepEqual([last?.Ending, last?.Ended], ['over', new Date(nowMs).toISOString()]);
    assert.match(headersOf(mail.mails[1] ?? { to: [], text: '' }), /^Subject: Over: Timeouts: North DSP$/m);
    assert.deepEqual([mail.mails.length, webhook.posts.length], [2, 2], 'one message for each moment');
    assert.equal(bodies()[1]?.Ended?.[0]?.Ending, 'over');
    const sent = (await api.get(`/api/alert/sendings?Id=${alert.Id}`)).body as unknown as readonly Values[];
    assert.deepEqual(
      new Set(sent.map(({ State, AlertId }) => `${State} ${AlertId}`)),
      new Set([`sent ${alert.Id}`]),
    );
  });

  test('says nothing of three calls', async () => {
    const alert = await api.add('Alert', { ...timeouts, HoldMinutes: 0 });
    await count({ calls: 3, timeouts: 3 });
    await minutes(2);
    assert.deepEqual([await isFiring(alert), (await api.one('Alert', alert.Id)).Problem], [0, '']);
  });
});

describe('an alert on no fill for 30 minutes', () => {
  test('fires once there was none for so long, for the object that had some, and ends with the first', async () => {
    const alert = await api.add('Alert', {
      ...noFill,
      GroupBy: 'Supply',
      MinVolume: 100,
      MinVolumeOf: 'Requests',
    });
    await count({ impressions: 5 });
    for (let quarter = 0; quarter < 4; quarter += 1) {
      await count({ requests: 200 }, 0, null);
      await minutes(15);
      assert.equal(await isFiring(alert), Number(quarter >= 2), `after ${quarter + 1} quarter hours`);
    }
    await count({ impressions: 1 });
    await minutes(1);
    assert.equal(await isFiring(alert), 0);
  });

  test('of requests is told of the object that has no row any more, and not of one that is switched off', async () => {
    const alert = await api.add('Alert', { ...noFill, Measure: 'Requests', GroupBy: 'Supply' });
    await count({ requests: 5 }, 120, null);
    await minutes(1);
    const [first] = await logOf(alert);
    assert.deepEqual([first?.ObjectId, first?.Ended], [supply.Id, '']);
    posted(await api.post('/api/ortb/vasttag/deactivate', { VastTag: { Id: supply.Id } }), 'VastTag');
    await minutes(1);
    assert.equal((await logOf(alert))[0]?.Ending, 'gone');
    posted(await api.post('/api/ortb/vasttag/activate', { VastTag: { Id: supply.Id } }), 'VastTag');
  });
});

describe('an alert that compares', () => {
  for (const [CompareTo, days] of [
    ['Day', 1],
    ['Week', 7],
  ] as const) {
    test(`fires when revenue is half of ${days} days before`, async () => {
      const values = { Name: 'Falls', Condition: 'FallsBy', Measure: 'Revenue', Threshold: 50, CompareTo };
      const alert = await api.add('Alert', { ...values, HoldMinutes: 0 });
      await count({ revenueNanos: 10_000_000_000 }, 30 + days * 1440);
      await count({ revenueNanos: 5_100_000_000 }, 30);
      nowMs += 3 * minuteMs;
      await one.judge();
      assert.equal(await isFiring(alert), 0);
      nowMs += 30 * minuteMs;
      await one.judge();
      // The quarter hour of half an hour ago has left neither window.
      assert.equal(await isFiring(alert), 0);
      await count({ revenueNanos: -200_000_000 }, 33);
      nowMs += minuteMs;
      await one.judge();
      const [first] = await logOf(alert);
      assert.deepEqual([first?.FirstValue, first?.Compared], [4.9, 10]);
    });
  }
});

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
    nowMs += 2 * hourMs;
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
    const day = new Date(nowMs).toISOString().slice(0, 10);
    await api.add('Alert', { ...noFill, MutedUntil: day, WebhookUrl: webhook.url });
    await minutes(1);
    assert.equal(webhook.posts.length, 0);
    nowMs = Math.floor(nowMs / dayMs) * dayMs + dayMs;
    await minutes(1);
    assert.equal(webhook.posts.length, 1);
  });
});

describe('an alert that cannot be judged', () => {
  test('says why, keeps what fires, and holds up no other', async () => {
    const bad = await api.post('/api/alert/add', {
      Alert: { ...noFill, Measure: 'LatencyP95', Condition: 'Above', Window: 30 },
    });
    const [warning] = bad.body.Warnings as readonly Values[];
    assert.deepEqual(warning, {
      Path: 'Alert.Window',
      Message: 'must be a multiple of 60: these figures are kept by hours',
    });
    const alert = posted(bad, 'Alert');
    const good = await api.add('Alert', noFill);
    await minutes(1);
    assert.equal(
      (await api.one('Alert', alert.Id)).Problem,
      'Window must be a multiple of 60: these figures are kept by hours',
    );
    assert.equal(await isFiring(good), 1);
    const Filters = [{ Field: 'Creative', Operator: 'In', Values: ['1'] }];
    await api.update('Alert', {
      Id: good.Id,
      Filters: [...Filters, { Field: 'Os', Operator: 'In', Values: ['iOS'] }],
    });
    await minutes(2);
    const shown = await api.one('Alert', good.Id);
    assert.match(String(shown.Problem), /not counted together/);
    assert.equal((await logOf(good))[0]?.Ending, 'changed');
    const problems = (
      await api.get('/api/alert/get?Fields=Id&Filter=[{"Field":"Problem","Operator":"is_not_empty"}]')
    ).body as unknown as readonly Values[];
    assert.ok(problems.some(({ Id }) => Id === good.Id));
  });

  for (const [what, values] of [
    ['hours', { Measure: 'LatencyP95', Condition: 'Above', Threshold: 100, Window: 60, GroupBy: 'Demand' }],
    [
      'days',
      {
        Measure: 'Impressions',
        Filters: [{ Field: 'Country', Operator: 'In', Values: ['DE'] }],
        Window: 1440,
      },
    ],
    ['refusals', { Measure: 'Refusals', Condition: 'Above', Window: 120, GroupBy: 'Supply' }],
    ['a month', { Measure: 'Revenue', Condition: 'FallsBy', Threshold: 5, Window: 44_640 }],
  ] as const) {
    test(`is none whose figures are kept by ${what}`, async () => {
      const alert = await api.add('Alert', { ...noFill, ...values });
      await minutes(1);
      assert.equal((await api.one('Alert', alert.Id)).Problem, '');
    });
  }
});

describe('an alert on how objects are', () => {
  const help = { Rule: 'spend_total_limit', Help: 'The amount is spent.', Field: '', Wanted: 0, Met: 0 };
  for (const [Condition, known] of [
    ['LimitReached', { limits: [help] }],
    ['PartnerPaused', { pause: { untilMs: 0, refusal: help } }],
  ] as const) {
    test(`${Condition} fires for the object, with the reason, and ends`, async () => {
      const Filters = [{ Field: 'Demand', Operator: 'NotIn', Values: [`DspRtbEp:${quiet.Id}`] }];
      const values = { Name: 'Objects', Condition, HoldMinutes: 0, EndMinutes: 0, Filters };
      const alert = await api.add('Alert', { ...values, Measure: '' });
      health.set(`DspRtbEp:${dsp.Id}`, known);
      health.set(`DspRtbEp:${quiet.Id}`, known);
      await minutes(1);
      const log = await logOf(alert);
      assert.deepEqual(
        log.map(({ ObjectId, Detail, FirstValue }) => [ObjectId, Detail, FirstValue]),
        [[dsp.Id, 'The amount is spent.', null]],
      );
      health.clear();
      await minutes(1);
      assert.equal(await isFiring(alert), 0);
    });
  }

  test('AdsTxtMissing is told by what was refused for it', async () => {
    const alert = await api.add('Alert', { Name: 'ads.txt', Condition: 'AdsTxtMissing', HoldMinutes: 0 });
    lots += 1;
    await one.store.statistics.add({
      ...{ id: `lot ${lots}`, timeMs: nowMs, pairs: [], subIds: [], addresses: [] },
      traffic: [
        {
          ...{ cube: 'refusal', day: Math.floor(nowMs / dayMs), hour: Math.floor(nowMs / hourMs) },
          ...{ supply: { kind: 'VastTag', id: supply.Id }, demand: undefined },
          ...{ values: ['ads_txt_violation'], counts: { refusals: 3 } },
        },
      ],
    });
    await minutes(1);
    assert.deepEqual(
      (await logOf(alert)).map(({ Entity, ObjectId, LastValue }) => [Entity, ObjectId, LastValue]),
      [['VastTag', supply.Id, 3]],
    );
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
      nowMs += wait * minuteMs;
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
    nowMs += minuteMs;
    await Promise.all([one.judge(), other.judge()]);
    await Promise.all([one.send(), other.send()]);
    assert.deepEqual([(await logOf(alert)).length, webhook.posts.length], [1, 1]);
    assert.equal(await other.store.alerts.lease('other', nowMs, nowMs + minuteMs), false);
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
    nowMs += 3 * minuteMs;
    const module = new URL('./alerting-process.ts', import.meta.url);
    const children = [startChild(module, [server.databaseUrl]), startChild(module, [server.databaseUrl])];
    for (const child of children) assert.equal(await child.line(), 'open');
    const [first, second] = children;
    assert.ok(first && second);
    const tell = async (child: typeof first) => {
      child.say(String(nowMs));
      assert.equal(await child.line(), 'judged');
    };
    nowMs += minuteMs;
    await tell(first);
    await tell(second);
    nowMs += minuteMs;
    await tell(second);
    assert.equal(
      (await api.one('Alert', alert.Id)).CheckedAt,
      new Date(nowMs - minuteMs).toISOString(),
      'it is the first one’s',
    );
    await tell(first);
    first.process.kill('SIGKILL');
    await first.ended;
    nowMs += minuteMs;
    await tell(second);
    assert.equal(await isFiring(alert), 0, 'until the dead one’s lease is over');
    nowMs += 2 * minuteMs;
    await tell(second);
    await tell(second);
    assert.equal(await isFiring(alert), 1);
    await Promise.all([one.send(), other.send()]);
    assert.equal(webhook.posts.length, 1);
    second.process.kill('SIGKILL');
    await second.ended;
    await count({ calls: 20_000 });
    nowMs += 3 * minuteMs;
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
    nowMs += 60 * minuteMs;
    await minutes(1);
    assert.equal((await logOf(alert)).length, 2);
    assert.equal(await one.store.alerts.forget(nowMs), false);
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
