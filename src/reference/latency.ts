/** Inclusive, in milliseconds; slower ones are `latencyBeyond`. Changing a bound would change what old counts mean. */
export const latencyBoundsMs = [
  1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 700, 1000, 1500, 2000,
  3000,
] as const; // biome-ignore format: a list of numbers

export type LatencyCounter = `latency${(typeof latencyBoundsMs)[number]}` | 'latencyBeyond';

/** The fastest first. */
export const latencyCounters: readonly LatencyCounter[] = [
  ...latencyBoundsMs.map((bound) => `latency${bound}` as const),
  'latencyBeyond',
];

const slowestMs = latencyBoundsMs.at(-1) ?? 0;
/** By whole milliseconds, rounded up: bounds are whole, too. */
const countersByMs = Array.from({ length: slowestMs + 1 }, (_, ms) => {
  return latencyCounters[latencyBoundsMs.findIndex((bound) => ms <= bound)];
});

export function latencyCounterOf(ms: number): LatencyCounter {
  return countersByMs[Math.max(0, Math.ceil(ms))] ?? 'latencyBeyond';
}

/** Interpolated within a bucket, in milliseconds with one decimal. Null without answers; at most the last bound. */
export function latencyAt(share: number, counts: Readonly<Record<LatencyCounter, number>>): number | null {
  const all = latencyCounters.reduce((sum, name) => sum + counts[name], 0);
  const rank = share * all;
  let before = 0;
  for (const [place, bound] of latencyBoundsMs.entries()) {
    const within = counts[latencyCounters[place] as LatencyCounter];
    if (within > 0 && before + within >= rank) {
      const below = latencyBoundsMs[place - 1] ?? 0;
      return Math.round(10 * (below + ((bound - below) * (rank - before)) / within)) / 10;
    }
    before += within;
  }
  return all === 0 ? null : (latencyBoundsMs.at(-1) ?? 0);
}
