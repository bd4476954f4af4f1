import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOutboxWriter } from '../../src/outbox/outbox-writer.ts';
import { createShipping } from '../../src/outbox/shipping.ts';
import { createEventConsumer } from '../../src/statistics/consume-events.ts';
import type { ClosingSink } from '../../src/statistics/event-sink.ts';
import { createOutboxSink } from '../../src/statistics/outbox-sink.ts';
import { claimsMemory, createProcessClaims } from '../../src/statistics/process-claims.ts';
import type { Store } from '../../src/store/interface.ts';

/**
 * A sink whose billable events and counts all go through an outbox, as those of a server without a database do; its
 * `close` resolves once they are in the store.
 */
export function outboxSink(store: Pick<Store, 'statistics'>, now: () => number): ClosingSink {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-outbox-'));
  const writer = createOutboxWriter({ folder, bytesMax: 2 ** 30 });
  const sink = createOutboxSink({
    now,
    outbox: {
      append: writer.append,
      claims: createProcessClaims(claimsMemory(1 << 10), 0),
      onUnkept: assert.ifError,
    },
  });
  const receive = createEventConsumer({ statistics: store.statistics, now, onSetAside: assert.ifError });
  const shipping = createShipping({
    receiver: { name: 'store', receive },
    folders: () => [folder],
    sourceOf: () => folder,
    now,
    onFailure: assert.ifError,
    wait: async () => undefined,
  });
  return {
    ...sink,
    async close() {
      await sink.close();
      await shipping.shipAll();
      await writer.close();
      rmSync(folder, { recursive: true });
    },
  };
}
