import { ownMember, setOwnMember } from '../../reference/own-member.ts';

export interface Tally {
  /** Answered or failed. */
  requests: number;
  /** Not answered with 200 and readable VAST; see `errors`. */
  failed: number;
  filled: number;
  /** Not made, because too many players were active already. */
  skipped: number;
  /** By what went wrong. */
  readonly errors: Record<string, number>;
  readonly latenciesMs: number[];
  /** Filled ads with a tracker, by event. */
  readonly adsWithTracker: Record<string, number>;
  /** By event: calls made, and calls acknowledged by the exchange. */
  readonly called: Record<string, number>;
  readonly acknowledged: Record<string, number>;
}

export function newTally(): Tally {
  return {
    requests: 0,
    failed: 0,
    filled: 0,
    skipped: 0,
    errors: {},
    latenciesMs: [],
    adsWithTracker: {},
    called: {},
    acknowledged: {},
  };
}

export function countUp(counts: Record<string, number>, name: string): void {
  setOwnMember(counts, name, (ownMember(counts, name) ?? 0) + 1);
}

export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** By nearest rank; 0 without samples. */
export function latencyOf(samplesMs: readonly number[]): Latency {
  const sorted = Float64Array.from(samplesMs).sort();
  const rank = (share: number) => {
    const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
    return Math.round(value * 100) / 100;
  };
  return { p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), max: rank(1) };
}
