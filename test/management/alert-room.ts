import assert from 'node:assert/strict';
import { after, afterEach, beforeEach } from 'node:test';
import { pino } from 'pino';
import type { Counts } from '../../src/reference/counters.ts';
import { createAlerting } from '../../src/serving/alerting.ts';
import { createSending } from '../../src/serving/sending.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ObjectKey } from '../../src/store/statistics/interface.ts';
import { countsIn } from '../statistics/counting.ts';
import { killChildren } from '../store/child.ts';
import { type Fetched, posted, startApi, type Values } from './api.ts';
import { startMailServer, startWebhook } from './receivers.ts';

/** Milliseconds of steps of time. */
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
const quarterMs = 900_000;
/** For so long somebody has counted before each test. */
const servedDays = 50;

/** Timeouts of each DSP over 40 %, as soon as they are found. */
export const timeouts = {
  Name: 'Timeouts',
  Condition: 'Above',
  Measure: 'TimeoutRate',
  Threshold: 40,
  Window: 30,
  GroupBy: 'Demand',
  MinVolume: 100,
  HoldMinutes: 2,
  EndMinutes: 2,
  Hysteresis: 10,
};
/** No impressions at all. */
export const noFill = {
  Name: 'No fill',
  Condition: 'Nothing',
  Measure: 'Impressions',
  Window: 30,
  HoldMinutes: 0,
  EndMinutes: 0,
};

/**
 * Servers, objects and a clock for the alerts of one test file. Where files share a process, each opens its own: what is
 * open closes with the file.
 */
export async function openAlertRoom() {
  const mail = await startMailServer();
  const webhook = await startWebhook();
  const { server, api } = await startApi();
  /** Far ahead of the server's own clock, whose own judging finds nothing to do. */
  const clock = { ms: Date.parse('2040-01-02T12:00:00Z') };
  const now = () => clock.ms;
  const logger = pino({ level: 'silent' });
  const keptDays = standardKeptDays;

  /** What the exchange tells of the health of objects, by kind and ID. */
  const health = new Map<string, object>();
  const exchange = {
    health: async ({ kind, ids }: { kind: string; ids: readonly number[] }) => [
      ids.map((id) => ({
        id,
        lastRequestMs: undefined,
        lastFault: undefined,
        pause: undefined,
        limits: [],
        inactive: [],
        unfilled: undefined,
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
    clock.ms = (Math.floor(clock.ms / dayMs) + 9) * dayMs + 12 * hourMs;
    await one.store.alerts.noteServed({ fromMs: clock.ms - servedDays * dayMs, untilMs: clock.ms });
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

  /** An ID for a lot of counts that no other has. */
  const lotId = () => {
    lots += 1;
    return `lot ${lots}`;
  };

  /** Counts something of a supply and a demand object so many minutes ago. */
  async function count(
    some: Partial<Counts>,
    minutesAgo = 0,
    demand: ObjectKey | null = { kind: 'DspRtbEp', id: dsp.Id },
    tag: Fetched = supply,
  ) {
    const ms = clock.ms - minutesAgo * minuteMs;
    const hour = Math.floor(ms / hourMs);
    await one.store.statistics.add([
      {
        id: lotId(),
        timeMs: ms,
        addresses: [],
        pairs: [
          {
            hour,
            quarter: Math.floor((ms % hourMs) / quarterMs),
            minute: Math.floor((ms % quarterMs) / minuteMs),
            supply: { kind: 'VastTag', id: tag.Id },
            demand: demand ?? undefined,
            counts: countsIn('pair', some),
          },
        ],
      },
    ]);
  }

  /** Judges so many minutes, one after the other, and sends. */
  async function minutes(many: number) {
    for (let minute = 0; minute < many; minute += 1) {
      clock.ms += minuteMs;
      await one.judge();
      await one.send();
    }
  }

  /** Goes on by so many minutes, in which some process served and nobody judged. */
  async function later(many: number) {
    const fromMs = clock.ms;
    clock.ms += many * minuteMs;
    await one.store.alerts.noteServed({ fromMs, untilMs: clock.ms });
  }

  async function logOf({ Id }: Fetched, as = api): Promise<readonly Values[]> {
    const reply = await as.get(`/api/alert/log?Id=${Id}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body as unknown as readonly Values[];
  }
  const isFiring = async ({ Id }: Fetched) => (await api.one('Alert', Id)).Firing;
  const bodies = () =>
    webhook.posts.map(({ body }) => JSON.parse(body) as Readonly<Record<string, readonly Values[]>>);
  return {
    mail,
    webhook,
    server,
    api,
    clock,
    health,
    one,
    other,
    supply,
    dsp,
    quiet,
    lotId,
    count,
    minutes,
    later,
    logOf,
    isFiring,
    bodies,
  };
}
