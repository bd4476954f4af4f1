import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimits, limitsMemory, quotasIn } from '../../../src/exchange/limits/create-limits.ts';
import { resumeLimits } from '../../../src/quotas/resume-limits.ts';
import { dayOf } from '../../../src/statistics/days.ts';
import { dayMs, limited, midnightMs, smallSize } from './limited.ts';

const noonMs = midnightMs + dayMs / 2;
const object = limited({ requestsDaily: 20 });

/** What the database counts on a day, of which nothing was counted before. */
const storeOf = (requests: ReadonlyMap<number, number>) => ({
  isOnServer: false,
  statistics: {
    onWritten: () => undefined,
    async *countedOn(day: number) {
      const counts = { requests: requests.get(day) ?? 0, taken: 0, bills: 0, spentNanos: 0, revenueNanos: 0 };
      yield [{ kind: object.kind, id: object.id, counts }] as never;
    },
    countedSince: async () => [],
    totalCosts: async () => [],
    promisedSince: async () => [],
    async *addresses() {
      yield [];
    },
  },
});

test('a clock that was days ahead forgets nothing that was counted today', async () => {
  let timeMs = noonMs;
  const memory = limitsMemory({ startMs: timeMs, ratesFromMs: 0 }, smallSize);
  const limits = createLimits(memory, () => 0);
  const requests = new Map([[dayOf(noonMs), 8]]);
  const threadGroup = { number: 0, limits, quotas: quotasIn(memory, () => 0) };
  const work = await resumeLimits({
    store: storeOf(requests),
    threadGroup,
    now: () => timeMs,
    planned: () => [],
  });
  const take = () => limits.takeRequest(object, timeMs);
  assert.equal(take(), undefined);
  requests.set(dayOf(noonMs), 9);
  timeMs = noonMs + 2 * dayMs;
  assert.equal(take(), undefined);
  await work.run();
  timeMs = noonMs;
  await work.run();
  // Of 20 a day, 11 at noon.
  assert.deepEqual([take(), take(), take()?.met], [undefined, undefined, 11]);
  await work.close();
});
