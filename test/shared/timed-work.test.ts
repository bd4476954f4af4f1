import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTimedWork, growingMs, type TimedWorkOptions } from '../../src/shared/timed-work.ts';

/** A work whose rests end when told; it rejects as often as there are faults. */
function recorded(options: TimedWorkOptions = {}) {
  const events: string[] = [];
  const faults: string[] = [];
  let endRest: () => void = () => undefined;
  const work = createTimedWork(
    50,
    async () => {
      const fault = faults.shift();
      events.push('work');
      if (fault !== undefined) throw new Error(fault);
    },
    {
      retryMs: growingMs(100, 300),
      onFailure: (error, failures) => events.push(`${(error as Error).message} ${failures}`),
      onRecovery: () => events.push('recovered'),
      wait(ms, signal) {
        events.push(`rest ${ms}`);
        return new Promise<void>((resolve) => {
          endRest = resolve;
          if (signal.aborted) resolve();
          signal.addEventListener('abort', () => resolve());
        });
      },
      ...options,
    },
  );
  /** What has happened until nothing more does. */
  const seen = async () => {
    await new Promise(setImmediate);
    return events.splice(0);
  };
  const rested = () => {
    endRest();
    return seen();
  };
  return { work, faults, seen, rested };
}

test('work rests between one time and the next, longer and longer while it fails', async () => {
  const { work, faults, seen, rested } = recorded();
  work.start();
  assert.deepEqual(await seen(), ['rest 50']);
  assert.deepEqual(await rested(), ['work', 'rest 50']);
  faults.push('a', 'b', 'c');
  assert.deepEqual(await rested(), ['work', 'a 1', 'rest 100']);
  assert.deepEqual(await rested(), ['work', 'b 2', 'rest 200']);
  assert.deepEqual(await rested(), ['work', 'c 3', 'rest 300']);
  assert.deepEqual(await rested(), ['work', 'recovered', 'rest 50']);
  await work.close();
  assert.deepEqual(await seen(), []);
});

test('a wake ends the rest or the next one, but none after a failure', async () => {
  const { work, faults, seen } = recorded();
  work.start(0);
  assert.deepEqual(await seen(), ['work', 'rest 50']);
  faults.push('a');
  work.wake();
  assert.deepEqual(await seen(), ['work', 'a 1', 'rest 100']);
  work.wake();
  assert.deepEqual(await seen(), []);
  await work.close();
});

test('what is asked for once more runs after the work under way, and a close waits for it', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  const work = createTimedWork(1000, () => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    return gate.promise;
  });
  work.start(0);
  const again = work.run();
  let isClosed = false;
  const step = () => new Promise(setImmediate);
  await step();
  assert.equal(gates.length, 1);
  gates[0]?.resolve();
  await step();
  assert.equal(gates.length, 2);
  const closed = work.close().then(() => {
    isClosed = true;
  });
  await step();
  assert.equal(isClosed, false);
  gates[1]?.resolve();
  await Promise.all([again, closed]);
});

test('a close gives up work that does not end in time, and nothing begins after it', async () => {
  const { work, seen } = recorded();
  await work.close();
  work.start(0);
  assert.deepEqual(await seen(), []);
  const stuck = createTimedWork(1000, () => new Promise(() => undefined), { closeMsMax: 1 });
  stuck.start(0);
  // Nothing else keeps this process alive.
  await stuck.close();
});
