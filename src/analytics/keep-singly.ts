import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, ConfigurationError } from '../config.ts';
import { counter, gauge, type Metric } from '../exchange/metrics/metric.ts';
import { createFaultLog } from '../fault-log.ts';
import { createOutboxWriter, type OutboxWriter } from '../outbox/outbox-writer.ts';
import { createShipping, nameOfFolder } from '../outbox/shipping.ts';
import { type OutboxPart, type Slot, takeAbandonedSlots, takeFirstSlot } from '../outbox/slots.ts';
import type { ClickHouseAddress } from '../reference/clickhouse-address.ts';
import { createTimedWork } from '../shared/timed-work.ts';
import { createFactRecorder, type FactRecorder } from '../statistics/fact-recorder.ts';
import { installationName } from '../store/installation-name.ts';
import type { Store } from '../store/interface.ts';
import type { Analytics } from '../store/statistics/interface.ts';
import { type ClickHouseEngine, createClickHouse } from './clickhouse.ts';
import { faultOfSetting } from './clickhouse-client.ts';
import { factRecords, newLot } from './fact-record.ts';
import { createEventFetching } from './fetched-events.ts';

export type AnalyticsConfig = Pick<
  Config,
  'analyticsUrl' | 'analyticsSample' | 'analyticsKeptDays' | 'outboxFolder' | 'outboxMegabytes'
>;

export interface AnalyticsOptions {
  readonly config: AnalyticsConfig;
  readonly store: Pick<Store, 'statistics' | 'secret'>;
  readonly threadGroup: { readonly number: number; readonly threadsMax: number };
  readonly logger: Logger;
  readonly now: () => number;
  /** The first thread's part; the first thread takes it itself. */
  readonly part?: OutboxPart | undefined;
}

/** A thread's single auctions and events, on their way to an engine. */
export interface KeptSingly {
  readonly part: OutboxPart;
  readonly facts: FactRecorder;
  readonly analytics: Analytics;
  metrics(): Metric[];
  /** Sends all counted so far; rejects if ClickHouse refuses. For the first thread only. */
  sendAll(): Promise<void>;
  /** To be called when counting has ended. */
  close(): Promise<void>;
}

const bytesPerMegabyte = 1024 * 1024;
const settingName = 'BOURSE_ANALYTICS_URL';
const leftSlotsEveryMs = 60_000;
const noteEveryMs = 10_000;
/** What was counted is in the outbox after this time. */
const inOutboxMs = 3000;
/** Reports do not wait for a process that stopped in order and has sent all. */
const doneUntilMs = Date.UTC(2100, 0, 1);
const closeMs = 5000;
const takesNoMore = 'the outbox accepts no more';

const writing =
  (writer: OutboxWriter, now: () => number): Parameters<typeof createFactRecorder>[0]['write'] =>
  async (facts) => {
    const written = await Promise.all(
      [...factRecords(facts, { lotOf: () => newLot(now()) })].map(writer.append),
    );
    return written.every(Boolean);
  };

/** Throws a `ConfigurationError` if the folder cannot be written. */
function takePart({ outboxFolder }: AnalyticsConfig, root: string): Slot {
  try {
    return takeFirstSlot(root);
  } catch (error) {
    throw new ConfigurationError(
      `BOURSE_OUTBOX: ${outboxFolder} cannot be used: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  }
}

/** Checks the setting. If ClickHouse is away the start goes on, with a warning. */
async function assertReachable(
  engine: ClickHouseEngine,
  { url }: ClickHouseAddress,
  logger: Logger,
): Promise<void> {
  try {
    await engine.prepare();
  } catch (error) {
    const fault = faultOfSetting(error);
    if (fault !== undefined) {
      await engine.close();
      throw new ConfigurationError(`${settingName}: ${url} cannot be used: ${fault}`, { cause: error });
    }
    logger.warn(
      { err: error },
      `ClickHouse at ${url} is unavailable; auctions and events wait for it in the outbox`,
    );
  }
}

/** With the folder that it shares with other processes of the installation. */
interface OwnPart {
  readonly slot: Slot;
  readonly root: string;
}

/** The first thread's work for all: fetches events from the store, and sends the outbox. */
function createSending(
  options: AnalyticsOptions,
  { slot, root }: OwnPart,
  engine: ClickHouseEngine,
  writer: OutboxWriter,
) {
  const { config, store, logger, now } = options;
  const onFailure = createFaultLog(logger, () => performance.now());
  const slots = [slot];
  // Earlier versions had parts in the outbox itself: what is left there is sent too.
  const takeLeft = () => void slots.push(...[root, config.outboxFolder].flatMap(takeAbandonedSlots));
  let notedMs = 0;
  let dropped = 0;
  const events = createEventFetching({
    statistics: store.statistics,
    names: () => slots.map(({ id }) => id),
    write: writer.append,
    onWritten: () => shipping.wake(),
    onDropped(rows) {
      dropped += rows;
      onFailure(
        new Error('it is full'),
        `${takesNoMore} refusals: they are counted, but not stored one by one`,
      );
    },
    now,
    onFailure,
  });
  const shipping = createShipping({
    receiver: engine.receiver,
    folders: () => slots.flatMap((one) => one.writers()),
    sourceOf: (folder) => {
      const owner = slots.find((one) => folder.startsWith(join(one.folder, '/')));
      return `${owner?.id}/${nameOfFolder(folder)}`;
    },
    onFailure,
    now,
    onRound: async (beganMs) => {
      // Until events have come once, nothing is known of them.
      if (now() - notedMs < noteEveryMs || events.wholeUntilMs() === 0) return;
      const untilMs = Math.min(beganMs, events.wholeUntilMs()) - inOutboxMs;
      for (const { id } of slots) await engine.noteSent(id, untilMs);
      notedMs = now();
    },
  });
  const taking = createTimedWork(leftSlotsEveryMs, takeLeft);
  takeLeft();
  taking.start();
  events.start();
  shipping.start();
  const sendAll = async () => {
    await events.run();
    await shipping.shipAll();
  };
  return {
    shipping,
    sendAll,
    dropped: () => dropped,
    async close() {
      await Promise.all([taking.close(), shipping.close(), events.close()]);
      const sent = sendAll().then(async () => {
        for (const { id } of slots) await engine.noteSent(id, doneUntilMs);
      });
      // The rest waits on disk for the next start.
      await Promise.race([sent.catch(() => undefined), delay(closeMs, undefined, { ref: false })]);
      for (const one of slots) one.release();
    },
  };
}

/** Undefined without `BOURSE_ANALYTICS_URL`. Rejects with a `ConfigurationError` for a wrong setting. */
export async function keepSingly(options: AnalyticsOptions): Promise<KeptSingly | undefined> {
  const { config, store, threadGroup, logger, now } = options;
  const { analyticsUrl: address } = config;
  if (!address) return undefined;
  const onFailure = createFaultLog(logger, () => performance.now());
  let setAside = 0;
  const installation = await installationName(store, 'outbox');
  const root = join(config.outboxFolder, `facts-${installation}`);
  const engine = createClickHouse({
    address,
    installation,
    keptDays: config.analyticsKeptDays,
    now,
    hasCounted: () => store.statistics.isCountedSince(0),
    setAside(row, error) {
      setAside += 1;
      onFailure(error, `ClickHouse does not accept the values of a row; it is set aside: ${row}`);
    },
  });
  const slot = options.part ? undefined : takePart(config, root);
  const { folder, id } = options.part ?? (slot as Slot);
  const part: OutboxPart = { folder, id };
  try {
    if (slot) await assertReachable(engine, address, logger);
  } catch (error) {
    slot?.release();
    throw error;
  }
  const bytesMax = (config.outboxMegabytes * bytesPerMegabyte) / threadGroup.threadsMax;
  const writer = createOutboxWriter({ folder: join(part.folder, `thread-${threadGroup.number}`), bytesMax });
  const facts = createFactRecorder({
    statistics: store.statistics,
    sampleOneIn: config.analyticsSample,
    random: Math.random,
    onFailure,
    write: writing(writer, now),
  });
  const sending = slot && createSending(options, { slot, root }, engine, writer);
  return {
    part,
    facts,
    analytics: engine.analytics,
    metrics: () => [
      counter(
        'bourse_facts_dropped_total',
        'Rows of auctions and refusals that were lost because the outbox was full or failed',
        [{ labels: {}, value: facts.dropped() + (sending?.dropped() ?? 0) }],
      ),
      counter(
        'bourse_facts_set_aside_total',
        'Rows whose values ClickHouse did not accept; the log has each of them',
        [{ labels: {}, value: setAside }],
      ),
      ...(sending
        ? [
            gauge(
              'bourse_outbox_bytes',
              'Data in the outbox that waits for ClickHouse',
              sending.shipping.waitingBytes(),
            ),
          ]
        : []),
    ],
    async sendAll() {
      await facts.flush();
      await sending?.sendAll();
    },
    async close() {
      await facts.flush();
      await sending?.close();
      await writer.close();
      await engine.close();
    },
  };
}
