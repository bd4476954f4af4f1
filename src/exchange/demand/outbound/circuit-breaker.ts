export interface BreakerOptions {
  /** Never goes back. */
  readonly now: () => number;
  /** From 0 to 1: spreads probes, so that threads do not probe at once. */
  readonly random: () => number;
  /** Length of the span in which calls are judged. */
  readonly windowMs: number;
  /** Fewer failures in a span do not open it. */
  readonly failuresMin: number;
  /** Share of the span's calls that must fail to open it, 0 to 1. */
  readonly failureShare: number;
  /** The first pause; each failed probe doubles it. */
  readonly pauseMs: number;
  readonly pauseMaxMs: number;
}

export interface CircuitBreaker {
  /** A call's ticket for `report`; undefined while paused. */
  admit(): number | undefined;
  /** Whether the next call would be refused: paused, or being probed. */
  isPaused(): boolean;
  /** 0 while a probe is under way; undefined if not paused. */
  pauseLeftMs(): number | undefined;
  /** Ignored if the breaker has opened or closed since the ticket. */
  report(ticket: number, isSuccess: boolean): void;
}

/** Opens after enough failures; after a pause one call probes: success closes it, failure doubles the pause. */
export function createCircuitBreaker(options: BreakerOptions): CircuitBreaker {
  const { now, random, windowMs, failuresMin, failureShare, pauseMs, pauseMaxMs } = options;
  let ticket = 1;
  let state: 'closed' | 'open' | 'probing' = 'closed';
  let windowEndMs = 0;
  let calls = 0;
  let failures = 0;
  let nextPauseMs = pauseMs;
  let pausedUntilMs = 0;

  const startWindow = () => {
    windowEndMs = now() + windowMs;
    calls = 0;
    failures = 0;
  };
  const open = () => {
    state = 'open';
    ticket += 1;
    pausedUntilMs = now() + nextPauseMs * (1 + random() / 4);
    nextPauseMs = Math.min(nextPauseMs * 2, pauseMaxMs);
  };
  const close = () => {
    state = 'closed';
    ticket += 1;
    nextPauseMs = pauseMs;
    startWindow();
  };
  const probe = () => {
    state = 'probing';
    return ticket;
  };
  const isPaused = () => state === 'probing' || (state === 'open' && now() < pausedUntilMs);
  const count = (isSuccess: boolean) => {
    if (now() >= windowEndMs) startWindow();
    calls += 1;
    if (!isSuccess) failures += 1;
    if (failures >= failuresMin && failures >= calls * failureShare) open();
  };

  return {
    isPaused,
    pauseLeftMs() {
      if (!isPaused()) return undefined;
      return state === 'probing' ? 0 : pausedUntilMs - now();
    },
    admit() {
      if (isPaused()) return undefined;
      return state === 'closed' ? ticket : probe();
    },
    report(of, isSuccess) {
      if (of !== ticket) return;
      if (state === 'closed') count(isSuccess);
      else if (isSuccess) close();
      else open();
    },
  };
}
