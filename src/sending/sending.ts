import { destinationsOf } from '../entities/destinations.ts';
import type { JobKind } from '../jobs/worker.ts';
import type { Delivery, Message, SendMessage } from '../shared/message.ts';
import type { Store } from '../store/interface.ts';
import {
  type AttemptOutcome,
  type Channel,
  type NewSendings,
  type PlannedReport,
  type Sending,
  type SendingStore,
  sendingJobKind,
} from '../store/sending/interface.ts';
import { scheduleOf } from './schedule.ts';

const minuteMs = 60_000;
const reportsPerRead = 200;
/** One more attempt than waits: eight in some 22 hours. */
const waitsMinutes = [1, 5, 15, 60, 180, 360, 720];
const errorCharactersMax = 500;

export interface SendingOptions {
  readonly store: Pick<Store, 'jobs' | 'sending'>;
  readonly now: () => number;
  /** A channel that is not set up says what is missing. */
  readonly channels: Readonly<Record<Channel, SendMessage>>;
  /** Rejects with an error for people. */
  readonly makeMessage: (sending: Sending) => Promise<Message>;
  /** Whether `makeMessage` would fail in the same way again. */
  readonly isFinal: (fault: unknown) => boolean;
  readonly noticeOf: (failed: Sending) => Promise<NewSendings | undefined>;
}

/** What was missed while no server ran is sent once. */
async function planOne(store: SendingStore, report: PlannedReport, nowMs: number): Promise<void> {
  const { id: reportId, teamId, document, changedMs, planned } = report;
  const schedule = scheduleOf(document);
  if (!schedule) return;
  const isKnown = planned?.schedule === schedule.text;
  const afterMs = isKnown ? planned.untilMs : changedMs;
  const lastMs = schedule.lastDue(nowMs);
  const isDue = lastMs > afterMs;
  if (isKnown && !isDue) return;
  const to = isDue ? destinationsOf(document) : [];
  await store.plan({ teamId, reportId, schedule: schedule.text, dueMs: isDue ? lastMs : afterMs, to });
}

/** Each due time is planned once, by one of the processes that call this. */
export async function planSendings(store: SendingStore, now: () => number): Promise<void> {
  await store.adopt(now());
  for (let afterId = 0; ; ) {
    const reports = await store.reports(afterId, reportsPerRead);
    for (const report of reports) await planOne(store, report, now());
    if (reports.length < reportsPerRead) return;
    afterId = reports.at(-1)?.id ?? 0;
  }
}

async function attempt(options: SendingOptions, sending: Sending): Promise<AttemptOutcome> {
  const { channels, makeMessage, isFinal, now } = options;
  const { id, channel, target, attempts } = sending;
  let wait = waitsMinutes[attempts];
  const send = async () => channels[channel](target, await makeMessage(sending), { id, nowMs: now() });
  const { error, result } = await send().catch((fault: unknown): Delivery => {
    if (isFinal(fault)) wait = undefined;
    return { error: fault instanceof Error ? fault.message : String(fault) };
  });
  const [lastMs, text] = [now(), error.slice(0, errorCharactersMax)];
  const ended = { attempts: attempts + 1, lastMs, nextMs: lastMs, error: text };
  if (error === '' || result !== undefined)
    return { ...ended, state: 'sent', ...(result !== undefined && { result }) };
  if (wait === undefined) return { ...ended, state: 'failed' };
  return { ...ended, state: 'waiting', nextMs: lastMs + wait * minuteMs };
}

/** Everything is sent at least once, or shown as failed. */
export function sendings(options: SendingOptions): JobKind {
  const { store, noticeOf } = options;
  return {
    name: sendingJobKind,
    lanes: 4,
    // It ends long after its work is done, or its process dead.
    claimMs: 300_000,
    async run(job) {
      const sending = await store.sending.waiting(job);
      if (!sending) return store.jobs.settle(job);
      const outcome = await attempt(options, sending);
      const notice = outcome.state === 'failed' ? await noticeOf({ ...sending, ...outcome }) : undefined;
      return store.sending.finish(job, outcome, notice);
    },
  };
}
