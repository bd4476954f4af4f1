import { isSupply, roleOf } from '../entities/kinds.ts';
import type { Limits, RestoredPromises } from '../exchange/limits/limits.ts';
import type { PromisedTo } from '../exchange/limits/promised.ts';
import { hourOf } from '../statistics/days.ts';
import type { OpenPromises, PairCounts, StatisticsStore } from '../store/statistics/interface.ts';

export interface PromiseSyncOptions {
  readonly statistics: Pick<StatisticsStore, 'promisedSince'>;
  readonly limits: Pick<Limits, 'restorePromises' | 'followPromises'>;
  readonly now: () => number;
}

/** By object and hour; sums may be below 0. */
type Sums = Map<string, RestoredPromises>;

/** This process's promises, and what it knows of others'. */
export interface PromiseSync {
  /** Resumes from earlier promises. */
  restore(): Promise<void>;
  /** Promises made and ended here, once all can read them. */
  note(pairs: readonly PairCounts[]): void;
  /** Has the limits count what others promised since the last look. */
  look(): Promise<void>;
}

/** Offers, or ads to be shown. */
const promiseKind = (kind: string): PromisedTo => (isSupply(kind) ? roleOf(kind).promises : 'ad');

function add(sums: Sums, { promised, promisedNanos, ...of }: RestoredPromises): void {
  const name = JSON.stringify([of.kind, of.id, of.hour, of.to]);
  const before = sums.get(name);
  sums.set(name, {
    ...of,
    promised: promised + (before?.promised ?? 0),
    promisedNanos: promisedNanos + (before?.promisedNanos ?? 0),
  });
}

const minus = <One extends RestoredPromises>({ promised, promisedNanos, ...of }: One): RestoredPromises => ({
  ...of,
  promised: -promised,
  promisedNanos: -promisedNanos,
});

/** As the store has them; of a sum below 0 the promises are under way. */
function sumsOf(open: readonly OpenPromises[]): Sums {
  const sums: Sums = new Map();
  for (const { supplyKind, ...one } of open) {
    const [promised, promisedNanos] = [Math.max(0, one.promised), Math.max(0, one.promisedNanos)];
    add(sums, { ...one, promised, promisedNanos, to: promiseKind(supplyKind) });
  }
  return sums;
}

/** Among other counts. */
function promisesIn({ hour, supply, demand, counts }: PairCounts): RestoredPromises {
  const { promised = 0, promisedNanos = 0 } = counts;
  const { kind, id } = demand ?? supply;
  return { kind, id, hour, to: promiseKind(supply.kind), promised, promisedNanos };
}

const isAny = ({ promised, promisedNanos }: RestoredPromises) => promised !== 0 || promisedNanos !== 0;

function forgetBefore(sums: Sums, firstHour: number): void {
  for (const [name, { hour }] of sums) if (hour < firstHour) sums.delete(name);
}

/**
 * The store sums all processes' promises. Less our own additions it is what others promised and ended, of ours too, so
 * sometimes below 0. The limits get the change since the last look, so nothing counts twice.
 */
export function createPromiseSync({ statistics, limits, now }: PromiseSyncOptions): PromiseSync {
  const own: Sums = new Map();
  const ofOthers: Sums = new Map();
  // Earlier promises have ended.
  const firstHour = () => hourOf(now()) - 1;
  return {
    async restore() {
      for (const one of sumsOf(await statistics.promisedSince(firstHour())).values()) add(ofOthers, one);
      limits.restorePromises(ofOthers.values());
    },
    note(pairs) {
      for (const promises of pairs.map(promisesIn)) if (isAny(promises)) add(own, promises);
    },
    async look() {
      const from = firstHour();
      forgetBefore(own, from);
      forgetBefore(ofOthers, from);
      // Before it asks: news meanwhile then counts twice until the next look, rather than not at all.
      const changed = new Map([...own].map(([name, one]) => [name, minus(one)]));
      for (const one of sumsOf(await statistics.promisedSince(from)).values()) add(changed, one);
      for (const one of ofOthers.values()) add(changed, minus(one));
      const news = [...changed.values()].filter(isAny);
      for (const one of news) add(ofOthers, one);
      limits.followPromises(news, now());
    },
  };
}
