import { roleOf, type ServedKind } from '../../entities/kinds.ts';
import { type Nanos, usdOf } from '../money.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { ObjectLimits } from '../snapshot/exchange-object.ts';
import { dayOf } from './day-line.ts';
import { minuteOf } from './promise-minutes.ts';
import type { Limited, Promised, PromisedIn, SharePromise } from './promised.ts';
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

const fieldOf: Readonly<Record<SharedMeasure, (kind: ServedKind) => string>> = {
  requests: () => 'RequestsDailyLimit',
  bids: () => 'BidsDailyLimit',
  impressions: () => 'ImpressionsDailyLimit',
  amount: (kind) => roleOf(kind).amountDaily,
  total: () => 'SpendTotalLimit',
};

/** What promises take of: a bit for each in `Promised.shares`. */
const promisedMeasures = ['impressions', 'amount', 'total'] as const;
type PromisedMeasure = (typeof promisedMeasures)[number];

/** Takes from the shares of limits that this process holds; where processes share out none, everything is allowed. */
export interface Leased {
  /** The same, of which nothing more is asked for where it lacks something. */
  readonly looks: Leased;
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

const unitsOf = (measure: SharedMeasure, nanos: Nanos) => (measure === 'impressions' ? 1 : nanos);
/** By their bits, so that no auction makes lists. */
const measuresByBits = Array.from({ length: 1 << promisedMeasures.length }, (_, bits) =>
  promisedMeasures.filter((_measure, index) => (bits & (1 << index)) !== 0),
);
const measuresIn = (bits: number): readonly PromisedMeasure[] => measuresByBits[bits] ?? [];
function bitsLimited(limits: ObjectLimits): number {
  let bits = 0;
  for (let index = 0; index < promisedMeasures.length; index += 1)
    if (limitOf[promisedMeasures[index] as PromisedMeasure](limits) > 0) bits |= 1 << index;
  return bits;
}

/** Takes units from the process' shares. */
function taking(shares: Shares) {
  const dayFor = (measure: SharedMeasure, timeMs: number) => (measure === 'total' ? 0 : dayOf(timeMs));
  /** What is lacking is noted, also by who only looks: he wants it. */
  const judge = (
    how: 'take' | 'has',
    [slot, measure, timeMs, units]: readonly [number, SharedMeasure, number, number],
    isValid: boolean,
  ) => {
    const day = dayFor(measure, timeMs);
    const [pool, at] = [shares.pool(measure), shares.at(slot, measure, day)];
    shares.touch(slot);
    if (isValid && pool[how](at, day, units)) return true;
    pool.lack(at, units);
    shares.lack();
    return false;
  };
  const put = (slot: number, measure: SharedMeasure, timeMs: number, units: number) => {
    const day = dayFor(measure, timeMs);
    shares.touch(slot);
    shares.pool(measure).put(shares.at(slot, measure, day), day, units);
  };
  /** Asks each of them, up to the first that is lacking; its place. */
  const firstLacking = (
    how: 'take' | 'has',
    slot: number,
    measures: readonly SharedMeasure[],
    timeMs: number,
    nanos: Nanos,
  ) => {
    const isValid = shares.isValid();
    return measures.findIndex(
      (measure) => !judge(how, [slot, measure, timeMs, unitsOf(measure, nanos)], isValid),
    );
  };
  const putAll = (slot: number, measures: readonly SharedMeasure[], timeMs: number, nanos: Nanos) => {
    for (const measure of measures) put(slot, measure, timeMs, unitsOf(measure, nanos));
  };
  return {
    put,
    putAll,
    /** Takes one, or looks whether it could. */
    one: (how: 'take' | 'has', slot: number, measure: SharedMeasure, timeMs: number) =>
      judge(how, [slot, measure, timeMs, 1], shares.isValid()),
    lacking(slot: number, measures: readonly SharedMeasure[], timeMs: number, nanos: Nanos) {
      return measures[firstLacking('has', slot, measures, timeMs, nanos)];
    },
    /** Takes of all of them, or of none; which is lacking. */
    takeAll(slot: number, measures: readonly SharedMeasure[], timeMs: number, nanos: Nanos) {
      const place = firstLacking('take', slot, measures, timeMs, nanos);
      if (place > 0) putAll(slot, measures.slice(0, place), timeMs, nanos);
      return measures[place];
    },
  };
}

const manyUnits = Number.MAX_SAFE_INTEGER;

/**
 * Shares of which nobody learns what is lacking. As a share is held only while there is traffic, they have what could
 * be asked for.
 */
const unasked = (shares: Shares): Shares => ({
  ...shares,
  pool: (measure) => ({ ...shares.pool(measure), has: () => true, lack: () => undefined }),
  rate: () => manyUnits,
  touch: () => undefined,
  lack: () => undefined,
  noteRate: () => undefined,
});

export function createLeased(shares: Shares): Leased {
  const looks: Leased = {
    ...takingOf(unasked(shares)),
    get looks() {
      return looks;
    },
  };
  return { ...takingOf(shares), looks };
}

function takingOf(shares: Shares): Omit<Leased, 'looks'> {
  const { one, put, putAll, lacking: lackingOf, takeAll } = taking(shares);
  const reason = () => (shares.isValid() ? 'limit_share_used' : 'limit_authority_away');
  const refusal = (measure: SharedMeasure, { kind, limits }: Limited): Refusal => {
    const limit = limitOf[measure](limits);
    return refuse(reason(), {
      field: fieldOf[measure](kind),
      wanted: isAmount(measure) ? usdOf(limit) : limit,
    });
  };
  return {
    take: (slot, measure, object, timeMs) =>
      limitOf[measure](object.limits) === 0 || one('take', slot, measure, timeMs)
        ? undefined
        : refusal(measure, object),
    may: (slot, measure, object, timeMs) =>
      limitOf[measure](object.limits) === 0 || one('has', slot, measure, timeMs)
        ? undefined
        : refusal(measure, object),
    giveBack(slot, measure, { limits }, timeMs) {
      if (limitOf[measure](limits) > 0) put(slot, measure, timeMs, 1);
    },
    rateOf(slot, perSecond) {
      shares.touch(slot);
      shares.noteRate(slot);
      return Math.min(perSecond, shares.rate(slot));
    },
    promise(slot, object, { timeMs, to }, nanos) {
      const holder = shares.holder();
      const bits = bitsLimited(object.limits);
      if (bits === 0) return {};
      const measures = measuresIn(bits);
      const lacking = takeAll(slot, measures, timeMs, nanos);
      if (lacking) return refusal(lacking, object);
      const isAdded = shares.promised[to].add(slot, minuteOf(timeMs), 1, nanos);
      // Again: whoever has looked at what was taken may not have seen this.
      shares.touch(slot);
      if (isAdded) return { holder, shares: bits };
      putAll(slot, measures, timeMs, nanos);
      return refusal('impressions', object);
    },
    mayPromise(slot, object, timeMs, nanos) {
      const lacking = lackingOf(slot, measuresIn(bitsLimited(object.limits)), timeMs, nanos);
      return lacking && refusal(lacking, object);
    },
    promiseMore(slot, { shares: bits = 0 }, { timeMs, to }, nanos) {
      const amounts = measuresIn(bits).filter(isAmount);
      if (nanos > 0 && takeAll(slot, amounts, timeMs, nanos)) return refuse(reason());
      if (bits !== 0 && shares.promised[to].add(slot, minuteOf(timeMs), 0, nanos) && nanos < 0)
        putAll(slot, amounts, timeMs, -nanos);
      return undefined;
    },
    withdraw(slot, { shares: bits = 0, holder, nanos }, { timeMs, to }) {
      if (bits === 0 || holder !== shares.holder()) return;
      if (shares.promised[to].add(slot, minuteOf(timeMs), -1, -nanos))
        putAll(slot, measuresIn(bits), timeMs, nanos);
    },
    noteUnpromised(slot, { limits }, { timeMs }, nanos) {
      if (bitsLimited(limits) === 0) return;
      shares.noteUnpromised(slot, dayOf(timeMs), nanos);
      shares.touch(slot);
    },
  };
}

const allowed = () => undefined;

/** Where this process is alone with its limits. */
export const unleased: Leased = {
  take: allowed,
  may: allowed,
  giveBack: allowed,
  mayPromise: allowed,
  promiseMore: allowed,
  withdraw: allowed,
  noteUnpromised: allowed,
  rateOf: (_, perSecond) => perSecond,
  promise: () => ({}),
  get looks() {
    return unleased;
  },
};
