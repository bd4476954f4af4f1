import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openAlertRoom, timeouts } from './alert-room.ts';
import type { Values } from './api.ts';
import { headersOf } from './receivers.ts';
import { assertRefused } from './refusals.ts';
import { addUser } from './users.ts';

const { api, bodies, count, dsp, isFiring, logOf, mail, minutes, server, webhook } = await openAlertRoom();

const fires = { ...timeouts, HoldMinutes: 0, EndMinutes: 0, Window: 10 };
const textOf = (index: number) =>
  mail.mails[index]?.text.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';

describe('what fires', () => {
  test('is told again until somebody acknowledges it, with name and note', async () => {
    const alert = await api.add('Alert', {
      ...fires,
      RemindMinutes: 3,
      WebhookUrl: webhook.url,
      Severity: 3,
    });
    for (let minute = 0; minute < 8; minute += 1) {
      await count({ calls: 200, timeouts: 120 });
      await minutes(1);
    }
    const told = bodies().map(({ Begun, Reminded }) => [Begun?.length, Reminded?.length]);
    assert.deepEqual(told, [
      [1, undefined],
      [0, 1],
      [0, 1],
    ]);
    const [found] = await logOf(alert);
    const trial = await api.post('/api/alert/acknowledge?DryRun=1', { Id: found?.Id, Name: 'Nobody' });
    assert.equal((trial.body.Finding as Values).AcknowledgedBy, 'Nobody');
    assert.equal((await logOf(alert))[0]?.Acknowledged, '');
    const reply = await api.post('/api/alert/acknowledge', { Id: found?.Id, Note: 'Back by noon' });
    assert.equal(reply.status, 200, reply.text);
    const [shown] = await logOf(alert);
    assert.equal(shown?.Note, 'Back by noon');
    assert.notEqual(shown?.Acknowledged, '');
    assert.ok(String(shown?.AcknowledgedBy).length > 0, 'by whoever calls');
    for (let minute = 0; minute < 8; minute += 1) {
      await count({ calls: 200, timeouts: 120 });
      await minutes(1);
    }
    assert.deepEqual(
      [await isFiring(alert), webhook.posts.length],
      [1, 3],
      'it fires on, and is told no more',
    );
    await api.post('/api/alert/acknowledge', { Id: found?.Id, Name: 'Grace' });
    await count({ calls: 20_000 });
    await minutes(2);
    assert.deepEqual([bodies()[3]?.Ended?.[0]?.AcknowledgedBy, bodies()[3]?.Ended?.[0]?.Note], ['Grace', '']);
  });

  test('is acknowledged by those who may change the team, in the team alone', async () => {
    const alert = await api.add('Alert', fires);
    await count({ calls: 200, timeouts: 120 });
    await minutes(1);
    const [found] = await logOf(alert);
    const analyst = api.as((await addUser(server, { role: 2, teamId: 1 })).token);
    const outsider = api.as((await addUser(server, { role: 0 })).token);
    assertRefused(await analyst.post('/api/alert/acknowledge', { Id: found?.Id }), { status: 403 });
    for (const [one, Id] of [
      [outsider, found?.Id],
      [api, 999_999],
    ] as const) {
      assertRefused(await one.post('/api/alert/acknowledge', { Id }), { status: 406, paths: ['Id'] });
    }
    assert.equal((await logOf(alert))[0]?.Acknowledged, '');
  });
});

test('a mail has the severity, the owner, times of the zone, the volume, and links to look further', async () => {
  const more = { Severity: 3, Owner: 'Ad operations', TimeZone: 'Asia/Kolkata', Mails: ['a@desk.example'] };
  const alert = await api.add('Alert', { ...fires, ...more, WebhookUrl: webhook.url });
  await count({ calls: 200, timeouts: 120 });
  await minutes(1);
  assert.match(
    headersOf(mail.mails[0] ?? { to: [], text: '' }),
    /^Subject: \[Critical\] Alert: Timeouts: North DSP$/m,
  );
  const text = textOf(0);
  assert.match(text, /^Critical, for Ad operations\r?$/m);
  // 12:01 UTC.
  assert.match(
    text,
    /North DSP \(DSP RTB EP \d+\): 60 % \(of 200 calls\), since \d{4}-\d\d-\d\d 17:31 Asia\/Kolkata/,
  );
  const at = 'https://exchange.example/console';
  const [begun] = bodies()[0]?.Begun ?? [];
  const { Object: object, Report, Funnel } = (begun?.Links ?? {}) as Readonly<Record<string, string>>;
  assert.equal(object, `${at}/DspRtbEp/${dsp.Id}`);
  assert.equal(Funnel, `${at}/funnel?demand=DspRtbEp%3A${dsp.Id}`);
  const report = new URL(String(Report));
  assert.equal(report.searchParams.get('figures'), 'TimeoutRate,Calls');
  assert.deepEqual(JSON.parse(report.searchParams.get('filter') ?? ''), [
    { Field: 'Demand', Operator: 'In', Values: [`DspRtbEp:${dsp.Id}`] },
  ]);
  for (const link of [object, Funnel, Report]) assert.ok(text.includes(String(link)), String(link));
  const { Severity, Owner } = (bodies()[0]?.Alert ?? {}) as unknown as Values;
  assert.deepEqual([Severity, Owner], [3, 'Ad operations']);
  assert.equal((await api.one('Alert', alert.Id)).Owner, 'Ad operations');
});
