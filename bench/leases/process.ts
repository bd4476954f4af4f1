import { limitsMemory } from '../../src/exchange/limits/counters.ts';
import type { Limits } from '../../src/exchange/limits/limits.ts';
import type { Limited } from '../../src/exchange/limits/promised.ts';
import { createLimits, sharesIn } from '../../src/exchange/limits/shared-limits.ts';
import type { Shares } from '../../src/exchange/limits/shares.ts';
import type { LimitAuthority } from '../../src/leases/authority.ts';
import { createLeaseRounds, type LeaseRounds } from '../../src/serving/leasing/lease-rounds.ts';
import { createLocalQuotas } from '../../src/serving/leasing/local-quotas.ts';
import { createResolving } from '../../src/serving/leasing/resolving.ts';

/** So many campaigns, each with limits of requests, bids, impressions and money that it does not reach. */
export const limitedObjects = (count: number): Limited[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'Campaign',
    id: index + 1,
    limits: {
      maxQps: 0,
      requestsDaily: 100_000_000,
      bidsDaily: 100_000_000,
      impressionsDaily: 100_000_000,
      amountDailyNanos: 0,
      amountTotalNanos: 1_000_000_000_000,
      impressionsPerIp: 0,
    },
  }));

export function limitsOfProcess(areShared: boolean): { readonly limits: Limits; readonly shares?: Shares } {
  const steadyMs = () => performance.now();
  const memory = limitsMemory(
    { startMs: Date.now(), ratesFromMs: steadyMs() },
    { objects: 1 << 18, addresses: 1024, areShared },
  );
  const shares = sharesIn(memory, steadyMs);
  return { limits: createLimits(memory, steadyMs), ...(shares && { shares }) };
}

export function turnsOf(
  authority: LimitAuthority,
  { limits, shares }: ReturnType<typeof limitsOfProcess>,
  objects: readonly Limited[],
): LeaseRounds {
  if (!shares) throw new Error('this process has no shares');
  const known = new Map(objects.map((one) => [`${one.kind}:${one.id}`, one]));
  return createLeaseRounds({
    authority,
    shares,
    now: Date.now,
    steadyMs: () => performance.now(),
    objects: createLocalQuotas({
      shares,
      counted: limits.counted,
      limited: (kind, id) => known.get(`${kind}:${id}`),
      random: Math.random,
      steadyMs: () => performance.now(),
    }),
    resolving: createResolving({
      keptPromises: async () => [],
      forgetKeptPromises: async () => undefined,
      shippedProcesses: async () => [],
    }),
    revision: () => 1,
  });
}
