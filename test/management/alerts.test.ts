import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayMs, hourMs, minuteMs, noFill, openAlertRoom, timeouts } from './alert-room.ts';
import { posted, type Values } from './api.ts';
import { headersOf } from './receivers.ts';

const {
  api,
  bodies,
  clock,
  count,
  dsp,
  health,
  isFiring,
  later,
  logOf,
  lotId,
  mail,
  minutes,
  one,
  quiet,
  supply,
  webhook,
} = await openAlertRoom();

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
    assert.equal(shown.FiringSince, new Date(clock.ms).toISOString());
    const [first] = await logOf(alert);
    assert.partialDeepStrictEqual(first ?? {}, {
      Entity: 'DspRtbEp',
      ObjectId: dsp.Id,
      ObjectName: 'North DSP',
      FirstValue: 60,
      Ended: '',
      Ending: '',
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
    assert.deepEqual([last?.Ending, last?.Ended], ['over', new Date(clock.ms).toISOString()]);
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
      // From an hour ago to half an hour from now: 10 USD in a quarter hour then, 5.10 now.
      for (let ago = 60; ago > -45; ago -= 15) {
        await count({ revenueNanos: 10_000_000_000 }, ago + days * 1440);
        await count({ revenueNanos: 5_100_000_000 }, ago);
      }
      await later(3);
      await one.judge();
      assert.equal(await isFiring(alert), 0);
      await later(30);
      await one.judge();
      assert.equal(await isFiring(alert), 0);
      await count({ revenueNanos: -800_000_000 }, 33);
      clock.ms += minuteMs;
      await one.judge();
      const [first] = await logOf(alert);
      assert.deepEqual([first?.FirstValue, first?.Compared], [19.6, 40]);
    });
  }
});

describe('an alert that cannot be judged', () => {
  test('says why, keeps what fires, and holds up no other', async () => {
    const bad = await api.post('/api/alert/add', {
      Alert: { ...noFill, Measure: 'LatencyP95', Condition: 'Above', Window: 30 },
    });
    const [warning] = bad.body.Warnings as readonly Values[];
    assert.deepEqual(warning, {
      Path: 'Alert.Window',
      Message: 'must be a multiple of 60: these figures are counted by hours',
    });
    const alert = posted(bad, 'Alert');
    const good = await api.add('Alert', noFill);
    await minutes(1);
    assert.equal(
      (await api.one('Alert', alert.Id)).Problem,
      'Window must be a multiple of 60: these figures are counted by hours',
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

  for (const [Condition, reason] of [
    ['AdsTxtMissing', 'ads_txt_violation'],
    ['CurrencyRefused', 'currency_not_accepted'],
  ] as const) {
    test(`${Condition} is told by what was refused for it`, async () => {
      const alert = await api.add('Alert', { Name: 'Refusals', Condition, HoldMinutes: 0 });
      await one.store.statistics.add([
        {
          id: lotId(),
          timeMs: clock.ms,
          pairs: [],
          addresses: [],
          traffic: [
            {
              cube: 'refusal',
              day: Math.floor(clock.ms / dayMs),
              hour: Math.floor(clock.ms / hourMs),
              supply: { kind: 'VastTag', id: supply.Id },
              demand: undefined,
              values: [reason],
              counts: { refusals: 3 },
            },
          ],
        },
      ]);
      await minutes(1);
      assert.deepEqual(
        (await logOf(alert)).map(({ Entity, ObjectId, LastValue }) => [Entity, ObjectId, LastValue]),
        [['VastTag', supply.Id, 3]],
      );
    });
  }
});

test('a message has the form of the chat service, in which no name is more than a text', async () => {
  const Name = 'No <!channel> & @here [x](https://evil.example/?a_b) *fill*';
  const textsIn: Readonly<Record<string, (body: Values) => string>> = {
    Slack: ({ text }) => String(text),
    Teams: ({ attachments }) => {
      const [{ content }] = attachments as [{ content: { body: { text: string }[] } }];
      return content.body.map(({ text }) => text).join('\n');
    },
    Discord: ({ content }) => String(content),
  };
  const shown: Record<string, string> = {
    Slack: 'No &lt;!channel&gt; &amp; @here [x](https://evil.example/?a_b) *fill*',
    Teams: 'No \\<!channel\\> & \\@here \\[x\\]\\(https://evil.example/?a_b\\) \\*fill\\*',
  };
  shown.Discord = shown.Teams ?? '';
  for (const WebhookFormat of Object.keys(textsIn)) {
    webhook.posts.length = 0;
    const alert = await api.add('Alert', { ...noFill, Name, WebhookUrl: webhook.url, WebhookFormat });
    await minutes(2);
    // The one before may still be told that it is over.
    const isOwn = (body: Values) => new RegExp(`/console/Alert/${alert.Id}\\b`).test(JSON.stringify(body));
    const sent = bodies().find(isOwn) ?? assert.fail(WebhookFormat);
    const text = textsIn[WebhookFormat]?.(sent) ?? '';
    const [subject = ''] = text.split('\n');
    assert.equal(subject, `Alert: ${shown[WebhookFormat]}`);
    if (WebhookFormat === 'Slack') assert.equal(sent.mrkdwn, false);
    if (WebhookFormat === 'Discord') assert.deepEqual(sent.allowed_mentions, { parse: [] });
    await api.post('/api/alert/deactivate', { Alert: { Id: alert.Id } });
  }
  const warned = await api.post('/api/alert/add?DryRun=1', {
    Alert: { ...noFill, WebhookUrl: 'https://hooks.slack.com/services/T/B/x' },
  });
  assert.match(JSON.stringify(warned.body.Warnings), /Alert\.WebhookFormat.*set Slack/);
});
