import { randomSeed } from '../../shared/hash.ts';
import { type AddressMemory, addressMemory, createAddressCounts } from './address-counts.ts';
import { amountsMemory, createAmounts } from './amounts.ts';
import { createDayCounters, dayCountersMemory } from './day-counters.ts';
import { createLeased, unleased } from './leased.ts';
import { minutesFor, type PromisedTo } from './promised.ts';
import {
  createPromisedAmounts,
  type PromisedAmountsMemory,
  promisedAmountsMemory,
} from './promised-amounts.ts';
import { createPromises, promisesMemory } from './promises.ts';
import { createRates, ratesMemory } from './rates.ts';
import { type Shares, type SharesMemory, sharesMemory } from './shares.ts';
import { slotsMemory } from './slots.ts';

/** Memory of the counters, to be handed to every thread. Parts that no object has used yet take no physical memory. */
export interface LimitsMemory {
  /** When the process began, in ms since 1970. Of promises made before, only the hour is known. */
  readonly startMs: number;
  /** When rates begin to count, in ms of the steady clock, which never goes back. */
  readonly ratesFromMs: number;
  readonly slots: SharedArrayBuffer;
  readonly days: SharedArrayBuffer;
  readonly rates: SharedArrayBuffer;
  readonly promises: Readonly<Record<PromisedTo, SharedArrayBuffer>>;
  readonly promisedAmounts: Readonly<Record<PromisedTo, PromisedAmountsMemory>>;
  readonly amounts: SharedArrayBuffer;
  readonly addresses: AddressMemory;
  /** An Int32: 1 once what other processes promise is followed, else 0. */
  readonly followed: SharedArrayBuffer;
  /** What the process holds of limits; absent where it shares them with nobody. */
  readonly shares: SharesMemory | undefined;
}

export interface LimitsSize {
  /** Whether processes share out limits among each other. */
  readonly areShared?: boolean;
  /** Objects with traffic. Any beyond these are refused. */
  readonly objects: number;
  /** Pairs of object and IP address, which objects that limit impressions by address share (`address-table.ts`). */
  readonly addresses: number;
}

export const sizeByDefault: LimitsSize = { objects: 1 << 18, addresses: 1 << 21 };

/**
 * An impression that comes in the last moment takes seconds to be durable, or longer while the database is away. So
 * promises are held a minute longer.
 */
const heldFor = { ad: minutesFor.ad + 1, offer: minutesFor.offer + 1 } as const;

/**
 * Memory for the counters of one process. Both times are when it begins: `startMs` since 1970, and `ratesFromMs` by the
 * clock that `createLimits` is given.
 */
export function limitsMemory(
  { startMs, ratesFromMs }: Pick<LimitsMemory, 'startMs' | 'ratesFromMs'>,
  { objects, addresses, areShared = false }: LimitsSize = sizeByDefault,
): LimitsMemory {
  return {
    startMs,
    ratesFromMs,
    slots: slotsMemory(objects),
    days: dayCountersMemory(objects),
    rates: ratesMemory(objects),
    promises: {
      ad: promisesMemory(objects, heldFor.ad),
      offer: promisesMemory(objects, heldFor.offer),
    },
    promisedAmounts: {
      ad: promisedAmountsMemory(objects, heldFor.ad),
      offer: promisedAmountsMemory(objects, heldFor.offer),
    },
    amounts: amountsMemory(objects),
    addresses: addressMemory(addresses, objects, randomSeed()),
    followed: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
    shares: areShared ? sharesMemory(objects) : undefined,
  };
}

export function createCounters(memory: LimitsMemory, shares: Shares | undefined) {
  const { startMs, promises, promisedAmounts } = memory;
  const followed = new Int32Array(memory.followed);
  const areFollowed = () => Atomics.load(followed, 0) === 1;
  return {
    days: createDayCounters(memory.days),
    rates: createRates(memory.rates, memory.ratesFromMs),
    promises: {
      ad: createPromises(promises.ad, heldFor.ad, startMs, areFollowed),
      offer: createPromises(promises.offer, heldFor.offer, startMs, areFollowed),
    },
    promisedAmounts: {
      ad: createPromisedAmounts(promisedAmounts.ad, heldFor.ad, startMs, areFollowed),
      offer: createPromisedAmounts(promisedAmounts.offer, heldFor.offer, startMs, areFollowed),
    },
    amounts: createAmounts(memory.amounts),
    addresses: createAddressCounts(memory.addresses, startMs),
    leased: shares ? createLeased(shares) : unleased,
    /** From now on promises of others are counted with those of this process. */
    follow: () => void Atomics.store(followed, 0, 1),
  };
}

export type Counters = ReturnType<typeof createCounters>;
