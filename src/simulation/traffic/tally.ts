import { ownMember, setOwnMember } from '../../reference/own-member.ts';

/** What a simulation counts while it runs. */
export interface Tally {
  /** Requests to zones that were answered or failed. */
  requests: number;
  /**
   * Of them, those that were not answered with 200 and a VAST that can be read: what went wrong is among the errors.
   */
  failed: number;
  filled: number;
  /** Requests that were not made, because too many players were active already. */
  skipped: number;
  /** Number of errors, by what went wrong. */
  readonly errors: Record<string, number>;
  /** Milliseconds that each answered request took. */
  readonly latenciesMs: number[];
  /** Ads that were filled and have a tracker of an event, by its name. */
  readonly adsWithTracker: Record<string, number>;
  /** Calls of trackers by event: those made, and those that the exchange acknowledged. */
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

/** Milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Percentiles by nearest rank; 0 where nothing was measured. */
export function latencyOf(samplesMs: readonly number[]): Latency {
  const sorted = Float64Array.from(samplesMs).sort();
  const rank = (share: number) => {
    const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
    return Math.round(value * 100) / 100;
  };
  return { p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), max: rank(1) };
}
