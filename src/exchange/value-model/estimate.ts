import type { Nanos } from '../money.ts';
import type { Outcomes } from './outcomes.ts';

/** What calls bring: how probable it is that one brings anything, and how much it is then. */
export interface Rate {
  readonly chance: number;
  readonly nanos: Nanos;
}

/** How many calls are remembered, more or less: of a supply object, of all of a pair, and of a pair or a place in it. */
export const memoryWindows = { supply: 65_536, pair: 4096, all: 65_536 } as const;
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

/** The most that a call is thought to bring where nobody has shown more, in usual calls that brought something. */
const largestLeast = 20;
/** Log-odds that places do not matter to a pair: before anything is known, at most, and by a single call at most. */
const evenness = { first: 2, most: 8, step: 3 } as const;
const bounded = (value: number, most: number) => Math.min(most, Math.max(-most, value));

/** The most that a call of a pair is thought to bring: what one has brought, or what one of another partner has. */
export function largestValue(outcomes: Outcomes, all: number, supply: number): Nanos {
  const ofPair = outcomes.of(all, 'largest');
  if (ofPair > 0) return ofPair;
  const { nanos } = usualRate(outcomes, supply);
  return Math.max(outcomes.of(supply, 'largest'), largestLeast * nanos);
}

/**
 * What a call of a pair brings, wherever it is, if one more of the largest size were to come now: an upper bound, so
 * that rare users who are worth much are waited for as long as they may pay.
 */
export const upperBound = (outcomes: Outcomes, all: number, largest: Nanos): Nanos =>
  (outcomes.of(all, 'nanos') + largest) / Math.max(1, outcomes.of(all, 'calls'));

/** The probability that places do not matter to a pair: that what its calls bring depends on users alone. */
export const evennessChance = (outcomes: Outcomes, all: number): number =>
  1 / (1 + Math.exp(-evenness.first - outcomes.of(all, 'evenness')));

const likely = (chance: number) => Math.min(0.999, Math.max(1e-6, chance));

/** Learns from a call whether places matter to a pair: by which of the two its outcome was the likelier. */
function learnEvenness(outcomes: Outcomes, all: number, nanos: Nanos, chanceHere: number): void {
  if (outcomes.of(all, 'hits') === 0) return;
  const [ofAll, here] = [likely(usualRate(outcomes, all).chance), likely(chanceHere)];
  const told = nanos > 0 ? Math.log(ofAll / here) : Math.log((1 - ofAll) / (1 - here));
  const sum = outcomes.of(all, 'evenness') + bounded(told, evenness.step);
  outcomes.set(all, 'evenness', bounded(sum, evenness.most));
}

/** Adds a call to all of a pair; `chanceHere` is the chance that its place told before. */
export function learnCallOfAll(outcomes: Outcomes, cell: number, nanos: Nanos, chanceHere: number): void {
  learnEvenness(outcomes, cell, nanos, chanceHere);
  learnLargest(outcomes, cell, nanos, memoryWindows.all);
  learnCallOfPlace(outcomes, cell, nanos, memoryWindows.all);
}

/** Remembers the most that a call has brought, a little less of it with each call. */
export function learnLargest(outcomes: Outcomes, cell: number, nanos: Nanos, window: number): void {
  outcomes.set(cell, 'largest', Math.max(nanos, outcomes.of(cell, 'largest') * (1 - 1 / window)));
}

/** Adds a call to those of a place. Where they no longer tell what happens now, all before the last hit are forgotten. */
export function learnCallOfPlace(
  outcomes: Outcomes,
  cell: number,
  nanos: Nanos,
  window: number = memoryWindows.pair,
): void {
  learnCall(outcomes, cell, nanos, window);
  const silent = nanos > 0 ? 0 : outcomes.of(cell, 'silent') + 1;
  outcomes.set(cell, 'silent', silent);
  const calls = Math.max(1, outcomes.of(cell, 'calls') - silent);
  // The chance of so many calls without a hit after those before (negative binomial).
  if (outcomes.of(cell, 'hits') * Math.log1p(silent / calls) <= silenceLeast) return;
  outcomes.set(cell, 'calls', silent);
  outcomes.set(cell, 'hits', 0);
  outcomes.set(cell, 'nanos', 0);
}
