import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimits, limitsMemory, quotasIn } from '../../src/exchange/limits/create-limits.ts';
import { isRefusal } from '../../src/exchange/reasons.ts';
import type { Limited } from '../../src/exchange/snapshot/limited.ts';
import type { LimitAuthority } from '../../src/leases/authority.ts';
import { createLeaseRounds } from '../../src/quotas/lease-rounds.ts';
import { createLocalQuotas } from '../../src/quotas/local-quotas.ts';
import { createResolving } from '../../src/quotas/resolving.ts';
import { auctionAt, limited, midnightMs, smallSize } from '../exchange/limits/limited.ts';

const minuteMs = 60_000;
const nothingCounted = { requests: 0, bids: 0, impressions: 0, amount: 0, total: 0, impressionsTotal: 0 };

/** Grants all that is wanted. */
const generous: LimitAuthority = {
  join: async () => 1,
  report: async ({ limits }) => ({
    grants: limits.map(({ wanted, counted, before }) => {
      const isKnown = counted !== undefined || before > 0;
      return { granted: isKnown ? wanted : 0, isContested: false, excess: 0, before: 1, others: 0, isKnown };
    }),
    wantsWhole: false,
    recalled: [],
    epoch: '',
    holders: 1,
  }),
  leave: async () => undefined,
  gone: async () => [],
  settle: async () => undefined,
  forget: async () => undefined,
  close: async () => undefined,
};

/** One of several processes; each minute has a round and frees slots. */
function openProcess(objects: readonly Limited[]) {
  let steadyMs = 0;
  let isStoreAway = false;
  const now = () => midnightMs + steadyMs;
  const clock = () => steadyMs;
  const memory = limitsMemory({ startMs: midnightMs, ratesFromMs: 0, areShared: true }, smallSize);
  const quotas = quotasIn(memory, clock);
  const find = (kind: string, id: number) => objects.find((one) => one.kind === kind && one.id === id);
  const local = createLocalQuotas({ quotas, limited: find, random: () => 0, steadyMs: clock });
  const answer = async <Answer>(value: Answer) => {
    if (isStoreAway) throw new Error('away');
    return value;
  };
  const rounds = createLeaseRounds({
    authority: generous,
    quotas,
    countedOf: async (uncounted) => uncounted.map((of) => ({ of, counted: nothingCounted })),
    objects: local,
    resolving: createResolving({
      keptPromises: () => answer([]),
      forgetKeptPromises: () => answer(undefined),
      shippedProcesses: () => answer([]),
    }),
    revision: () => 1,
    now,
    steadyMs: clock,
  });
  return {
    limits: createLimits(memory, clock),
    quotas,
    now,
    run: rounds.run,
    async wait(minutes: number, { isAway }: { readonly isAway: boolean }) {
      isStoreAway = isAway;
      for (let minute = 0; minute < minutes; minute += 1) {
        steadyMs += minuteMs;
        await rounds.run();
        local.freeIdle();
      }
    },
  };
}

test('one of several processes frees no slot with promises, nor one whose total the authority knows', async () => {
  const daily: Limited = { ...limited({ impressionsDaily: 10_000 }, 1), kind: 'VastTag' };
  const total: Limited = { ...limited({ amountTotalNanos: 1_000_000 }, 2), kind: 'Campaign' };
  const unlimitedOne = limited({}, 3);
  const { limits, quotas, now, run, wait } = openProcess([daily, total, unlimitedOne]);
  const promise = (object: Limited) => {
    const promised = limits.reserve(object, auctionAt(now()), 100);
    return promised !== undefined && !isRefusal(promised);
  };
  for (const object of [daily, total, unlimitedOne]) limits.takeRequest(object, now());
  for (const object of [daily, total]) promise(object);
  await run();
  assert.deepEqual([daily, total].map(promise), [true, true]);
  const slots = [daily, total, unlimitedOne].map((object) => quotas.slotOf(object) as number);
  const taken = () => slots.map((slot) => quotas.objectOf(slot).kind !== undefined);

  await wait(52 * 60, { isAway: true });
  assert.deepEqual(taken(), [true, true, false]);
  await wait(3 * 60, { isAway: false });
  await wait(52 * 60, { isAway: false });
  assert.deepEqual(taken(), [false, true, false]);
  // It begins with nothing, and is granted shares again.
  promise(daily);
  await run();
  assert.equal(promise(daily), true);
});
