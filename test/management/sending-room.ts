import assert from 'node:assert/strict';
import { after, beforeEach } from 'node:test';
import { pino } from 'pino';
import type { Config } from '../../src/config.ts';
import { createSending, type SendingConfig } from '../../src/serving/sending.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type Fetched, posted, startApi, type Values } from './api.ts';
import { startMailServer, startWebhook } from './receivers.ts';

export const minuteMs = 60_000;
export const dayMs = 86_400_000;

/** What a report that is sent every day at seven says. */
export const daily = {
  Schedule: 1,
  ScheduleHour: 7,
  Period: 'Yesterday',
  GroupBy: ['Day'],
  Measures: ['Requests'],
};

/** A server whose reports are sent by processes on a clock of their own, to a real mail server and a webhook. */
export async function startSendingRoom(changes: Partial<Config> = {}) {
  const mail = await startMailServer();
  const webhook = await startWebhook();
  const { server, api } = await startApi(changes);
  const clock = {
    /** Far ahead of the server's own clock, whose own sending finds nothing due. */
    nowMs: Date.parse('2040-01-02T06:00:00Z'),
    /** What is due before this was due before the test began: reports are added years ago by the sending's clock. */
    sinceMs: 0,
  };
  const withMail = { allowPrivateDemand: true, smtpUrl: mail.url, mailFrom: 'bourse@exchange.example' };

  /** A process that sends, on the server's database and the test's clock. */
  async function startProcess(config: SendingConfig = withMail) {
    const store = await openStore({ url: server.databaseUrl, now: () => clock.nowMs });
    const sending = createSending({
      config,
      store,
      now: () => clock.nowMs,
      keptDays: standardKeptDays,
      baseUrl: () => 'https://exchange.example',
      logger: pino({ level: 'silent' }),
    });
    after(async () => {
      await sending.close();
      await store.close();
    });
    return { run: () => sending.run(), store };
  }

  const one = await startProcess();
  after(() => Promise.all([mail.close(), webhook.close()]));

  beforeEach(async () => {
    for (const { Id } of await api.all('Report', '?ActiveOnly=1')) {
      posted(await api.post('/api/report/deactivate', { Report: { Id } }), 'Report');
    }
    webhook.statuses.length = 0;
    // The hour before the next morning.
    clock.nowMs = (Math.floor(clock.nowMs / dayMs) + 1) * dayMs + 6 * 60 * minuteMs;
  });

  async function sendingsOf({ Id }: Fetched, as = api): Promise<readonly Values[]> {
    const reply = await as.get(`/api/report/sendings?Id=${Id}`);
    assert.equal(reply.status, 200, reply.text);
    const all = reply.body as unknown as readonly Values[];
    return all.filter(({ Due }) => Date.parse(String(Due)) >= clock.sinceMs);
  }

  return {
    mail,
    webhook,
    server,
    api,
    clock,
    withMail,
    startProcess,
    one,
    sendingsOf,
    /** Adds a report that is sent every day at seven, and has been until now. */
    async addReport(values: Values): Promise<Fetched> {
      const report = await api.add('Report', { ...daily, ...values });
      await one.run();
      mail.mails.length = 0;
      webhook.posts.length = 0;
      clock.sinceMs = clock.nowMs;
      return report;
    },
    toSeven() {
      clock.nowMs = Math.floor(clock.nowMs / dayMs) * dayMs + 7 * 60 * minuteMs + 30_000;
    },
    states: async (report: Fetched) => (await sendingsOf(report)).map(({ To, State }) => [To, State]),
  };
}
