import { createLimits, type LimitsMemory, limitsMemory, quotasIn } from '../exchange/limits/create-limits.ts';
import {
  createInventoryQuality,
  type InventoryQuality,
  inventoryQualityMemory,
  type QualityMemory,
} from '../exchange/limits/inventory-quality.ts';
import type { Limits } from '../exchange/limits/limits.ts';
import type { Quotas } from '../exchange/limits/quotas.ts';
import { createSteadyClock } from '../exchange/limits/steady-clock.ts';
import { createOutcomes, type Outcomes, outcomesMemory } from '../exchange/value-model/outcomes.ts';
import { type BodyBudget, bodyBudgetMemory, createBodyBudget } from '../management/http/body-budget.ts';
import { createTokenRates, type TokenRates, tokenRatesMemory } from '../management/http/token-rates.ts';
import { programVersion } from '../program-version.ts';
import type { TableMemory } from '../shared/table.ts';
import {
  type ClaimsMemory,
  claimsMemory,
  createProcessClaims,
  type ProcessClaims,
} from '../statistics/process-claims.ts';
import type { SharedCommits, WriterLock } from '../store/interface.ts';
import { commitsMemory, shareCommits } from '../threads/shared-commits.ts';
import { joinThreadChannel, type ThreadChannel } from '../threads/thread-channel.ts';
import { createWriterLock, writerLockMemory } from '../threads/writer-lock.ts';

/** Shared among threads; cloneable. */
export interface ThreadGroupMemory {
  /** Version of the program that laid the memory out. */
  readonly program: string;
  /** Name of the threads' channel. */
  readonly channel: string;
  /** An Int32 for each thread: 1 once it takes requests, else 0. */
  readonly ready: SharedArrayBuffer;
  /** An Int32: 1 once the server is about to stop, else 0. */
  readonly stopping: SharedArrayBuffer;
  readonly threadsMax: number;
  readonly lock: SharedArrayBuffer;
  readonly commits: SharedArrayBuffer;
  readonly rates: TableMemory;
  readonly testRates: TableMemory;
  readonly bodies: SharedArrayBuffer;
  readonly limits: LimitsMemory;
  readonly quality: QualityMemory;
  readonly outcomes: TableMemory;
  readonly claims: ClaimsMemory;
}

/** As one of them sees them. */
export interface ThreadGroup {
  /** From 0. */
  readonly number: number;
  /** Unique. */
  readonly process: string;
  readonly channel: ThreadChannel;
  readonly writerLock: WriterLock;
  /** For the store's news of commits. */
  readonly sharedCommits: SharedCommits;
  readonly tokenRates: TokenRates;
  readonly testRates: TokenRates;
  readonly bodyBudget: BodyBudget;
  readonly limits: Limits;
  readonly quotas: Quotas;
  readonly quality: InventoryQuality;
  readonly outcomes: Outcomes;
  readonly claims: ProcessClaims;
  /** This one included. */
  readonly threadsMax: number;
  readonly memory: ThreadGroupMemory;
  /** To be called before this thread takes requests: from then on the others wait for its answers. */
  markReady(): void;
  /** To be called when a thread is gone; `threadsMax` is the number of the one that writes statistics. */
  release(number: number): void;
  /** From then on no thread says that it is ready. */
  markStopping(): void;
  isStopping(): boolean;
}

/** The first thread counts as ready. `areLimitsShared`: among processes. */
export function threadGroupMemory(threads: number, areLimitsShared = false): ThreadGroupMemory {
  const ready = new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT);
  Atomics.store(new Int32Array(ready), 0, 1);
  return {
    program: programVersion(),
    channel: `bourse-${crypto.randomUUID()}`,
    ready,
    stopping: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
    threadsMax: threads,
    // With the thread that writes statistics.
    lock: writerLockMemory(threads + 1),
    commits: commitsMemory(),
    rates: tokenRatesMemory(),
    testRates: tokenRatesMemory(),
    bodies: bodyBudgetMemory(threads),
    limits: limitsMemory({
      startMs: Date.now(),
      ratesFromMs: createSteadyClock()(),
      areShared: areLimitsShared,
    }),
    quality: inventoryQualityMemory(),
    outcomes: outcomesMemory(),
    claims: claimsMemory(),
  };
}

/** A thread that starts again after an upgrade would run newer code on the memory of its process. */
function assertSameProgram({ program }: ThreadGroupMemory): void {
  if (program === programVersion()) return;
  throw new Error(
    `Bourse ${program} was replaced by ${programVersion()} while it ran; restart the server so that all its threads are of one version`,
  );
}

/** Numbered from 0. Throws if this thread is of another version than its process. */
export function joinThreadGroup(memory: ThreadGroupMemory, number: number): ThreadGroup {
  assertSameProgram(memory);
  const { channel, ready, threadsMax, lock, commits, rates, limits, quality } = memory;
  const bodyBudget = createBodyBudget(memory.bodies, number);
  const readyFlags = new Int32Array(ready);
  const stoppingFlag = new Int32Array(memory.stopping);
  const readyThreads = () => [...readyFlags.keys()].filter((thread) => readyFlags[thread] === 1);
  const writerLock = createWriterLock(lock, number);
  const claims = createProcessClaims(memory.claims, number);
  const peers = joinThreadChannel(channel, number, readyThreads);
  return {
    number,
    process: channel,
    channel: peers,
    writerLock,
    sharedCommits: shareCommits(commits, peers, number),
    tokenRates: createTokenRates(rates),
    testRates: createTokenRates(memory.testRates),
    bodyBudget,
    limits: createLimits(limits, createSteadyClock()),
    quotas: quotasIn(limits, createSteadyClock()),
    quality: createInventoryQuality(quality),
    outcomes: createOutcomes(memory.outcomes),
    claims,
    threadsMax,
    memory,
    markReady: () => void Atomics.store(readyFlags, number, 1),
    release(thread) {
      if (thread < threadsMax) {
        Atomics.store(readyFlags, thread, 0);
        bodyBudget.releaseThread(thread);
      }
      writerLock.release(thread);
      claims.release(thread);
    },
    markStopping: () => void Atomics.store(stoppingFlag, 0, 1),
    isStopping: () => Atomics.load(stoppingFlag, 0) === 1,
  };
}

/** As the thread that writes statistics sees them; it takes no requests. */
export function joinAsConsumer(memory: ThreadGroupMemory) {
  assertSameProgram(memory);
  const number = memory.threadsMax;
  const channel = joinThreadChannel(memory.channel, number, () => []);
  return {
    process: memory.channel,
    channel,
    writerLock: createWriterLock(memory.lock, number),
    sharedCommits: shareCommits(memory.commits, channel, number),
    claims: createProcessClaims(memory.claims, number),
  };
}
