import { createLimits, limitsMemory, quotasIn } from '../../src/exchange/limits/create-limits.ts';
import type { Limits } from '../../src/exchange/limits/limits.ts';
import type { Quotas } from '../../src/exchange/limits/quotas.ts';
import type { Limited } from '../../src/exchange/snapshot/limited.ts';
import type { LimitAuthority } from '../../src/leases/authority.ts';
import { createLeaseRounds, type LeaseRounds } from '../../src/quotas/lease-rounds.ts';
import { createLocalQuotas } from '../../src/quotas/local-quotas.ts';
import { createResolving } from '../../src/quotas/resolving.ts';

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
      impressionsTotal: 0,
      pacing: 0,
      flights: 0,
      flightImpressions: 0,
      flightNanos: 0,
      impressionsPerIp: 0,
      frequencyCap: 0,
      frequencyHours: 0,
      frequencyMinMinutes: 0,
      frequencyKey: 0,
      frequencyUnknown: 0,
      zoned: 0,
    },
  }));

const nothingCounted = { requests: 0, bids: 0, impressions: 0, amount: 0, total: 0, impressionsTotal: 0 };

export function limitsOfProcess(areShared: boolean): { readonly limits: Limits; readonly quotas: Quotas } {
  const steadyMs = () => performance.now();
  const memory = limitsMemory(
    { startMs: Date.now(), ratesFromMs: steadyMs(), areShared },
    { objects: 1 << 18, viewers: 1024 },
  );
  const quotas = quotasIn(memory, steadyMs);
  return { limits: createLimits(memory, steadyMs), quotas };
}

export function turnsOf(
  authority: LimitAuthority,
  { quotas }: Pick<ReturnType<typeof limitsOfProcess>, 'quotas'>,
  objects: readonly Limited[],
): LeaseRounds {
  const known = new Map(objects.map((one) => [`${one.kind}:${one.id}`, one]));
  return createLeaseRounds({
    authority,
    quotas,
    countedOf: async (uncounted) => uncounted.map((of) => ({ of, counted: nothingCounted })),
    now: Date.now,
    steadyMs: () => performance.now(),
    objects: createLocalQuotas({
      quotas,
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
