import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { sendingJobKind } from '../../src/store/sending/interface.ts';
import { posted, type Values } from './api.ts';
import { attachmentOf, headersOf } from './receivers.ts';
import { assertRefused } from './refusals.ts';
import { daily, dayMs, minuteMs, startSendingRoom } from './sending-room.ts';
import { addUser } from './users.ts';

const { mail, webhook, server, api, clock, withMail, startProcess, one, ...room } = await startSendingRoom();
const { addReport, sendingsOf, states, toSeven } = room;
const other = await startProcess();

describe('reports that are due', () => {
  test('go to each address as CSV and to the URL as JSON, once for each time', async () => {
    const report = await addReport({
      Name: 'Daily "net"',
      Mails: ['a@desk.example', 'b@desk.example'],
      WebhookUrl: webhook.url,
    });
    toSeven();
    const day = new Date(clock.nowMs - dayMs).toISOString().slice(0, 10);
    await one.run();
    await one.run();
    assert.deepEqual(mail.mails.map(({ to }) => to).toSorted(), [['a@desk.example'], ['b@desk.example']]);
    const [first] = mail.mails;
    assert.ok(first);
    const { headers, content } = attachmentOf(first);
    assert.equal(content.trim(), `Day,Requests\r\n${day}T00:00:00+00:00,0`);
    assert.match(headers, new RegExp(`filename="?Daily-net_${day}_${day}\\.csv`));
    assert.match(headersOf(first), /From: bourse@exchange\.example/);
    assert.match(first.text, /1 row, attached as CSV/);
    assert.equal(webhook.posts.length, 1);
    const body = JSON.parse(webhook.posts[0]?.body ?? '') as Values;
    assert.deepEqual(body.Rows, [{ Day: `${day}T00:00:00+00:00`, Requests: 0 }]);
    assert.partialDeepStrictEqual(body.Report as Values, {
      Id: report.Id,
      Name: report.Name,
      From: day,
      To: day,
    });
    const sent = await sendingsOf(report);
    assert.deepEqual(
      sent.map((sending) => [sending.Channel, sending.State, sending.Attempts, sending.Error]).toSorted(),
      [
        ['mail', 'sent', 1, ''],
        ['mail', 'sent', 1, ''],
        ['webhook', 'sent', 1, ''],
      ],
    );
    clock.nowMs += dayMs;
    await one.run();
    assert.equal(mail.mails.length, 4);
    assert.equal((await sendingsOf(report)).length, 6);
  });

  test('are not sent for a time at which they were not there', async () => {
    const realMs = Date.now();
    const ScheduleHour = new Date(realMs).getUTCHours();
    const report = await api.add('Report', { ...daily, ScheduleHour, WebhookUrl: webhook.url });
    const laterMs = clock.nowMs;
    [clock.nowMs, clock.sinceMs] = [realMs + 30 * minuteMs, 0];
    await one.run();
    assert.deepEqual(await sendingsOf(report), []);
    clock.nowMs = realMs + dayMs;
    await one.run();
    assert.equal((await sendingsOf(report)).length, 1);
    clock.nowMs = laterMs;
  });

  test('are signed by each secret that works', async () => {
    // By the real clock, by which former secrets end.
    const [laterMs, realMs] = [clock.nowMs, Date.now()];
    const ScheduleHour = new Date(realMs).getUTCHours();
    const report = await api.add('Report', { ...daily, ScheduleHour, WebhookUrl: webhook.url });
    const rotation = { Id: report.Id, Field: 'WebhookSecret', KeepOldHours: 30 };
    const rotated = posted(await api.post('/api/report/rotate', { Report: rotation }), 'Report');
    const signaturesAt = async (atMs: number) => {
      webhook.posts.length = 0;
      clock.nowMs = atMs;
      await one.run();
      const [{ headers, body } = { headers: {}, body: '' }] = webhook.posts;
      assert.equal(headers['webhook-timestamp'], String(Math.floor(clock.nowMs / 1000)));
      const signature = ({ WebhookSecret }: Values) =>
        `v1,${createHmac('sha256', Buffer.from(String(WebhookSecret), 'base64url'))
          .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
          .digest('base64')}`;
      return { sent: headers['webhook-signature'], expected: [rotated, report].map(signature) };
    };
    const both = await signaturesAt(realMs + dayMs);
    assert.equal(both.sent, both.expected.join(' '));
    const last = await signaturesAt(realMs + 2 * dayMs);
    assert.equal(last.sent, last.expected[0]);
    clock.nowMs = laterMs;
  });

  test('are sent once by several processes, and once for what was missed', async () => {
    const report = await addReport({ Mails: ['a@desk.example'], WebhookUrl: webhook.url });
    clock.nowMs += 5 * dayMs;
    toSeven();
    await Promise.all([one.run(), other.run()]);
    assert.equal(mail.mails.length, 1);
    assert.equal(webhook.posts.length, 1);
    assert.equal((await sendingsOf(report)).length, 2);
  });

  test('of a process that has died are another’s after some minutes', async () => {
    const report = await addReport({ Mails: ['a@desk.example'] });
    toSeven();
    const dueMs = Math.floor(clock.nowMs / dayMs) * dayMs + 7 * 60 * minuteMs;
    const to = [{ channel: 'mail', target: 'a@desk.example' } as const];
    const planned = { teamId: Number(report.TeamId), reportId: report.Id, schedule: 'Day 7 UTC', dueMs, to };
    assert.equal(await other.store.sending.plan(planned), true);
    assert.equal(await one.store.sending.plan(planned), false, 'one process plans');
    const rules = { name: sendingJobKind, claimMs: 5 * minuteMs };
    assert.ok(await other.store.jobs.claim(rules, 'dead', clock.nowMs));
    await one.run();
    assert.deepEqual(await states(report), [['a@desk.example', 'waiting']]);
    clock.nowMs += 6 * minuteMs;
    await one.run();
    assert.deepEqual(await states(report), [['a@desk.example', 'sent']]);
    assert.equal(mail.mails.length, 1);
  });

  test('are tried again ever later, under one ID, and then shown as failed', async () => {
    const report = await addReport({ WebhookUrl: webhook.url });
    toSeven();
    webhook.statuses.push(500, 302, ...Array(6).fill(503));
    const told: unknown[] = [];
    for (const minutes of [0, 1, 5, 15, 60, 180, 360, 720]) {
      // A moment too early, nothing happens.
      clock.nowMs += minutes * minuteMs - 1;
      if (minutes > 0) await one.run();
      clock.nowMs += 1;
      await one.run();
      const [sending] = await sendingsOf(report);
      told.push([sending?.Attempts, sending?.State, sending?.Error]);
    }
    assert.deepEqual(told.slice(0, 2), [
      [1, 'waiting', 'the URL answered 500'],
      [2, 'waiting', 'the URL answered 302; redirects are not followed'],
    ]);
    assert.deepEqual(told.at(-1), [8, 'failed', 'the URL answered 503']);
    clock.nowMs += 13 * 60 * minuteMs - 24 * 60 * minuteMs;
    assert.equal(webhook.posts.length, 8);
    assert.equal(new Set(webhook.posts.map(({ headers }) => headers['webhook-id'])).size, 1);
    clock.nowMs += dayMs;
  });

  test('arrive late where the receiver was away', async () => {
    const report = await addReport({ WebhookUrl: webhook.url });
    toSeven();
    webhook.statuses.push(429);
    await one.run();
    assert.deepEqual(await states(report), [[webhook.url, 'waiting']]);
    clock.nowMs += minuteMs;
    await one.run();
    assert.deepEqual(await states(report), [[webhook.url, 'sent']]);
    assert.deepEqual(
      (await sendingsOf(report)).map((sending) => [sending.Attempts, sending.Error]),
      [[2, '']],
    );
  });
});

describe('what is sent', () => {
  test('has no header and no file name of a report’s making', async () => {
    const Name = 'Net\r\nBcc: spy@evil.example\r\n\r\n<script>../../etc/passwd';
    await addReport({ Name, Mails: ['a@desk.example'] });
    toSeven();
    await one.run();
    const [received] = mail.mails;
    assert.ok(received);
    assert.deepEqual(received.to, ['a@desk.example']);
    assert.doesNotMatch(headersOf(received), /^bcc:/im);
    assert.match(headersOf(received), /^Subject: Net Bcc: spy@evil\.example <script>/im);
    assert.match(
      attachmentOf(received).headers,
      /filename="?Net-Bcc-spy-evil-example-script-etc-passwd_2040/,
    );
  });

  test('says that there is nothing, without a file', async () => {
    await addReport({ Mails: ['a@desk.example'], GroupBy: ['Supply'] });
    toSeven();
    await one.run();
    const [received] = mail.mails;
    assert.match(received?.text ?? '', /There are no rows/);
    assert.doesNotMatch(received?.text ?? '', /attachment/);
  });

  test('is about the days before it was due, however late it is sent', async () => {
    await addReport({ WebhookUrl: webhook.url });
    toSeven();
    const day = new Date(clock.nowMs - dayMs).toISOString().slice(0, 10);
    webhook.statuses.push(...Array(6).fill(500));
    for (const minutes of [0, 1, 5, 15, 60, 180, 360]) {
      clock.nowMs += minutes * minuteMs;
      await one.run();
    }
    clock.nowMs += 720 * minuteMs;
    await one.run();
    const bodies = webhook.posts.map(({ body }) => (JSON.parse(body) as { Report: Values }).Report.From);
    assert.deepEqual(new Set(bodies), new Set([day]));
  });

  test('goes to nobody who was taken off, though it waits', async () => {
    const report = await addReport({ WebhookUrl: webhook.url, Mails: ['a@desk.example'] });
    toSeven();
    webhook.statuses.push(500);
    await one.run();
    await api.update('Report', { Id: report.Id, WebhookUrl: '' });
    clock.nowMs += minuteMs;
    await one.run();
    assert.equal(webhook.posts.length, 1);
    const [sending] = (await sendingsOf(report)).filter(({ Channel }) => Channel === 'webhook');
    assert.equal(sending?.Error, 'the report is no longer sent there');
  });

  test('reaches no private address, and no mail server that is not there', async () => {
    const report = await addReport({ WebhookUrl: webhook.url, Mails: ['a@desk.example'] });
    toSeven();
    const guarded = await startProcess({
      ...withMail,
      allowPrivateDemand: false,
      smtpUrl: 'smtp://127.0.0.1:1',
    });
    await guarded.run();
    assert.equal(webhook.posts.length, 0);
    const told = Object.fromEntries(
      (await sendingsOf(report)).map((sending) => [sending.Channel, sending.Error]),
    );
    assert.match(String(told.webhook), /does not lead to a public address; BOURSE_ALLOW_PRIVATE_DEMAND=1/);
    assert.match(String(told.mail), /^the mail server did not accept it: .*ECONNREFUSED/);
  });

  test('is no mail where no server is set, as the report warns', async () => {
    const reply = await api.post('/api/report/add', {
      Report: { Name: 'A', ...daily, Mails: ['a@desk.example'], GroupBy: ['Os', 'Creative'] },
    });
    const warned = reply.body.Warnings as readonly Values[];
    assert.deepEqual(
      warned.map(({ Path }) => Path),
      ['Report.GroupBy', 'Report.Mails'],
    );
    assert.match(String(warned[0]?.Message), /not counted together/);
    assert.match(String(warned[1]?.Message), /BOURSE_SMTP_URL is not set/);
    const report = posted(reply, 'Report');
    assert.deepEqual((await api.get(`/api/report/get?Id=${report.Id}&Warnings=1`)).body.Warnings, warned);
    const silent = await startProcess({ ...withMail, smtpUrl: undefined, mailFrom: undefined });
    await silent.run();
    toSeven();
    await silent.run();
    const [sending] = await sendingsOf(report);
    assert.match(String(sending?.Error), /not counted together/);
  });
});

describe('what a receiver checks', () => {
  test('is what operations.md shows: the signature, and the time', async () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const [, code = ''] = /```js\n(import \{ createHmac[\s\S]+?)\n```/.exec(page) ?? [];
    const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const report = await addReport({ WebhookUrl: webhook.url });
    toSeven();
    await one.run();
    const [{ headers, body } = { headers: {}, body: '' }] = webhook.posts;
    const secret = String(report.WebhookSecret);
    assert.equal(isGenuine(headers, body, secret, clock.nowMs), true);
    assert.equal(isGenuine(headers, `${body} `, secret, clock.nowMs), false);
    assert.equal(isGenuine({ ...headers, 'webhook-id': 'other' }, body, secret, clock.nowMs), false);
    assert.equal(
      isGenuine(
        headers,
        body,
        secret.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')),
        clock.nowMs,
      ),
      false,
    );
    assert.equal(isGenuine(headers, body, secret, clock.nowMs + 6 * minuteMs), false);
    assert.equal(isGenuine({}, body, secret, clock.nowMs), false);
  });
});

describe('who sees it', () => {
  test('all users of the team; another team finds no report', async () => {
    const report = await addReport({ Mails: ['a@desk.example'] });
    toSeven();
    await one.run();
    const analyst = api.as((await addUser(server, { role: 2, teamId: 1 })).token);
    assert.equal((await sendingsOf(report, analyst)).length, 1);
    assert.equal((await analyst.one('Report', report.Id)).Name, report.Name);
    const refused = await analyst.post('/api/report/update', { Report: { Id: report.Id, Name: 'B' } });
    assertRefused(refused, { status: 403 });
    const ofTeam = (await api.get('/api/report/sendings')).body as unknown as readonly Values[];
    assert.equal(ofTeam[0]?.ReportId, report.Id);
    const outsider = api.as((await addUser(server, { role: 0 })).token);
    for (const [who, query] of [
      [outsider, `?Id=${report.Id}`],
      [api, '?Id=999999'],
    ] as const) {
      assertRefused(await who.get(`/api/report/sendings${query}`), { status: 406, paths: ['Id'] });
    }
    assert.deepEqual((await outsider.get('/api/report/sendings')).body, []);
  });
});
