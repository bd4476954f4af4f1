import type { Generator } from './load/generator.ts';
import type { Job } from './load/job.ts';
import type { ServerProcess } from './servers/server-process.ts';

/** How fast a server was in one round. */
export interface Speed {
  readonly answersPerSecond: number;
  readonly bytesPerSecond: number;
  /** Processor time of the server for one answer. */
  readonly cpuUs: number;
  /** Share of one core that the load generator took. */
  readonly loadCpuShare: number;
}

/** A job without its server and its length. */
export type Request = Omit<Job, 'origin' | 'until'>;

/** Measures a server's speed while the generator sends it a request, for a time or a number of answers. */
export async function speedOf(
  load: Generator,
  server: ServerProcess,
  request: Request,
  until: Job['until'],
): Promise<Speed> {
  const cpuStart = server.cpuSeconds();
  const { answers, seconds, bytes, loadCpuShare } = await load.run({ ...request, origin: server.url, until });
  return {
    answersPerSecond: answers / seconds,
    bytesPerSecond: bytes / seconds,
    cpuUs: ((server.cpuSeconds() - cpuStart) / answers) * 1e6,
    loadCpuShare,
  };
}

/** How long V8 needs to compile an auction's code: `--trace-opt` showed the last compilation after 13 seconds. */
const auctionWarmUpSeconds = 15;

/** Runs a server's auctions until V8 has compiled them, so that they are as fast as they get. */
export async function warmUp(load: Generator, server: ServerProcess, request: Request): Promise<void> {
  await speedOf(load, server, request, { seconds: auctionWarmUpSeconds });
}

/** After one round to warm up, runs all contestants in turn, round after round. Gives each one's results by round. */
export async function inTurn<Name extends string, Result>(
  contestants: Readonly<Record<Name, () => Promise<Result>>>,
  rounds: number,
): Promise<Readonly<Record<Name, readonly Result[]>>> {
  const entries = Object.entries<() => Promise<Result>>(contestants);
  const results = new Map<string, Result[]>(entries.map(([name]) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of entries) {
      const result = await run();
      if (round > 0) results.get(name)?.push(result);
    }
  }
  return Object.fromEntries(results) as Record<Name, Result[]>;
}

/** The median of some numbers: for an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

const repeats = 9;

/** Processor microseconds of one run, best of several rounds. Read in steps of up to 4 ms: `times` must be many. */
export function microsecondsOf(run: () => unknown, times: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const start = process.threadCpuUsage();
    for (let time = 0; time < times; time += 1) run();
    const { user, system } = process.threadCpuUsage(start);
    best = Math.min(best, (user + system) / times);
  }
  return best;
}
