import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { pino } from 'pino';
import { joinThreadGroup, threadGroupMemory } from '../../src/serving/thread-group.ts';
import { restartWaitMs, startThreads } from '../../src/threads/threads.ts';

const entry = new URL('./mortal-thread.ts', import.meta.url).href;

/** A log that tells of each record as it is written. */
function tellingLog() {
  const written = new EventEmitter();
  const records: Record<string, unknown>[] = [];
  const write = (line: string) => {
    records.push(JSON.parse(line));
    written.emit('record');
  };
  const until = async (isEnough: () => boolean) => {
    while (!isEnough()) await once(written, 'record');
  };
  return { logger: pino({ level: 'info', base: null }, { write }), records, until };
}

test('a thread that dies is told of and started again, after a wait that grows with its failures', async () => {
  const threadGroup = joinThreadGroup(threadGroupMemory(2), 0);
  const { logger, records, until } = tellingLog();
  const failures: number[] = [];
  const threads = startThreads({
    numbers: [1],
    entry,
    data: { lives: new SharedArrayBuffer(4), deaths: 3 },
    threadGroup,
    logger,
    restartAfterMs: (count) => {
      failures.push(count);
      return 0;
    },
  });
  const told = (msg: string) => records.filter((record) => record.msg === msg);
  await until(() => told('thread serves').length === 4);
  assert.deepEqual(failures, [1, 2, 3]);
  assert.equal(told('thread ended; it is restarted').length, 3);
  assert.partialDeepStrictEqual(told('thread failed')[0], {
    thread: 1,
    err: { message: 'died in the middle of its work' },
  });
  await threads.close();
  assert.equal(told('thread ended; it is restarted').length, 3);
  threadGroup.channel.close();
});

const waits: readonly (readonly [failures: number, ms: number])[] = [
  [1, 0],
  [2, 1000],
  [3, 2000],
  [4, 4000],
  [8, 60_000],
  [1000, 60_000],
];
for (const [failures, ms] of waits) {
  test(`after ${failures} failures in a row it waits ${ms} ms`, () =>
    assert.equal(restartWaitMs(failures), ms));
}
