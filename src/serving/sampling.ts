import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { BidSample } from '../exchange/explain/bid-samples.ts';
import { createTimedWork } from '../shared/timed-work.ts';
import { dayOf } from '../statistics/days.ts';
import type { Store } from '../store/interface.ts';

export interface Sampling {
  /** As far as the database can be reached. */
  close(): Promise<void>;
}

export interface SamplingOptions {
  readonly store: Pick<Store, 'statistics'>;
  readonly take: () => readonly BidSample[];
  readonly keepDays: number;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => number;
}

/** A killed process loses these minutes' samples, which are only samples. */
const writeEveryMs = 60_000;
const rowsPerWrite = 200;

/** Once a minute; forgets old ones. What the database does not take is lost. */
export function startSampling({ store, take, keepDays, logger, now }: SamplingOptions): Sampling {
  const { statistics } = store;
  const writer = randomUUID();
  let forgottenDay = 0;
  const write = async () => {
    const samples = take();
    for (let from = 0; from < samples.length; from += rowsPerWrite) {
      await statistics.keepBidSamples(writer, samples.slice(from, from + rowsPerWrite));
    }
    const today = dayOf(now());
    if (today > forgottenDay && !(await statistics.forgetBidSamples(today - keepDays))) forgottenDay = today;
  };
  const onFailure = (error: unknown) =>
    logger.warn({ err: error }, 'samples of bids could not be written; they are lost');
  const work = createTimedWork(writeEveryMs, write, { onFailure });
  work.start();
  return { close: () => work.close().then(write).catch(onFailure) };
}
