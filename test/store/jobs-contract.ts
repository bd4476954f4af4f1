import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createWorker, type JobKind, periodic } from '../../src/jobs/worker.ts';
import type { Store } from '../../src/store/interface.ts';
import type { Job } from '../../src/store/jobs/interface.ts';
import type { Engine } from './engine.ts';
import { freshName, type Opened, openedFor, withOthers } from './team-room.ts';

const startMs = Date.parse('2027-03-01T12:00:00Z');
const minuteMs = 60_000;

/** A kind of job that nothing else in the process has. */
const kindOf = (run: (job: Job) => Promise<unknown>, more: Partial<JobKind> = {}): JobKind => ({
  name: freshName('Kind '),
  claimMs: 5 * minuteMs,
  lanes: 4,
  ...more,
  run: async (job) => {
    await run(job);
    return undefined;
  },
});

function workerOn({ jobs }: Store, kinds: readonly JobKind[], clock: { ms: number }) {
  const faults: unknown[] = [];
  const worker = createWorker(kinds, { jobs, now: () => clock.ms, onFault: (fault) => faults.push(fault) });
  return { run: () => worker.run(), faults };
}

function claims(suite: Opened): void {
  test('each job is run once by many processes with several lanes each', async () => {
    const { store } = await suite.room();
    const clock = { ms: startMs };
    const runs: string[] = [];
    const kind = kindOf(async (job) => {
      runs.push(job.key);
      await store.jobs.settle(job);
    });
    const keys = Array.from({ length: 40 }, (_, at) => `${at}`);
    for (const key of keys) await store.jobs.add({ kind: kind.name, key, runMs: startMs });
    await store.jobs.add({ kind: kind.name, key: 'later', runMs: startMs + 1 });
    await withOthers(suite, 3, async (stores) => {
      const workers = [store, ...stores].map((each) => workerOn(each, [kind], clock));
      await Promise.all(workers.map(({ run }) => run()));
      assert.deepEqual(
        workers.flatMap(({ faults }) => faults),
        [],
      );
    });
    assert.deepEqual(runs.toSorted(), keys.toSorted());
  });

  test('a job is added once for each key, and the oldest is claimed first', async () => {
    const { store } = await suite.room();
    const kind = kindOf(async () => undefined);
    const add = (key: string, runMs: number, payload: unknown) =>
      store.jobs.add({ kind: kind.name, key, runMs, payload });
    await add('b', startMs - 1, { is: 'first' });
    await add('b', startMs - 9, { is: 'second' });
    await add('a', startMs - 2, {});
    const claimed = async () => (await store.jobs.claim(kind, 'one', startMs)) ?? { key: '', payload: {} };
    assert.equal((await claimed()).key, 'a');
    assert.partialDeepStrictEqual(await claimed(), { key: 'b', payload: { is: 'first' } });
    assert.equal((await claimed()).key, '');
  });

  test('what a dead process had is another’s once its claim is over, and no longer its own', async () => {
    const { store } = await suite.room();
    const clock = { ms: startMs };
    const runs: Job[] = [];
    const kind = kindOf(async (job) => runs.push(job));
    await store.jobs.add({ kind: kind.name, key: 'one', runMs: startMs });
    const lost = await store.jobs.claim(kind, 'dead', startMs);
    const { run } = workerOn(store, [kind], clock);
    clock.ms = startMs + kind.claimMs - 1;
    await run();
    assert.equal(runs.length, 0, 'it is still claimed');
    clock.ms += 1;
    await run();
    assert.equal(runs.length, 1);
    assert.ok(lost);
    await store.jobs.settle(lost);
    await store.jobs.settle(lost, { runMs: 0 });
    clock.ms += kind.claimMs;
    const [job] = runs;
    assert.ok(job);
    await store.jobs.settle(job, { runMs: clock.ms, payload: { seen: 1 } });
    assert.deepEqual((await store.jobs.claim(kind, 'two', clock.ms))?.payload, { seen: 1 });
  });
}

function rules(suite: Opened): void {
  const cases: readonly (readonly [what: string, isExclusive: boolean, others: readonly string[]])[] = [
    ['one job of a queue runs at a time', false, ['b', 'c']],
    ['an exclusive kind is one process’s', true, ['', '']],
  ];
  for (const [what, isExclusive, others] of cases) {
    test(what, async () => {
      const { store } = await suite.room();
      const kind = kindOf(async () => undefined, { isExclusive });
      for (const [key, queue] of [['a', 'x'], ['a2', 'x'], ['b', 'y'], ['c', 'z']] as const) {
        await store.jobs.add({ kind: kind.name, key, queue, runMs: startMs });
      } // biome-ignore format: rows
      const claim = (by: string) => store.jobs.claim(kind, by, startMs);
      const first = await claim('one');
      assert.equal(first?.key, 'a');
      assert.deepEqual([(await claim('two'))?.key ?? '', (await claim('two'))?.key ?? ''], others);
      if (isExclusive) assert.deepEqual([(await claim('one'))?.key, (await claim('one'))?.key], ['b', 'c']);
      assert.equal(await claim('one'), undefined, 'the queue is busy');
      if (first) await store.jobs.settle(first);
      assert.equal((await claim('one'))?.key, 'a2');
    });
  }
}

function retries(suite: Opened): void {
  test('a job that rejects is tried again ever later, and holds up no other', async () => {
    const { store } = await suite.room();
    const clock = { ms: startMs };
    const runs: [minute: number, key: string][] = [];
    const kind = kindOf(async (job) => {
      runs.push([(clock.ms - startMs) / minuteMs, job.key]);
      if (job.key === 'bad' && runs.length < 11) throw new Error('it fails');
      await store.jobs.settle(job);
    });
    for (const key of ['bad', 'good']) await store.jobs.add({ kind: kind.name, key, runMs: startMs });
    const { run, faults } = workerOn(store, [kind], clock);
    for (let minute = 0; minute < 400; minute += 1) {
      await run();
      clock.ms += minuteMs;
    }
    const minutesOf = (key: string) => runs.filter((one) => one[1] === key).map(([minute]) => minute);
    assert.deepEqual(minutesOf('good'), [0]);
    assert.deepEqual(minutesOf('bad'), [0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    assert.equal(faults.length, 9);
  });

  test('a periodic task is one row, and one process’s until it rejects, stops or dies', async () => {
    const { store } = await suite.room();
    const clock = { ms: startMs };
    const runs: string[] = [];
    const name = freshName('Task ');
    const workerOf = (own: Store, who: string) => {
      const task = periodic({ now: () => clock.ms }, name, async () => {
        runs.push(`${who} ${(clock.ms - startMs) / minuteMs}`);
        if (runs.length === 3) throw new Error('it fails');
        return minuteMs;
      });
      return createWorker([task], { jobs: own.jobs, now: () => clock.ms, onFault: () => undefined });
    };
    await withOthers(suite, 2, async ([second, third]) => {
      assert.ok(second && third);
      const workers = [workerOf(store, 'a'), workerOf(second, 'b'), workerOf(third, 'c')];
      const lookAt = async (minute: number, order: readonly number[]) => {
        clock.ms = startMs + minute * minuteMs;
        for (const at of order) await workers[at]?.run();
      };
      await lookAt(0, [0, 1, 2]);
      await lookAt(1, [2, 1, 0]);
      await lookAt(2, [1, 0]);
      await lookAt(3, [1, 0]);
      await workers[1]?.close();
      await lookAt(4, [2, 0]);
      await lookAt(6, [0]);
      await lookAt(7, [0]);
    });
    assert.deepEqual(runs, ['a 0', 'a 1', 'a 2', 'b 3', 'c 4', 'a 7']);
  });
}

/** What the table of due work promises, and those who work on it. */
export function jobsContract(engine: Engine): void {
  describe('jobs', () => {
    const suite = openedFor(engine);
    claims(suite);
    rules(suite);
    retries(suite);
  });
}
