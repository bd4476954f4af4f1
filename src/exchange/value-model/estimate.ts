import type { Nanos } from '../money.ts';
import type { Outcomes } from './outcomes.ts';

/** The chance that a call brings anything, and how much it then is. */
export interface Rate {
  readonly chance: number;
  readonly nanos: Nanos;
}

/** About how many calls are remembered: of a supply object, of a pair, and of a pair or place in it. */
export const memoryWindows = { supply: 65_536, pair: 4096, all: 65_536 } as const;
/** Weight of the level above, in calls that brought something. Little, because a partner wants a place or does not. */
const shape = 0.08;
/** Logarithm of the chance (1 in 160,000) below which a silence shows that things have changed. */
const silenceLeast = 12;

export function usualRate(outcomes: Outcomes, cell: number): Rate {
  const hits = outcomes.of(cell, 'hits');
  return {
    chance: hits / Math.max(1, outcomes.of(cell, 'calls')),
    nanos: outcomes.of(cell, 'nanos') / Math.max(1, hits),
  };
}

/** By its own calls and what is known of places around (Gamma-Poisson). */
export function rateWithin(outcomes: Outcomes, cell: number, around: Rate): Rate {
  if (cell === -1 || around.chance === 0) return cell === -1 ? around : usualRate(outcomes, cell);
  const hits = outcomes.of(cell, 'hits');
  return {
    chance: (hits + shape) / (outcomes.of(cell, 'calls') + shape / around.chance),
    nanos: (outcomes.of(cell, 'nanos') + around.nanos) / (hits + 1),
  };
}

/** Adds a call, and forgets a part of earlier ones. */
export function learnCall(outcomes: Outcomes, cell: number, nanos: Nanos, window: number): void {
  const kept = 1 - 1 / window;
  outcomes.set(cell, 'calls', outcomes.of(cell, 'calls') * kept + 1);
  outcomes.set(cell, 'hits', outcomes.of(cell, 'hits') * kept + Number(nanos > 0));
  outcomes.set(cell, 'nanos', outcomes.of(cell, 'nanos') * kept + nanos);
}

/** The assumed largest value before any is known, in usual calls that brought something. */
const largestLeast = 20;
/** Log-odds that places do not matter to a pair: initial, highest, and by a single call at most. */
const evenness = { first: 2, most: 8, step: 3 } as const;
const bounded = (value: number, most: number) => Math.min(most, Math.max(-most, value));

/** What one call has brought, or one of another partner's. */
export function largestValue(outcomes: Outcomes, all: number, supply: number): Nanos {
  const ofPair = outcomes.of(all, 'largest');
  if (ofPair > 0) return ofPair;
  const { nanos } = usualRate(outcomes, supply);
  return Math.max(outcomes.of(supply, 'largest'), largestLeast * nanos);
}

/** Value of a call of a pair if one of the largest were to come now: waits for rare users as long as they may pay. */
export const upperBound = (outcomes: Outcomes, all: number, largest: Nanos): Nanos =>
  (outcomes.of(all, 'nanos') + largest) / Math.max(1, outcomes.of(all, 'calls'));

/** That places do not matter to a pair: value depends on users alone. */
export const evennessChance = (outcomes: Outcomes, all: number): number =>
  1 / (1 + Math.exp(-evenness.first - outcomes.of(all, 'evenness')));

const likely = (chance: number) => Math.min(0.999, Math.max(1e-6, chance));

/** By which of the two made the outcome likelier. */
function learnEvenness(outcomes: Outcomes, all: number, nanos: Nanos, chanceHere: number): void {
  if (outcomes.of(all, 'hits') === 0) return;
  const [ofAll, here] = [likely(usualRate(outcomes, all).chance), likely(chanceHere)];
  const told = nanos > 0 ? Math.log(ofAll / here) : Math.log((1 - ofAll) / (1 - here));
  const sum = outcomes.of(all, 'evenness') + bounded(told, evenness.step);
  outcomes.set(all, 'evenness', bounded(sum, evenness.most));
}

/** `chanceHere`: the chance by its place before. */
export function learnCallOfAll(outcomes: Outcomes, cell: number, nanos: Nanos, chanceHere: number): void {
  learnEvenness(outcomes, cell, nanos, chanceHere);
  learnLargest(outcomes, cell, nanos, memoryWindows.all);
  learnCallOfPlace(outcomes, cell, nanos, memoryWindows.all);
}

/** Decays a little with each call. */
export function learnLargest(outcomes: Outcomes, cell: number, nanos: Nanos, window: number): void {
  outcomes.set(cell, 'largest', Math.max(nanos, outcomes.of(cell, 'largest') * (1 - 1 / window)));
}

/** If the place's calls no longer predict, forgets all before the last hit. */
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
  // Chance of such a silence (negative binomial).
  if (outcomes.of(cell, 'hits') * Math.log1p(silent / calls) <= silenceLeast) return;
  outcomes.set(cell, 'calls', silent);
  outcomes.set(cell, 'hits', 0);
  outcomes.set(cell, 'nanos', 0);
}
