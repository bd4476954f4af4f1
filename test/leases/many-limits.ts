import { createLimits, limitsMemory, quotasIn } from '../../src/exchange/limits/create-limits.ts';
import { isRefusal } from '../../src/exchange/reasons.ts';
import type { Grant, HolderAnswer, HolderReport, LimitAuthority } from '../../src/leases/authority.ts';
import { createLeaseRounds } from '../../src/quotas/lease-rounds.ts';
import { createLocalQuotas } from '../../src/quotas/local-quotas.ts';
import { createResolving } from '../../src/quotas/resolving.ts';
import { createPostgresAuthority } from '../../src/store/leases/postgres-authority.ts';
import { auctionAt, limited, midnightMs } from '../exchange/limits/limited.ts';

const nowMs = midnightMs + 12 * 3_600_000;
/** Enough for all processes of a test. */
const four = {
  requestsDaily: 1_000_000,
  bidsDaily: 1_000_000,
  impressionsDaily: 1_000_000,
  amountTotalNanos: 1_000_000_000_000,
};
export const limitsEach = 4;

export const manyObjects = (count: number) =>
  Array.from({ length: count }, (_, index) => limited(four, index + 1));

interface Part {
  readonly report: HolderReport;
  /** Absent: it failed. */
  readonly answer?: HolderAnswer;
}

const nothingCounted = { requests: 0, bids: 0, impressions: 0, amount: 0, total: 0, impressionsTotal: 0 };
const lacks = ({ granted, isKnown }: Grant, wanted: number) => isKnown && granted < wanted;

/** A process whose clock stands still, with its rounds on that database. Auctions have asked for all its objects. */
export function openProcess(url: string, objects: ReturnType<typeof manyObjects>) {
  const steadyMs = () => 0;
  const byId = new Map(objects.map((one) => [one.id, one]));
  const memory = limitsMemory(
    { startMs: nowMs, ratesFromMs: 0, areShared: true },
    { objects: 2 * objects.length, viewers: 1024 },
  );
  const limits = createLimits(memory, steadyMs);
  const quotas = quotasIn(memory, steadyMs);
  for (const object of objects) {
    limits.takeRequest(object, nowMs);
    limits.takeBid(object, nowMs);
    limits.reserve(object, auctionAt(nowMs), 1000);
  }
  const authority = createPostgresAuthority({ url, now: () => nowMs });
  let parts: Part[] = [];
  const noting: LimitAuthority = {
    ...authority,
    async report(report) {
      parts.push({ report });
      const answer = await authority.report(report);
      parts[parts.length - 1] = { report, answer };
      return answer;
    },
  };
  const rounds = createLeaseRounds({
    authority: noting,
    quotas,
    countedOf: async (uncounted) => uncounted.map((of) => ({ of, counted: nothingCounted })),
    objects: createLocalQuotas({
      quotas,
      limited: (_, id) => byId.get(id),
      random: () => 0,
      steadyMs,
    }),
    resolving: createResolving({
      keptPromises: async () => [],
      forgetKeptPromises: async () => undefined,
      shippedProcesses: async () => [],
    }),
    revision: () => 1,
    now: () => nowMs,
    steadyMs,
  });
  return {
    /** Sizes of its parts, how many failed, and of how many limits less was granted than was wanted. */
    async round() {
      parts = [];
      await rounds.run();
      return {
        sizes: parts.map(({ report }) => report.limits.length),
        failed: parts.filter(({ answer }) => !answer).length,
        lacking: parts.flatMap(({ report, answer }) =>
          (answer?.grants ?? []).filter((grant, index) => lacks(grant, report.limits[index]?.wanted ?? 0)),
        ).length,
      };
    },
    /** IDs of the objects whose limits let an ad through. */
    served: () =>
      objects.flatMap((object) => {
        const promised = limits.reserve(object, auctionAt(nowMs), 1000);
        return promised && isRefusal(promised) ? [] : [object.id];
      }),
    close: () => authority.close(),
  };
}
