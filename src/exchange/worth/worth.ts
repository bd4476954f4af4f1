import type { ServedKind } from '../../entities/kinds.ts';
import type { Nanos } from '../money.ts';
import { learnCall, learnCallOfPlace, type Rate, rateWithin, usualRate, windows } from './estimate.ts';
import type { Outcomes } from './outcomes.ts';
import { keysOf, type Segment, type Shown, segmentOf, shareOf } from './segments.ts';

/** A supply or demand object, as far as calls are told apart. */
export interface Asked {
  readonly kind: ServedKind;
  readonly id: number;
}

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

/** Learns what it is worth to ask demand for a bid, from what calls have brought. */
export interface Worth {
  /** From 0 to 1. */
  readonly exploredShare: number;
  segmentOf(shown: Shown): Segment;
  /** Why it is not worth to ask the demand object there; undefined where it is, or too little is known. Learns nothing. */
  judge(supply: Asked, demand: Asked, segment: Segment): Judged | undefined;
  /** Whether the auction is one of those that ask the demand object all the same. */
  explores(segment: Segment, demand: Asked): boolean;
  learn(supply: Asked, demand: Asked, segment: Segment, outcome: Outcome): void;
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

/**
 * What calls bring is learnt by pair, by its countries, devices and media, and in these by site and size, each level
 * beginning with what the one above tells. The levels above learn from calls to places that were new then, so that they
 * tell what a new place is like, however many calls go to those that pay.
 */
export function createWorth(outcomes: Outcomes, { callNanos, exploredShare }: WorthOptions): Worth {
  const usualOf = (cell: number): Rate | undefined => {
    const [calls, hits] = [outcomes.of(cell, 'calls'), outcomes.of(cell, 'hits')];
    const isEnough = hits >= enough.hits || calls >= enough.callsWithoutHits;
    return isEnough ? usualRate(outcomes, cell) : undefined;
  };
  /** Adds what an explored call tells beyond what was expected; where that is too much, all is learnt anew. */
  const wonder = (pair: number, { nanos, explored }: Outcome): void => {
    if (!explored) return;
    const ofPair = outcomes.of(pair, 'hits') / Math.max(1, outcomes.of(pair, 'calls'));
    const expected = surprise.times * explored.chance + surprise.ofPair * ofPair;
    const sum = Math.max(0, outcomes.of(pair, 'surprise') + Number(nanos > 0) - expected);
    const isTooMuch = sum >= surprise.most;
    outcomes.set(pair, 'surprise', isTooMuch ? 0 : sum);
    if (isTooMuch) outcomes.set(pair, 'epoch', outcomes.of(pair, 'epoch') + 1);
  };
  return {
    exploredShare,
    segmentOf: (shown) => segmentOf(shown, outcomes.seed),
    judge(supply, demand, segment) {
      const keys = keysOf(supply, demand, outcomes.seed);
      const usual = usualOf(outcomes.find(keys.supply));
      const pair = outcomes.find(keys.pair);
      if (!usual || outcomes.of(pair, 'calls') < enough.calls) return undefined;
      const leastNanos = Math.max(callNanos, leastShare * usual.chance * usual.nanos);
      const { audience, whole } = keys.within(segment, outcomes.of(pair, 'epoch'));
      const ofPair = rateWithin(outcomes, pair, usual);
      const ofAudience = rateWithin(outcomes, outcomes.find(audience), ofPair);
      const { chance, nanos } = rateWithin(outcomes, outcomes.find(whole), ofAudience);
      const expectedNanos = chance * nanos;
      return expectedNanos > leastNanos ? undefined : { expectedNanos, leastNanos, chance };
    },
    explores: ({ lot }, demand) => shareOf(lot, demand) < exploredShare,
    learn(supply, demand, segment, outcome) {
      const { nanos, timeMs } = outcome;
      const hour = Math.floor(timeMs / hourMs);
      const keys = keysOf(supply, demand, outcomes.seed);
      const pair = outcomes.enter(keys.pair, hour);
      wonder(pair, outcome);
      const { audience, whole } = keys.within(segment, outcomes.of(pair, 'epoch'));
      const [inAudience, inWhole] = [outcomes.enter(audience, hour), outcomes.enter(whole, hour)];
      const isNew = (cell: number) => outcomes.of(cell, 'calls') < young;
      const tells = (cell: number, within: number) => outcomes.of(cell, 'calls') < enough.calls || isNew(within);
      if (tells(pair, inAudience)) learnCall(outcomes, pair, nanos, windows.pair);
      if (tells(inAudience, inWhole)) learnCallOfPlace(outcomes, inAudience, nanos);
      learnCallOfPlace(outcomes, inWhole, nanos);
      learnCall(outcomes, outcomes.enter(keys.supply, hour), nanos, windows.supply);
    },
  };
}
