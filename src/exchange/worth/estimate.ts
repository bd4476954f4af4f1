import type { Nanos } from '../money.ts';
import type { Outcomes } from './outcomes.ts';

/** What calls bring: how probable it is that one brings anything, and how much it is then. */
export interface Rate {
  readonly chance: number;
  readonly nanos: Nanos;
}

/** How many calls are remembered, more or less: of a supply object as a whole, and of a pair or a place in it. */
export const windows = { supply: 65_536, pair: 4096 } as const;
/**
 * How much a level above tells of one below, in calls that brought something. It is little, because a partner either
 * wants a place or does not. A place is ruled out by as many calls without any as usually bring four.
 */
const shape = 0.08;
/** The logarithm of the chance below which a long time without a hit shows that things have changed: 1 in 160,000. */
const silenceLeast = 12;

/** What the calls of a cell have brought. */
export function usualRate(outcomes: Outcomes, cell: number): Rate {
  const hits = outcomes.of(cell, 'hits');
  return {
    chance: hits / Math.max(1, outcomes.of(cell, 'calls')),
    nanos: outcomes.of(cell, 'nanos') / Math.max(1, hits),
  };
}

/** What calls bring in a place, by its own calls and by what is known of the places around (Gamma-Poisson). */
export function rateWithin(outcomes: Outcomes, cell: number, around: Rate): Rate {
  if (cell === -1 || around.chance === 0) return cell === -1 ? around : usualRate(outcomes, cell);
  const hits = outcomes.of(cell, 'hits');
  return {
    chance: (hits + shape) / (outcomes.of(cell, 'calls') + shape / around.chance),
    nanos: (outcomes.of(cell, 'nanos') + around.nanos) / (hits + 1),
  };
}

/** Adds a call to those of many places, and forgets a part of those before. */
export function learnCall(outcomes: Outcomes, cell: number, nanos: Nanos, window: number): void {
  const kept = 1 - 1 / window;
  outcomes.set(cell, 'calls', outcomes.of(cell, 'calls') * kept + 1);
  outcomes.set(cell, 'hits', outcomes.of(cell, 'hits') * kept + Number(nanos > 0));
  outcomes.set(cell, 'nanos', outcomes.of(cell, 'nanos') * kept + nanos);
}

/** Adds a call to those of a place. Where they no longer tell what happens now, all before the last hit are forgotten. */
export function learnCallOfPlace(outcomes: Outcomes, cell: number, nanos: Nanos): void {
  learnCall(outcomes, cell, nanos, windows.pair);
  const silent = nanos > 0 ? 0 : outcomes.of(cell, 'silent') + 1;
  outcomes.set(cell, 'silent', silent);
  const calls = Math.max(1, outcomes.of(cell, 'calls') - silent);
  // The chance of so many calls without a hit after those before (negative binomial).
  if (outcomes.of(cell, 'hits') * Math.log1p(silent / calls) <= silenceLeast) return;
  outcomes.set(cell, 'calls', silent);
  outcomes.set(cell, 'hits', 0);
  outcomes.set(cell, 'nanos', 0);
}
