/** When a breaker opens and how long it stays open. */
export interface BreakerOptions {
  /** Milliseconds, never going back. */
  readonly now: () => number;
  /** From 0 to 1: spreads probes, so that threads do not make theirs at the same moment. */
  readonly random: () => number;
  /** Calls are judged in spans of this length. */
  readonly windowMs: number;
  /** Fewer failures in a span are forgiven. */
  readonly failuresMin: number;
  /** Share of the span's calls that must have failed before the breaker opens, 0 to 1. */
  readonly failureShare: number;
  /** The first pause; every probe that fails doubles it. */
  readonly pauseMs: number;
  readonly pauseMaxMs: number;
}

/** Pauses a partner that fails and asks it again now and then. */
export interface CircuitBreaker {
  /** A ticket for one call, to be given to `report` when the call ends; undefined while the partner is paused. */
  admit(): number | undefined;
  /** Whether the next call is kept back: a pause is not over, or a probe under way. */
  isPaused(): boolean;
  /** How much of a pause is left; 0 while a probe is under way, undefined where there is none. */
  pauseLeftMs(): number | undefined;
  /** Tells how a call ended. It is ignored if the breaker has opened or closed since the call's ticket. */
  report(ticket: number, isSuccess: boolean): void;
}

/**
 * A breaker that begins closed: all calls pass until enough of them fail. Then it opens, and no call passes during a
 * pause. After the pause one call passes as a probe: its success closes the breaker, its failure doubles the pause.
 */
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
