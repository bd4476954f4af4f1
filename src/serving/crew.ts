import { type LimitsMemory, limitsMemory } from '../exchange/limits/counters.ts';
import {
  createInventoryQuality,
  type InventoryQuality,
  inventoryQualityMemory,
  type QualityMemory,
} from '../exchange/limits/inventory-quality.ts';
import type { Limits } from '../exchange/limits/limits.ts';
import { createLimits } from '../exchange/limits/shared-limits.ts';
import { createSteadyClock } from '../exchange/limits/steady-clock.ts';
import { type BodyBudget, bodyBudgetMemory, createBodyBudget } from '../management/http/body-budget.ts';
import { createTokenRates, type TokenRates, tokenRatesMemory } from '../management/http/token-rates.ts';
import type { SharedCommits, WriterLock } from '../store/interface.ts';
import { joinPeers, type Peers } from './peers.ts';
import { commitsMemory, shareCommits } from './shared-commits.ts';
import { createWriterLock, writerLockMemory } from './writer-lock.ts';

/** What the threads of one exchange have in common, in a form that can be handed to each. */
export interface CrewMemory {
  /** Name of the channel on which the threads talk. */
  readonly channel: string;
  /** An Int32 for each thread: 1 once it takes requests, else 0. */
  readonly there: SharedArrayBuffer;
  /** An Int32: 1 once the server is about to stop, else 0. */
  readonly leaving: SharedArrayBuffer;
  readonly sizeMax: number;
  readonly lock: SharedArrayBuffer;
  readonly commits: SharedArrayBuffer;
  readonly rates: SharedArrayBuffer;
  readonly bodies: SharedArrayBuffer;
  readonly limits: LimitsMemory;
  readonly quality: QualityMemory;
}

/** The threads of one exchange, as one of them sees them. */
export interface Crew {
  /** Number of this thread, from 0. */
  readonly number: number;
  readonly peers: Peers;
  readonly writerLock: WriterLock;
  readonly sharedCommits: SharedCommits;
  readonly rates: TokenRates;
  /** Large bodies that the threads have in work. */
  readonly bodies: BodyBudget;
  /** Counters of the limits of supply and demand objects. */
  readonly limits: Limits;
  readonly quality: InventoryQuality;
  /** Most threads that there may be, this one included. */
  readonly sizeMax: number;
  /** To be called before this thread takes requests: from then on the others wait for its answers, too. */
  arrive(): void;
  /** To be called when the thread of a number is gone. */
  forsake(number: number): void;
  /** Tells all threads that the server is about to stop: from then on none of them says that it is ready. */
  leave(): void;
  isLeaving(): boolean;
}

/** Memory for an exchange of at most `threads` threads. The first one counts as taking requests already. */
export function crewMemory(threads: number): CrewMemory {
  const there = new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT);
  Atomics.store(new Int32Array(there), 0, 1);
  return {
    channel: `bourse-${crypto.randomUUID()}`,
    there,
    leaving: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
    sizeMax: threads,
    lock: writerLockMemory(threads),
    commits: commitsMemory(),
    rates: tokenRatesMemory(),
    bodies: bodyBudgetMemory(threads),
    limits: limitsMemory({ startMs: Date.now(), ratesFromMs: createSteadyClock()() }),
    quality: inventoryQualityMemory(),
  };
}

/** Joins the crew as thread number `self`, from 0. */
export function joinCrew(memory: CrewMemory, self: number): Crew {
  const { channel, there, sizeMax, lock, commits, rates, limits, quality } = memory;
  const bodies = createBodyBudget(memory.bodies, self);
  const threads = new Int32Array(there);
  const leaving = new Int32Array(memory.leaving);
  const thoseThere = () => [...threads.keys()].filter((thread) => threads[thread] === 1);
  const writerLock = createWriterLock(lock, self);
  const peers = joinPeers(channel, self, thoseThere);
  return {
    number: self,
    peers,
    writerLock,
    sharedCommits: shareCommits(commits, peers),
    rates: createTokenRates(rates),
    bodies,
    limits: createLimits(limits, createSteadyClock()),
    quality: createInventoryQuality(quality),
    sizeMax,
    arrive: () => void Atomics.store(threads, self, 1),
    forsake(number) {
      Atomics.store(threads, number, 0);
      writerLock.release(number);
      bodies.forsake(number);
    },
    leave: () => void Atomics.store(leaving, 0, 1),
    isLeaving: () => Atomics.load(leaving, 0) === 1,
  };
}
