import type { Nanos } from '../money.ts';
import {
  boundOf,
  chanceOfEven,
  largestOf,
  learnCall,
  learnCallOfAll,
  learnCallOfPlace,
  learnLargest,
  type Rate,
  rateWithin,
  usualRate,
  windows,
} from './estimate.ts';
import { mixed, type Outcomes } from './outcomes.ts';
import {
  type Asked,
  lotOf,
  markSalt,
  ofAll,
  ofObject,
  placeHashes,
  type Shown,
  shareOf,
} from './segments.ts';

/** What a call would bring that is not worth it. */
export interface Judged {
  readonly expectedNanos: Nanos;
  /** What it would have to bring. */
  readonly leastNanos: Nanos;
  /** How probable it is that it brings anything. */
  readonly chance: number;
}

/** How calls are weighed; both are settings. */
export interface WorthOptions {
  /** What a call costs. */
  readonly callNanos: Nanos;
  /** The share of calls made all the same where they are not worth it, from 0 to 1. */
  readonly exploredShare: number;
}

/** What a call has brought: 0 = nothing. */
export interface Outcome {
  readonly nanos: Nanos;
  readonly timeMs: number;
  /** What was expected, where the call was not worth it and was made all the same. */
  readonly explored: Judged | undefined;
}

/** What it is worth to ask demand for a bid in an auction of a supply object. */
export interface Weighing {
  /** Why the demand object is not worth its call; undefined where it is, or too little is known. Learns nothing. */
  judge(demand: Asked): Judged | undefined;
  /** Whether the auction is one of those that ask the demand object all the same. */
  explores(demand: Asked): boolean;
  learn(demand: Asked, outcome: Outcome): void;
}

/** Learns what it is worth to ask demand for a bid, from what calls have brought. */
export interface Worth {
  /** From 0 to 1. */
  readonly exploredShare: number;
  of(supply: Asked, shown: Shown): Weighing;
}

const hourMs = 3_600_000;
/** Before so many calls to a partner, or calls of a supply object that brought something, nobody is left out. */
const enough = { calls: 64, hits: 20, callsWithoutHits: 20_000 } as const;
/** In a place with fewer calls than this, a call tells what new places are like. */
const young = 16;
/** A call is not worth it if it brings less than this share of what a call of the supply object usually does. */
const leastShare = 0.02;
/** Explored calls that bring something so much more often than expected show that the partner has changed its mind. */
const surprise = { times: 3, ofPair: 0.2, most: 5 } as const;

/** Adds what an explored call tells beyond what was expected; where that is too much, all of the pair is learnt anew. */
function wonder(outcomes: Outcomes, pair: number, { nanos, explored }: Outcome): void {
  if (!explored) return;
  const ofPair = usualRate(outcomes, pair).chance;
  const expected = surprise.times * explored.chance + surprise.ofPair * ofPair;
  const sum = Math.max(0, outcomes.of(pair, 'surprise') + Number(nanos > 0) - expected);
  const isTooMuch = sum >= surprise.most;
  outcomes.set(pair, 'surprise', isTooMuch ? 0 : sum);
  if (isTooMuch) outcomes.set(pair, 'epoch', outcomes.of(pair, 'epoch') + 1);
}

/** What a call of the supply object usually brings; undefined before enough is known of it. */
function usualOf(outcomes: Outcomes, cell: number): Rate | undefined {
  const isEnough =
    outcomes.of(cell, 'hits') >= enough.hits || outcomes.of(cell, 'calls') >= enough.callsWithoutHits;
  return isEnough ? usualRate(outcomes, cell) : undefined;
}

/**
 * What calls bring is learnt by pair, by its countries, devices and media, and in these by site and size, each level
 * beginning with what the one above tells. The levels above learn from calls to places that were new then, so that they
 * tell what a new place is like, however many calls go to those that pay. Beside them all calls of a pair are counted
 * together: where what they bring follows from users and not from places, that is what a call brings anywhere.
 */
export function createWorth(outcomes: Outcomes, { callNanos, exploredShare }: WorthOptions): Worth {
  const markSeed = outcomes.seed ^ markSalt;
  return {
    exploredShare,
    of(supply, shown) {
      const [ofSupply, supplyMark] = [ofObject(supply, outcomes.seed), ofObject(supply, markSeed)];
      const [place, mark] = [placeHashes(shown, outcomes.seed), placeHashes(shown, markSeed)];
      const lot = lotOf(shown);
      const supplyCell = outcomes.find(ofSupply, supplyMark);
      const usual = usualOf(outcomes, supplyCell);
      const leastNanos = usual && Math.max(callNanos, leastShare * usual.chance * usual.nanos);
      return {
        judge(demand) {
          if (!usual || leastNanos === undefined) return undefined;
          const [ofPair, pairMark] = [ofObject(demand, ofSupply), ofObject(demand, supplyMark)];
          const pair = outcomes.find(ofPair, pairMark);
          if (outcomes.of(pair, 'calls') < enough.calls) return undefined;
          const epoch = outcomes.of(pair, 'epoch');
          const [at, markAt] = [mixed(ofPair, epoch), mixed(pairMark, epoch)];
          const audience = outcomes.find(mixed(at, place.audience), mixed(markAt, mark.audience));
          const whole = outcomes.find(mixed(at, place.whole), mixed(markAt, mark.whole));
          const around = rateWithin(outcomes, audience, rateWithin(outcomes, pair, usual));
          const { chance, nanos } = rateWithin(outcomes, whole, around);
          const all = outcomes.find(ofAll(at), ofAll(markAt));
          const even = chanceOfEven(outcomes, all);
          const bound = boundOf(outcomes, all, largestOf(outcomes, all, supplyCell));
          const expectedNanos = even * bound + (1 - even) * chance * nanos;
          return expectedNanos > leastNanos ? undefined : { expectedNanos, leastNanos, chance };
        },
        explores: (demand) => shareOf(lot, demand) < exploredShare,
        learn(demand, outcome) {
          const { nanos, timeMs } = outcome;
          const hour = Math.floor(timeMs / hourMs);
          const [ofPair, pairMark] = [ofObject(demand, ofSupply), ofObject(demand, supplyMark)];
          const pair = outcomes.enter(ofPair, pairMark, hour);
          wonder(outcomes, pair, outcome);
          const epoch = outcomes.of(pair, 'epoch');
          const [at, markAt] = [mixed(ofPair, epoch), mixed(pairMark, epoch)];
          const audience = outcomes.enter(mixed(at, place.audience), mixed(markAt, mark.audience), hour);
          const whole = outcomes.enter(mixed(at, place.whole), mixed(markAt, mark.whole), hour);
          const around = rateWithin(outcomes, audience, usualRate(outcomes, pair));
          const { chance } = rateWithin(outcomes, whole, around);
          learnCallOfAll(outcomes, outcomes.enter(ofAll(at), ofAll(markAt), hour), nanos, chance);
          const tells = (cell: number, within: number) =>
            outcomes.of(cell, 'calls') < enough.calls || outcomes.of(within, 'calls') < young;
          if (tells(pair, audience)) learnCall(outcomes, pair, nanos, windows.pair);
          if (tells(audience, whole)) learnCallOfPlace(outcomes, audience, nanos);
          learnCallOfPlace(outcomes, whole, nanos);
          const ofAnybody = outcomes.enter(ofSupply, supplyMark, hour);
          learnLargest(outcomes, ofAnybody, nanos, windows.supply);
          learnCall(outcomes, ofAnybody, nanos, windows.supply);
        },
      };
    },
  };
}
