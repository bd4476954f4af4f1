import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createWorker, type JobKind } from '../../src/jobs/worker.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { killChildren, startChild } from './child.ts';
import { rawEngines } from './raw-engines.ts';

const startMs = Date.parse('2027-03-01T12:00:00Z');
const kind = 'Killed';

afterEach(killChildren);

for (const { name, fresh } of rawEngines()) {
  test(`on ${name}, what a killed process was at runs once more, when its claims are over`, async () => {
    const url = await fresh();
    const { jobs, close } = await openConfiguredStore(url);
    for (const key of ['a', 'b', 'c']) await jobs.add({ kind, key, runMs: startMs });
    const child = startChild(new URL('./job-process.ts', import.meta.url), [url, kind, String(startMs)]);
    assert.deepEqual([await child.line(), await child.line()].toSorted(), ['a', 'b']);
    child.process.kill('SIGKILL');
    await child.ended;
    const clock = { ms: startMs };
    const runs: string[] = [];
    const work: JobKind = {
      name: kind,
      lanes: 2,
      claimMs: 60_000,
      run(job) {
        runs.push(job.key);
        return jobs.settle(job);
      },
    };
    const worker = createWorker([work], { jobs, now: () => clock.ms, onFault: assert.ifError });
    await worker.run();
    assert.deepEqual(runs, ['c']);
    clock.ms += 60_000;
    await worker.run();
    await worker.run();
    assert.deepEqual(runs.toSorted(), ['a', 'b', 'c']);
    await close();
  });
}
