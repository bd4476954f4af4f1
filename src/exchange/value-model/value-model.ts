import { mixHashes } from '../../shared/hash.ts';
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
import type { Outcomes } from './outcomes.ts';
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

/** For a call that is not worth it. */
export interface CallEstimate {
  readonly expectedNanos: Nanos;
  readonly leastNanos: Nanos;
  readonly chance: number;
}

export interface ValueModelOptions {
  readonly callNanos: Nanos;
  /** Share of calls made although not worth it, from 0 to 1. */
  readonly exploredShare: number;
}

/** 0 = nothing. */
export interface CallOutcome {
  readonly nanos: Nanos;
  readonly timeMs: number;
  /** What was expected, if the call was made although not worth it. */
  readonly explored: CallEstimate | undefined;
}

/** In an auction of a supply object. */
export interface CallValue {
  /** Undefined if the call is worth it or too little is known. Learns nothing. */
  judge(demand: CallParty): CallEstimate | undefined;
  /** Whether this auction calls the demand object all the same. */
  explores(demand: CallParty): boolean;
  learn(demand: CallParty, outcome: CallOutcome): void;
}

export interface ValueModel {
  /** From 0 to 1. */
  readonly exploredShare: number;
  of(supply: CallParty, placement: Placement): CallValue;
}

const hourMs = 3_600_000;
/** Fewer calls to a partner, or of a supply object with hits, leave nobody out. */
const enough = { calls: 64, hits: 20, callsWithoutHits: 20_000 } as const;
/** A place with fewer calls shows what new places are like. */
const young = 16;
/** A call is not worth it below this share of the supply object's usual value. */
const leastShare = 0.02;
/** So many more hits than expected in explored calls show that the partner has changed its mind. */
const surprise = { times: 3, ofPair: 0.2, most: 5 } as const;

/** Adds an explored call's surprise; too much of it forgets the pair. */
function noteSurprise(outcomes: Outcomes, pair: number, { nanos, explored }: CallOutcome): void {
  if (!explored) return;
  const ofPair = usualRate(outcomes, pair).chance;
  const expected = surprise.times * explored.chance + surprise.ofPair * ofPair;
  const sum = Math.max(0, outcomes.of(pair, 'surprise') + Number(nanos > 0) - expected);
  const isTooMuch = sum >= surprise.most;
  outcomes.set(pair, 'surprise', isTooMuch ? 0 : sum);
  if (isTooMuch) outcomes.set(pair, 'epoch', outcomes.of(pair, 'epoch') + 1);
}

/** Undefined until enough is known. */
function usualRateOf(outcomes: Outcomes, cell: number): Rate | undefined {
  const isEnough =
    outcomes.of(cell, 'hits') >= enough.hits || outcomes.of(cell, 'calls') >= enough.callsWithoutHits;
  return isEnough ? usualRate(outcomes, cell) : undefined;
}

/**
 * Learns by pair, then its countries, devices and media, then site and size; each level starts from the one above,
 * which learns only from calls to places new then. All calls of a pair count together too: where users, not places,
 * decide, that is the value anywhere.
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
