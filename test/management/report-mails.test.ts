import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hourOf } from '../../src/statistics/days.ts';
import { pairCounts } from '../statistics/counting.ts';
import type { Fetched, Values } from './api.ts';
import { attachmentOf, headersOf, type Received, textOf } from './receivers.ts';
import { dayMs, startSendingRoom } from './sending-room.ts';
import { addUser } from './users.ts';

const { mail, webhook, server, api, clock, one, addReport, sendingsOf, toSeven } = await startSendingRoom();
const { Id: PublisherId } = await api.add('Publisher', { Name: 'Überverlag' });
const tag = await api.add('VastTag', { PublisherId, Name: 'Überfeed' });

/** Counts something of the day before. */
async function count(requests: number, spentNanos: number): Promise<void> {
  const pair = pairCounts({ kind: 'VastTag', id: tag.Id }, undefined, { requests, spentNanos });
  const pairs = [{ ...pair, hour: hourOf(clock.nowMs) - 24 }];
  await one.store.statistics.add([
    {
      id: `${clock.nowMs}`,
      timeMs: clock.nowMs,
      pairs,
      addresses: [],
    },
  ]);
}

/** The report's mail to somebody, sent the next morning. */
async function mailTo(address: string, { subject = '', ...values }: Values) {
  const report = await addReport({ Mails: [address], ...values });
  toSeven();
  await one.run();
  const found = mail.mails.find(
    (got) => got.to.includes(address) && headersOf(got).includes(`Subject: ${subject}`),
  );
  assert.ok(found, JSON.stringify(await sendingsOf(report)));
  return { report, mail: found };
}

const leaveUrl = (received: Received): string => {
  const [, url = ''] =
    /^List-Unsubscribe: <(https:\/\/exchange\.example\/unsubscribe\?token=[\w-]+)>$/im.exec(
      headersOf(received),
    ) ?? [];
  assert.notEqual(url, '', headersOf(received));
  return url;
};
/** The same at the test's server, without any credentials. */
const call = (url: string, init: RequestInit = {}) =>
  fetch(url.replace('https://exchange.example', server.url), { redirect: 'manual', ...init });
const oneClick: RequestInit = {
  method: 'POST',
  body: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
};
const mailsOf = async ({ Id }: Fetched) => (await api.one('Report', Id)).Mails;

describe('the mail of a report', () => {
  test('has the sums with their units, a link, who sends it and why, and how to stop it', async () => {
    await count(1234, 5_678_900_000);
    const { report, mail: received } = await mailTo('sums@desk.example', {
      Name: 'Daily net',
      GroupBy: ['Supply'],
      Measures: ['Requests', 'Cost', 'FillRate'],
    });
    const text = textOf(received);
    for (const line of [/^- Requests: 1,234$/m, /^- Cost: 5\.68 USD$/m, /^- FillRate: 0 ?%$/m]) {
      assert.match(text, line);
    }
    assert.match(text, new RegExp(`^https://exchange\\.example/console/Report/${report.Id}\\r?$`, 'm'));
    assert.match(text, /1 row, attached as CSV/);
    const why = `sends this to sums@desk.example because this address is on the list of the report "Daily net" (Report ${report.Id})`;
    assert.ok(text.includes(why) && text.includes('Bourse at exchange.example'), text);
    assert.ok(text.includes(leaveUrl(received)), text);
    assert.match(headersOf(received), /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/im);
  });

  test('has the sums of what it is compared with beside', async () => {
    await count(10, 1_000_000_000);
    const { mail: received } = await mailTo('compared@desk.example', { CompareTo: 'Week' });
    assert.match(textOf(received), /^- Requests: 10 \(before: 0\)$/m);
  });

  test('is a file that German and French spreadsheets open by a double click', async () => {
    await count(2, 1_500_000_000);
    const { mail: received } = await mailTo('excel@desk.example', {
      Name: 'Kosten für "Über"',
      GroupBy: ['Supply'],
      Measures: ['Requests', 'Cost'],
      Separator: 'Semicolon',
      Decimal: 'Comma',
    });
    const { headers, content } = attachmentOf(received);
    assert.equal(
      content.trimEnd(),
      `\uFEFFSupplyKind;Supply;SupplyName;Requests;Cost\r\nVastTag;${tag.Id};Überfeed;2;1,5`,
    );
    const day = new Date(clock.nowMs - dayMs).toISOString().slice(0, 10);
    const name = [...headers.matchAll(/filename\*\d+\*?=(?:utf-8'')?([^;\s]+)/g)]
      .map(([, part]) => part)
      .join('');
    assert.equal(name, `Kosten-f%C3%BCr-%C3%9Cber_${day}_${day}.csv`, headers);
  });
});

describe('whoever is sent a report', () => {
  test('stops it with one click, without logging in, and no other address', async () => {
    const { report, mail: received } = await mailTo('leaver@desk.example', {
      Mails: ['leaver@desk.example', 'stays@desk.example'],
    });
    const url = leaveUrl(received);
    assert.ok(!url.includes('leaver'), 'the address is not in the link');
    const answer = await call(url, oneClick);
    assert.equal(answer.status, 200);
    assert.deepEqual(await mailsOf(report), ['stays@desk.example']);
    const again = await call(url, oneClick);
    assert.equal(again.status, 200, 'who asks twice is told the same');
    const history = await api.get(`/api/history/get?Entity=Report&Id=${report.Id}`);
    const rows = history.body as unknown as readonly Values[];
    const byProgram = rows.filter(({ UserId }) => UserId === 0);
    assert.equal(byProgram.length, 1, history.text);
    assert.deepEqual(byProgram[0]?.Changes, [
      {
        Field: 'Mails',
        Old: ['leaver@desk.example', 'stays@desk.example'],
        New: ['stays@desk.example'],
      },
    ]);
    clock.nowMs += dayMs;
    mail.mails.length = 0;
    await one.run();
    assert.deepEqual(
      mail.mails.map(({ to }) => to),
      [['stays@desk.example']],
    );
  });

  test('is shown a page first, which changes nothing and shows no markup of strangers', async () => {
    const Name = '<img src=x onerror=alert(1)>"net"';
    const { report, mail: received } = await mailTo('reader@desk.example', { Name });
    const url = leaveUrl(received);
    for (const method of ['GET', 'GET']) {
      const answer = await call(url, { method });
      const page = await answer.text();
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
      const policy = answer.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe|script/);
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
      assert.match(page, /&lt;img src=x onerror=alert\(1\)&gt;&quot;net&quot;/);
      assert.match(page, /<form method="post">/);
      assert.ok(!page.includes('<img'), page);
    }
    assert.deepEqual(await mailsOf(report), ['reader@desk.example']);
    const form = await call(url, { ...oneClick, headers: {} });
    assert.equal(form.status, 200);
    const left = await api.one('Report', report.Id);
    assert.deepEqual([left.Mails, left.Schedule, left.Status], [[], 0, 0], 'nobody is left to be sent it');
    assert.match(await (await call(url)).text(), /will no longer receive this report/);
    await api.update('Report', { Id: report.Id, Name: 'Can be changed' });
  });

  test('whose report has a URL, too, leaves that its schedule', async () => {
    const { report, mail: received } = await mailTo('url@desk.example', { WebhookUrl: webhook.url });
    assert.equal((await call(leaveUrl(received), { method: 'POST' })).status, 200, 'without a body');
    const left = await api.one('Report', report.Id);
    assert.deepEqual([left.Mails, left.Schedule], [[], 1]);
  });

  test('stops nothing by a token that was changed, cut, or made up', async () => {
    const { report, mail: received } = await mailTo('kept@desk.example', {});
    const url = leaveUrl(received);
    const [, token = ''] = url.split('token=');
    const flipped = (at: number) =>
      token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    const forged = Buffer.from(JSON.stringify([1, report.Id, 'kept@desk.example'])).toString('base64url');
    const tokens = [
      '',
      'x',
      forged,
      token.slice(0, -4),
      `${token}AAAA`,
      flipped(0),
      flipped(20),
      flipped(60),
    ];
    for (const wrong of [...tokens, token.repeat(50), `${token}&token=${token}`]) {
      for (const init of [{}, oneClick]) {
        const answer = await call(`https://exchange.example/unsubscribe?token=${wrong}`, init);
        assert.equal(answer.status, 404, wrong);
        assert.match(await answer.text(), /This link does not work/);
      }
    }
    assert.equal((await call('https://exchange.example/unsubscribe', oneClick)).status, 404);
    assert.deepEqual(await mailsOf(report), ['kept@desk.example']);
    const big = await call(url, { ...oneClick, body: 'x'.repeat(10_000) });
    assert.equal(big.status, 413);
  });

  test('of one report is left on others, and on the same one of nobody else', async () => {
    const first = await mailTo('both@desk.example', { Name: 'First' });
    clock.nowMs += dayMs - 3_600_000;
    const second = await mailTo('both@desk.example', { Name: 'Second', subject: 'Second' });
    assert.notEqual(leaveUrl(first.mail), leaveUrl(second.mail));
    await call(leaveUrl(second.mail), oneClick);
    assert.deepEqual(
      [await mailsOf(first.report), await mailsOf(second.report)],
      [['both@desk.example'], []],
    );
  });

  test('of their own stops that, too', async () => {
    const analyst = await addUser(server, { role: 2, teamId: 1 });
    const { report, mail: received } = await (async () => {
      const values = { Name: 'Own', Period: 'Yesterday', GroupBy: ['Day'], Measures: ['Requests'] };
      const sent = { ...values, Schedule: 1, ScheduleHour: 7, Mails: [analyst.mail] };
      const reply = await api.as(analyst.token).post('/api/own/report/add', { Report: sent });
      await one.run();
      clock.nowMs += dayMs;
      mail.mails.length = 0;
      await one.run();
      return { report: reply.body.Report as Fetched, mail: mail.mails[0] };
    })();
    assert.ok(received);
    assert.equal((await call(leaveUrl(received), oneClick)).status, 200);
    assert.deepEqual(await mailsOf(report), []);
  });
});
