import type { Limits } from '../../src/exchange/limits/limits.ts';
import { isRefusal } from '../../src/exchange/reasons.ts';
import type { LimitAuthority } from '../../src/leases/authority.ts';
import { limitedObjects, limitsOfProcess, turnsOf } from './process.ts';

const objects = limitedObjects(1000);
const rounds = 40;
const batches = 15;

/** Microseconds of a candidate with four limits: a request, a bid, a look, a promise that is taken back. */
function time(limits: Limits): number {
  const timeMs = Date.now();
  const auction = { timeMs, to: 'ad', ip: undefined, auctionId: '' } as const;
  const begun = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    for (const object of objects) {
      const isTaken = !limits.takeRequest(object, timeMs) && !limits.takeBid(object, timeMs);
      limits.mayReserve(object, auction, 1000);
      const promised = limits.reserve(object, auction, 1000);
      if (!isTaken || !promised || isRefusal(promised)) throw new Error('a limit was reached');
      limits.release(promised, auction);
      limits.giveBackBid(object, timeMs);
    }
  }
  return ((performance.now() - begun) * 1000) / (rounds * objects.length);
}

/** Grants as much of everything as no candidate uses up. */
const generous: LimitAuthority = {
  join: async () => 1,
  report: async ({ limits }) => ({
    grants: limits.map(() => ({
      granted: 50_000_000,
      isContested: false,
      excess: 0,
      before: 0,
      others: 0,
      isKnown: true,
    })),
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

const least = (values: readonly number[]) => Math.min(...values);

/** What shares of limits add to a candidate of an auction, in one thread; alone and shared by turns. */
export async function measureCandidates(): Promise<object[]> {
  const [alone, shared] = [limitsOfProcess(false), limitsOfProcess(true)];
  const turns = turnsOf(generous, shared, objects);
  // Shares are asked for at an object's first auction.
  for (const object of objects) shared.limits.takeRequest(object, Date.now());
  const [withoutShares, withShares]: [number[], number[]] = [[], []];
  for (let batch = 0; batch < batches; batch += 1) {
    // What is held counts for some seconds only.
    await turns.run();
    withoutShares.push(time(alone.limits));
    withShares.push(time(shared.limits));
  }
  const [before, now] = [least(withoutShares), least(withShares)];
  return [
    {
      'µs a candidate alone': before.toFixed(2),
      'with shares': now.toFixed(2),
      more: (now - before).toFixed(2),
    },
  ];
}
