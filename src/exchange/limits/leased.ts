import { roleOf, type ServedKind } from '../../entities/kinds.ts';
import { type Nanos, usdOf } from '../money.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { ObjectLimits } from '../snapshot/exchange-object.ts';
import { dayOf } from './day-line.ts';
import type { Limited, Promised, PromisedIn } from './limits.ts';
import { minuteOf } from './promise-minutes.ts';
import type { SharedMeasure, Shares } from './shares.ts';

/** The limit of each measure; 0 = unlimited. */
const limitOf: Readonly<Record<SharedMeasure, (limits: ObjectLimits) => number>> = {
  requests: ({ requestsDaily }) => requestsDaily,
  bids: ({ bidsDaily }) => bidsDaily,
  impressions: ({ impressionsDaily }) => impressionsDaily,
  amount: ({ amountDailyNanos }) => amountDailyNanos,
  total: ({ amountTotalNanos }) => amountTotalNanos,
};

const isAmount = (measure: SharedMeasure) => measure === 'amount' || measure === 'total';

/** The field that sets the limit of a measure. */
const fieldOf: Readonly<Record<SharedMeasure, (kind: ServedKind) => string>> = {
  requests: () => 'RequestsDailyLimit',
  bids: () => 'BidsDailyLimit',
  impressions: () => 'ImpressionsDailyLimit',
  amount: (kind) => roleOf(kind).amountDaily,
  total: () => 'SpendTotalLimit',
};

/** What promises take of: a bit for each in `Promised.shares`. */
const promisedMeasures = ['impressions', 'amount', 'total'] as const;

/** What an object's shares have promised to an ad. */
export interface SharePromise {
  /** Number of the process that has promised it; 0 = no share was asked for. */
  readonly holder: number;
  /** Of which measures something was taken: a bit for each; 0 where the ad was handed out. */
  readonly shares: number;
}

/** Takes from the shares of limits that this process holds; where processes share out none, everything is allowed. */
export interface Leased {
  /** Takes one request or bid, or refuses. */
  take(slot: number, measure: 'requests' | 'bids', object: Limited, timeMs: number): Refusal | undefined;
  /** What `take` would refuse now; takes nothing. */
  may(slot: number, measure: 'requests' | 'bids', object: Limited, timeMs: number): Refusal | undefined;
  giveBack(slot: number, measure: 'requests' | 'bids', object: Limited, timeMs: number): void;
  /** How many requests a second this process may let through of so many. */
  rateOf(slot: number, perSecond: number): number;
  /** Takes an impression that costs `nanos`, or refuses. */
  promise(slot: number, object: Limited, auction: PromisedIn, nanos: Nanos): Partial<SharePromise> | Refusal;
  /** What `promise` would refuse now; takes nothing. */
  mayPromise(slot: number, object: Limited, timeMs: number, nanos: Nanos): Refusal | undefined;
  /** Takes so much more for a promise, or gives so much back where it is below 0. */
  promiseMore(slot: number, promised: Promised, auction: PromisedIn, nanos: Nanos): Refusal | undefined;
  /** Takes a promise back whose ad was not handed out. */
  withdraw(slot: number, promised: Promised, auction: PromisedIn): void;
  /** Notes an ad that was billed and that no process had promised of its shares. */
  noteUnpromised(slot: number, object: Limited, auction: PromisedIn, nanos: Nanos): void;
}

/** Takes units of one measure from the process' shares. */
function taking(shares: Shares) {
  const dayFor = (measure: SharedMeasure, timeMs: number) => (measure === 'total' ? 0 : dayOf(timeMs));
  const judged =
    (how: 'take' | 'has') => (slot: number, measure: SharedMeasure, timeMs: number, units: number) => {
      const day = dayFor(measure, timeMs);
      const [pool, at] = [shares.pool(measure), shares.at(slot, measure, day)];
      if (shares.isValid() && pool[how](at, day, units)) return true;
      pool.lack(at, units);
      shares.lack();
      return false;
    };
  return {
    take: judged('take'),
    /** Whether `take` would take them. Who looks wants them, so what is lacking is noted as well. */
    has: judged('has'),
    put(slot: number, measure: SharedMeasure, timeMs: number, units: number) {
      const day = dayFor(measure, timeMs);
      shares.pool(measure).put(shares.at(slot, measure, day), day, units);
    },
  };
}

/** What one ad takes of a measure. */
const unitsOf = (measure: SharedMeasure, nanos: Nanos) => (measure === 'impressions' ? 1 : nanos);
const measuresIn = (bits: number) => promisedMeasures.filter((_, index) => (bits & (1 << index)) !== 0);

/** Shares of limits. */
export function createLeased(shares: Shares): Leased {
  const { take, has, put } = taking(shares);
  const reason = () => (shares.isValid() ? 'limit_share_used' : 'limit_authority_away');
  const refusal = (measure: SharedMeasure, { kind, limits }: Limited): Refusal => {
    const limit = limitOf[measure](limits);
    return refuse(reason(), {
      field: fieldOf[measure](kind),
      wanted: isAmount(measure) ? usdOf(limit) : limit,
    });
  };
  const putAll = (slot: number, bits: number, timeMs: number, nanos: Nanos) => {
    for (const measure of measuresIn(bits)) put(slot, measure, timeMs, unitsOf(measure, nanos));
  };
  return {
    take: (slot, measure, object, timeMs) =>
      limitOf[measure](object.limits) === 0 || take(slot, measure, timeMs, 1)
        ? undefined
        : refusal(measure, object),
    may: (slot, measure, object, timeMs) =>
      limitOf[measure](object.limits) === 0 || has(slot, measure, timeMs, 1)
        ? undefined
        : refusal(measure, object),
    giveBack(slot, measure, { limits }, timeMs) {
      if (limitOf[measure](limits) > 0) put(slot, measure, timeMs, 1);
    },
    rateOf(slot, perSecond) {
      shares.noteRate(slot);
      return Math.min(perSecond, shares.rate(slot));
    },
    promise(slot, object, { timeMs, to }, nanos) {
      const holder = shares.holder();
      let bits = 0;
      for (const [index, measure] of promisedMeasures.entries()) {
        if (limitOf[measure](object.limits) === 0) continue;
        if (!take(slot, measure, timeMs, unitsOf(measure, nanos))) {
          putAll(slot, bits, timeMs, nanos);
          return refusal(measure, object);
        }
        bits |= 1 << index;
      }
      if (bits === 0) return {};
      if (shares.promised[to].add(slot, minuteOf(timeMs), 1, nanos)) return { holder, shares: bits };
      putAll(slot, bits, timeMs, nanos);
      return refusal('impressions', object);
    },
    mayPromise(slot, object, timeMs, nanos) {
      const lacking = promisedMeasures.find(
        (measure) =>
          limitOf[measure](object.limits) > 0 && !has(slot, measure, timeMs, unitsOf(measure, nanos)),
      );
      return lacking && refusal(lacking, object);
    },
    promiseMore(slot, { shares: bits = 0 }, { timeMs, to }, nanos) {
      const amounts = measuresIn(bits).filter(isAmount);
      let taken = 0;
      for (const measure of nanos > 0 ? amounts : []) {
        if (!take(slot, measure, timeMs, nanos)) {
          for (const before of amounts.slice(0, taken)) put(slot, before, timeMs, nanos);
          return refuse(reason());
        }
        taken += 1;
      }
      if (bits !== 0 && shares.promised[to].add(slot, minuteOf(timeMs), 0, nanos) && nanos < 0)
        for (const measure of amounts) put(slot, measure, timeMs, -nanos);
      return undefined;
    },
    withdraw(slot, { shares: bits = 0, holder, nanos }, { timeMs, to }) {
      if (bits === 0 || holder !== shares.holder()) return;
      if (shares.promised[to].add(slot, minuteOf(timeMs), -1, -nanos)) putAll(slot, bits, timeMs, nanos);
    },
    noteUnpromised(slot, { limits }, { timeMs }, nanos) {
      if (promisedMeasures.some((measure) => limitOf[measure](limits) > 0))
        shares.noteUnpromised(slot, dayOf(timeMs), nanos);
    },
  };
}

const allowed = () => undefined;

/** Where this process is alone with its limits. */
export const unleased: Leased = {
  ...{ take: allowed, may: allowed, giveBack: allowed, mayPromise: allowed, promiseMore: allowed },
  ...{ withdraw: allowed, noteUnpromised: allowed },
  rateOf: (_, perSecond) => perSecond,
  promise: () => ({}),
};
