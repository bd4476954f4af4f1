import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { consumeLog } from '../../src/event-log/consume-log.ts';
import { type EventLog, openEventLog } from '../../src/event-log/event-log.ts';
import { storeReceiver } from '../../src/event-log/store-receiver.ts';
import { createOutboxWriter } from '../../src/outbox/outbox-writer.ts';
import { createShipping } from '../../src/outbox/shipping.ts';
import { createEventConsumer, type EventConsumerOptions } from '../../src/statistics/consume-events.ts';
import { type ClosingSink, createEventSink, type SinkOptions } from '../../src/statistics/event-sink.ts';
import {
  claimsMemory,
  createProcessClaims,
  type ProcessClaims,
} from '../../src/statistics/process-claims.ts';
import type { Store } from '../../src/store/interface.ts';

/** Of sinks that nobody closes, as those of a process that is killed: no collection may close their files. */
const writers = new Set<unknown>();

export const smallClaims = () => createProcessClaims(claimsMemory(1 << 10), 0);

/** What was counted is in the store once `flush` or `close` resolves, and an event once it is told, if the store takes it. */
export interface StoreSink extends ClosingSink {
  /** What the store has refused for its values. */
  setAside(): number;
}

export interface StoreSinkOptions extends Omit<SinkOptions, 'outbox'>, Pick<EventConsumerOptions, 'leaveTo'> {
  readonly store: Pick<Store, 'statistics'>;
  readonly claims?: SinkOptions['claims'];
  /** By default its own. */
  readonly processClaims?: ProcessClaims;
}

/** A sink whose log is consumed in this thread, when it is asked to. */
export function storeSink({
  store,
  leaveTo,
  processClaims = smallClaims(),
  ...options
}: StoreSinkOptions): StoreSink {
  const { now, onFailure } = options;
  const folder = mkdtempSync(join(tmpdir(), 'bourse-outbox-'));
  const writer = createOutboxWriter({ folder, bytesMax: 2 ** 30 });
  writers.add(writer);
  const sink = createEventSink({
    ...options,
    outbox: { append: writer.append, claims: processClaims, onUnkept: assert.ifError },
  });
  let setAside = 0;
  const receive = createEventConsumer({
    statistics: store.statistics,
    now,
    leaveTo,
    onSetAside(error, record) {
      setAside += 1;
      onFailure?.(error, `set aside: ${record}`);
    },
  });
  const source = randomUUID();
  const shipping = createShipping({
    receiver: { name: 'store', receive },
    folders: () => [folder],
    sourceOf: () => source,
    now,
    onFailure: assert.ifError,
  });
  return {
    ...sink,
    async bill(event) {
      const isFirst = await sink.bill(event);
      await shipping.shipAll().catch(() => undefined);
      return isFirst;
    },
    async flush() {
      await sink.flush();
      await shipping.shipAll();
    },
    setAside: () => setAside,
    async close() {
      await sink.close();
      await writer.close();
      writers.delete(writer);
      await shipping.shipAll();
      rmSync(folder, { recursive: true });
    },
  };
}

export interface LogOptions {
  readonly store: Pick<Store, 'statistics'>;
  /** It outlives the process. */
  readonly outboxFolder: string;
  readonly now: () => number;
  readonly leaveTo?: string | undefined;
  readonly logger?: Logger;
}

/** A log as a server has it, but consumed in this thread. */
export function openLog({ store, outboxFolder, now, leaveTo, logger }: LogOptions): Promise<EventLog> {
  const claims = smallClaims();
  const process = randomUUID();
  return openEventLog({
    config: { outboxFolder, outboxMegabytes: 64 },
    folderName: 'test',
    waitsForEvents: true,
    threadGroup: {
      number: 0,
      process,
      claims,
      channel: { publish: () => undefined, subscribe: () => undefined } as never,
    },
    logger: logger ?? pino({ level: 'silent' }),
    now,
    consume: ({ root, own, onFailure }) =>
      consumeLog({
        process,
        root,
        own,
        claims,
        receiver: storeReceiver({ store, now, leaveTo, onFailure }),
        onFailure,
        now,
      }),
  });
}

/** A sink on such a log; its `flush` and `close` resolve once the store has everything. */
export async function loggedSink(options: LogOptions & Pick<SinkOptions, 'facts'>): Promise<ClosingSink> {
  const { now, facts } = options;
  const log = await openLog(options);
  const sink = createEventSink({ outbox: log.outbox, now, facts });
  return {
    ...sink,
    async flush() {
      await sink.flush();
      await log.receiveAll();
    },
    async close() {
      await sink.close();
      await log.receiveAll();
      await log.close();
    },
  };
}
