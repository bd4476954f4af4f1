import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { startConsumerThread } from '../../src/event-log/consumer-thread.ts';
import { eventually } from '../support/eventually.ts';

test('a consumer that dies fails whoever waits for it, is told of, and is started again', async () => {
  const logged: string[] = [];
  let gone = 0;
  const consumer = await startConsumerThread({
    entry: new URL('./dying-consumer.ts', import.meta.url),
    data: { runs: new SharedArrayBuffer(4) },
    logger: pino({}, { write: (line) => void logged.push(line) }),
    onWritten: assert.ifError,
    onGone: () => {
      gone += 1;
    },
    now: Date.now,
  });
  await assert.rejects(consumer.receiveAll(), /has ended/);
  assert.match(logged.join(''), /no database.*the thread that writes statistics failed/);
  assert.equal(gone, 1);
  await eventually(() => consumer.receiveAll(), 'it answers again');
  assert.match(logged.join(''), /broken/);
  assert.equal(gone, 2);
  await consumer.close();
});
