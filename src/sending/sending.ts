import { randomUUID } from 'node:crypto';
import { destinationsOf } from '../entities/destinations.ts';
import type {
  Channel,
  NewSendings,
  PlannedReport,
  Sending,
  SendingStore,
} from '../store/sending/interface.ts';
import { type Attempt, outcomeOf } from './attempts.ts';
import type { Message, SendMessage } from './message.ts';
import { scheduleOf } from './schedule.ts';

const reportsPerRead = 200;
/** A claim ends long after its work is done, or its process dead. */
const claimMs = 300_000;
/** Under way at a time, so that one that waits holds up few. */
const lanes = 4;

export interface SendingOptions {
  readonly store: SendingStore;
  readonly now: () => number;
  /** A channel that is not set up says what is missing. */
  readonly channels: Readonly<Record<Channel, SendMessage>>;
  /** Rejects with an error for people. */
  readonly makeMessage: (sending: Sending) => Promise<Message>;
  /** Whether `makeMessage` would fail in the same way again. */
  readonly isFinal: (fault: unknown) => boolean;
  readonly noticeOf: (failed: Sending) => Promise<NewSendings | undefined>;
  /** Once aborted, nothing more is begun. */
  readonly signal?: AbortSignal;
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

async function planAll({ store, now }: SendingOptions): Promise<void> {
  for (let afterId = 0; ; ) {
    const reports = await store.reports(afterId, reportsPerRead);
    for (const report of reports) await planOne(store, report, now());
    if (reports.length < reportsPerRead) return;
    afterId = reports.at(-1)?.id ?? 0;
  }
}

async function attempt(
  { channels, makeMessage, isFinal }: SendingOptions,
  sending: Sending,
  nowMs: number,
): Promise<Attempt> {
  const { id, channel, target } = sending;
  try {
    const message = await makeMessage(sending);
    return { error: await channels[channel](target, message, { id, nowMs }), isFinal: false };
  } catch (fault) {
    return { error: fault instanceof Error ? fault.message : String(fault), isFinal: isFinal(fault) };
  }
}

/** One after the other, until nothing is due. */
async function sendDue(options: SendingOptions, by: string): Promise<void> {
  const { store, now, signal, noticeOf } = options;
  while (!signal?.aborted) {
    const nowMs = now();
    const sending = await store.claim(by, nowMs, nowMs + claimMs);
    if (!sending) return;
    const outcome = outcomeOf(sending.attempts + 1, await attempt(options, sending, nowMs), now());
    const notice = outcome.state === 'failed' ? await noticeOf({ ...sending, ...outcome }) : undefined;
    await store.finish(sending.id, by, outcome, notice);
  }
}

/**
 * Every process may call this: each due time is planned once, and sent by one process at a time. If it dies, another
 * takes over after some minutes: everything is sent at least once, or shown as failed.
 */
export async function sendReports(options: SendingOptions): Promise<void> {
  await planAll(options);
  const lane = () => sendDue(options, randomUUID());
  await Promise.all(Array.from({ length: lanes }, lane));
}
