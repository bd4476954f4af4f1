import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { limitsMemory } from '../../../src/exchange/limits/counters.ts';
import type { Promised, PromisedIn } from '../../../src/exchange/limits/promised.ts';
import { createLimits } from '../../../src/exchange/limits/shared-limits.ts';
import { createPromiseSync } from '../../../src/serving/promise-sync.ts';
import { hourOf } from '../../../src/statistics/days.ts';
import type { OpenPromises, PairCounts } from '../../../src/store/statistics/interface.ts';
import { seeded } from '../../support/seed.ts';
import { auctionAt, limited, smallSize } from './limited.ts';

const startMs = Date.UTC(2027, 5, 15, 12, 57, 31);
const supply = { ad: { kind: 'VastTag', id: 9 }, offer: { kind: 'RtbEp', id: 9 } } as const;
const object = limited({ impressionsDaily: 100_000, amountDailyNanos: 10 ** 15 });
/** The same with limits that are reached as soon as one is open, so that they tell how much is. */
const reached = {
  impressions: limited({ impressionsDaily: 1 }),
  amount: limited({ amountDailyNanos: 1 }),
};

interface Made {
  readonly promised: Promised;
  readonly auction: PromisedIn;
}

/** The sums that processes have stored. */
function createSums() {
  const sums = new Map<string, OpenPromises>();
  return {
    add({ hour, supply: { kind: supplyKind }, demand, counts }: PairCounts) {
      const name = JSON.stringify([hour, supplyKind]);
      const before = sums.get(name) ?? { promised: 0, promisedNanos: 0 };
      sums.set(name, {
        hour,
        supplyKind,
        kind: demand?.kind ?? '',
        id: demand?.id ?? 0,
        promised: before.promised + (counts.promised ?? 0),
        promisedNanos: before.promisedNanos + (counts.promisedNanos ?? 0),
      });
    },
    promisedSince: async (hour: number) => [...sums.values()].filter((one) => one.hour >= hour),
  };
}

/** A process that writes what it counts when it is told to. */
function createProcess(sums: ReturnType<typeof createSums>, now: () => number) {
  const limits = createLimits(limitsMemory({ startMs: now(), ratesFromMs: 0 }, smallSize), () => 0);
  const sync = createPromiseSync({ statistics: sums, limits, now });
  let unwritten: PairCounts[] = [];
  const count = ({ promised, auction }: Made, sign: 1 | -1) => {
    const counts = { promised: sign, promisedNanos: sign * promised.nanos };
    const { kind, id } = promised;
    unwritten.push({
      hour: hourOf(auction.timeMs),
      supply: supply[auction.to],
      demand: { kind, id },
      counts,
    } as PairCounts);
  };
  return {
    ...sync,
    promise(to: 'ad' | 'offer', nanos: number): Made {
      const auction = auctionAt(now(), to);
      const promised = limits.promise(object, auction, nanos);
      assert.ok(promised && !('reason' in promised));
      count({ promised, auction }, 1);
      return { promised, auction };
    },
    end(made: Made) {
      limits.withdraw(made.promised, made.auction);
      count(made, -1);
    },
    write() {
      const lot = unwritten;
      unwritten = [];
      for (const one of lot) sums.add(one);
      sync.note(lot);
    },
    /** Impressions and amount that are open. */
    open: () => [
      limits.mayPromise(reached.impressions, { ip: undefined, timeMs: now() }, 1)?.met ?? 0,
      Math.round(
        Number(limits.mayPromise(reached.amount, { ip: undefined, timeMs: now() }, 1)?.met ?? 0) * 1e9,
      ),
    ],
  };
}

const processes = 3;
const aProcess = fc.nat(processes - 1);
const step = fc.oneof(
  fc.record({
    what: fc.constant('promise' as const),
    at: aProcess,
    to: fc.constantFrom('ad' as const, 'offer' as const),
    nanos: fc.integer({ min: 1, max: 1e9 }),
  }),
  fc.record({ what: fc.constant('end' as const), at: aProcess, which: fc.nat() }),
  fc.record({ what: fc.constantFrom('write' as const, 'look' as const), at: aProcess }),
  fc.record({ what: fc.constant('wait' as const), ms: fc.nat(20_000) }),
);

test('once all have written and looked, each process counts what all have promised, once, whoever ended the rest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      let nowMs = startMs;
      const sums = createSums();
      const all = Array.from({ length: processes }, () => createProcess(sums, () => nowMs));
      for (const one of all) await one.restore().then(one.look);
      const open: Made[] = [];
      const firstMs = startMs;
      for (const one of steps) {
        if (one.what === 'wait') {
          // Offers stand for five minutes; none may end by itself here.
          nowMs = Math.min(nowMs + one.ms, firstMs + 4 * 60_000);
          continue;
        }
        const process = all[one.at] ?? assert.fail();
        if (one.what === 'promise') open.push(process.promise(one.to, one.nanos));
        else if (one.what === 'write') process.write();
        else if (one.what === 'look') await process.look();
        else if (one.what === 'end' && open.length > 0) {
          const [made] = open.splice(one.which % open.length, 1);
          if (made) process.end(made);
        }
      }
      for (const one of all) one.write();
      for (const one of all) await one.look();
      const nanos = open.reduce((sum, { promised }) => sum + promised.nanos, 0);
      for (const one of all) assert.deepEqual(one.open(), [open.length, nanos]);
      // What is not ended ends in time, wherever it was promised.
      nowMs += 125 * 60_000;
      for (const one of all) await one.look();
      for (const one of all) assert.deepEqual(one.open(), [0, 0]);
    }),
    seeded(200),
  );
});
