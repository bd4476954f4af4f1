import type { Nanos } from '../money.ts';
import {
  evennessChance,
  largestValue,
  learnCall,
  learnCallOfAll,
  learnCallOfPlace,
  learnLargest,
  memoryWindows,
  type Rate,
  rateWithin,
  upperBound,
  usualRate,
} from './estimate.ts';
import { mixHashes, type Outcomes } from './outcomes.ts';
import {
  allCallsHash,
  type CallParty,
  explorationDraw,
  explorationSeed,
  markSalt,
  objectHash,
  type Placement,
  placementHashes,
} from './placement.ts';

/** What a call would bring that is not worth it. */
export interface CallEstimate {
  readonly expectedNanos: Nanos;
  readonly leastNanos: Nanos;
  /** How probable it is that it brings anything. */
  readonly chance: number;
}

/** How calls are weighed; both are settings. */
export interface ValueModelOptions {
  readonly callNanos: Nanos;
  /** The share of calls made all the same where they are not worth it, from 0 to 1. */
  readonly exploredShare: number;
}

/** What a call has brought: 0 = nothing. */
export interface CallOutcome {
  readonly nanos: Nanos;
  readonly timeMs: number;
  /** What was expected, where the call was not worth it and was made all the same. */
  readonly explored: CallEstimate | undefined;
}

/** What it is worth to ask demand for a bid in an auction of a supply object. */
export interface CallValue {
  /** Why the demand object is not worth its call; undefined where it is, or too little is known. Learns nothing. */
  judge(demand: CallParty): CallEstimate | undefined;
  /** Whether the auction is one of those that ask the demand object all the same. */
  explores(demand: CallParty): boolean;
  learn(demand: CallParty, outcome: CallOutcome): void;
}

/** Learns what it is worth to ask demand for a bid, from what calls have brought. */
export interface ValueModel {
  /** From 0 to 1. */
  readonly exploredShare: number;
  of(supply: CallParty, placement: Placement): CallValue;
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
function noteSurprise(outcomes: Outcomes, pair: number, { nanos, explored }: CallOutcome): void {
  if (!explored) return;
  const ofPair = usualRate(outcomes, pair).chance;
  const expected = surprise.times * explored.chance + surprise.ofPair * ofPair;
  const sum = Math.max(0, outcomes.of(pair, 'surprise') + Number(nanos > 0) - expected);
  const isTooMuch = sum >= surprise.most;
  outcomes.set(pair, 'surprise', isTooMuch ? 0 : sum);
  if (isTooMuch) outcomes.set(pair, 'epoch', outcomes.of(pair, 'epoch') + 1);
}

/** What a call of the supply object usually brings; undefined before enough is known of it. */
function usualRateOf(outcomes: Outcomes, cell: number): Rate | undefined {
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
export function createValueModel(
  outcomes: Outcomes,
  { callNanos, exploredShare }: ValueModelOptions,
): ValueModel {
  const markSeed = outcomes.seed ^ markSalt;
  return {
    exploredShare,
    of(supply, placement) {
      const [ofSupply, supplyMark] = [objectHash(supply, outcomes.seed), objectHash(supply, markSeed)];
      const [place, mark] = [placementHashes(placement, outcomes.seed), placementHashes(placement, markSeed)];
      const lot = explorationSeed(placement);
      const supplyCell = outcomes.find(ofSupply, supplyMark);
      const usual = usualRateOf(outcomes, supplyCell);
      const leastNanos = usual && Math.max(callNanos, leastShare * usual.chance * usual.nanos);
      return {
        judge(demand) {
          if (!usual || leastNanos === undefined) return undefined;
          const [ofPair, pairMark] = [objectHash(demand, ofSupply), objectHash(demand, supplyMark)];
          const pair = outcomes.find(ofPair, pairMark);
          if (outcomes.of(pair, 'calls') < enough.calls) return undefined;
          const epoch = outcomes.of(pair, 'epoch');
          const [at, markAt] = [mixHashes(ofPair, epoch), mixHashes(pairMark, epoch)];
          const audience = outcomes.find(mixHashes(at, place.audience), mixHashes(markAt, mark.audience));
          const whole = outcomes.find(mixHashes(at, place.whole), mixHashes(markAt, mark.whole));
          const around = rateWithin(outcomes, audience, rateWithin(outcomes, pair, usual));
          const { chance, nanos } = rateWithin(outcomes, whole, around);
          const all = outcomes.find(allCallsHash(at), allCallsHash(markAt));
          const even = evennessChance(outcomes, all);
          const bound = upperBound(outcomes, all, largestValue(outcomes, all, supplyCell));
          const expectedNanos = even * bound + (1 - even) * chance * nanos;
          return expectedNanos > leastNanos ? undefined : { expectedNanos, leastNanos, chance };
        },
        explores: (demand) => explorationDraw(lot, demand) < exploredShare,
        learn(demand, outcome) {
          const { nanos, timeMs } = outcome;
          const hour = Math.floor(timeMs / hourMs);
          const [ofPair, pairMark] = [objectHash(demand, ofSupply), objectHash(demand, supplyMark)];
          const pair = outcomes.enter(ofPair, pairMark, hour);
          noteSurprise(outcomes, pair, outcome);
          const epoch = outcomes.of(pair, 'epoch');
          const [at, markAt] = [mixHashes(ofPair, epoch), mixHashes(pairMark, epoch)];
          const audience = outcomes.enter(
            mixHashes(at, place.audience),
            mixHashes(markAt, mark.audience),
            hour,
          );
          const whole = outcomes.enter(mixHashes(at, place.whole), mixHashes(markAt, mark.whole), hour);
          const around = rateWithin(outcomes, audience, usualRate(outcomes, pair));
          const { chance } = rateWithin(outcomes, whole, around);
          learnCallOfAll(
            outcomes,
            outcomes.enter(allCallsHash(at), allCallsHash(markAt), hour),
            nanos,
            chance,
          );
          const tells = (cell: number, within: number) =>
            outcomes.of(cell, 'calls') < enough.calls || outcomes.of(within, 'calls') < young;
          if (tells(pair, audience)) learnCall(outcomes, pair, nanos, memoryWindows.pair);
          if (tells(audience, whole)) learnCallOfPlace(outcomes, audience, nanos);
          learnCallOfPlace(outcomes, whole, nanos);
          const ofAnybody = outcomes.enter(ofSupply, supplyMark, hour);
          learnLargest(outcomes, ofAnybody, nanos, memoryWindows.supply);
          learnCall(outcomes, ofAnybody, nanos, memoryWindows.supply);
        },
      };
    },
  };
}
