import type { AttemptOutcome } from '../store/sending/interface.ts';

const minuteMs = 60_000;
/** One more attempt than waits: eight in some 22 hours. */
const waitsMinutes = [1, 5, 15, 60, 180, 360, 720] as const;
const errorCharactersMax = 500;

export interface Attempt {
  /** `""` = arrived. */
  readonly error: string;
  /** Whether another attempt would fail in the same way. */
  readonly isFinal: boolean;
}

export function outcomeOf(attempts: number, { error, isFinal }: Attempt, nowMs: number): AttemptOutcome {
  const ended = { attempts, lastMs: nowMs, nextMs: nowMs, error: error.slice(0, errorCharactersMax) };
  if (error === '') return { ...ended, state: 'sent' };
  const wait = isFinal ? undefined : waitsMinutes[attempts - 1];
  return wait === undefined
    ? { ...ended, state: 'failed' }
    : { ...ended, state: 'waiting', nextMs: nowMs + wait * minuteMs };
}
