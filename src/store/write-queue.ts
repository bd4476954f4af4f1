import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Refusal } from '../fields/fault.ts';
import { type ChangeLog, createChangeLog } from './change-log.ts';
import type { Database } from './database.ts';
import type { WriteOptions } from './interface.ts';
import type { Schema } from './schema.ts';
import type { WritersTurn } from './writers-turn.ts';

/** The connection of a transaction, and what a job tells of itself. */
export interface Desk {
  readonly connection: Kysely<Schema>;
  readonly log: ChangeLog;
  /** To be called once something is written, or before: from then on a rejection undoes the transaction. */
  readonly touch: () => void;
  /** To be called when all that a job does has been sent: the next one begins, if the job ends with that. */
  readonly handOver: () => void;
}

/** Work that writes. It may run more than once, but only its last run counts. */
type Job<T> = (desk: Desk) => Promise<T>;

interface Waiting {
  readonly job: Job<unknown>;
  readonly isDryRun: boolean;
  readonly mayHandOver: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

const jobsPerCommitMax = 256;

/** How a job ended. */
interface End {
  /** It has written what must not stay, so that the transaction must be undone. */
  readonly mustUndo: boolean;
  /** Whether what it did is to stay. */
  readonly stays: boolean;
  /** Tells whoever waits for it. */
  readonly tell: () => void;
}

/** How a run of some jobs in one transaction went. */
type Run = { readonly ends: readonly End[] } | { readonly undo: Waiting };

/** Runs one job. A refusal before any write leaves nothing to undo, and the transaction goes on without it. */
async function attempt(desk: Omit<Desk, 'touch'>, { job, isDryRun, resolve, reject }: Waiting): Promise<End> {
  let isTouched = false;
  const touch = () => {
    isTouched = true;
  };
  try {
    const value = await job({ ...desk, touch });
    return { mustUndo: isDryRun && isTouched, stays: !isDryRun, tell: () => resolve(value) };
  } catch (error) {
    const mustUndo = isTouched || !(error instanceof Refusal);
    return { mustUndo, stays: false, tell: () => reject(error) };
  }
}

/** Begins a job: how it will end, and when the next one may begin. */
function begin(desk: Omit<Desk, 'touch' | 'handOver'>, waiting: Waiting) {
  const { promise: handedOver, resolve } = Promise.withResolvers<undefined>();
  const handOver = () => {
    if (waiting.mayHandOver) resolve(undefined);
  };
  const end = attempt({ ...desk, handOver }, waiting);
  return { end, next: Promise.race([end, handedOver]) };
}

/** Jobs that share a commit. */
interface Batch {
  readonly jobs: Waiting[];
  /** Lets those join that have come meanwhile; answers whether there are any. */
  readonly join: () => boolean;
  /** The log of their transaction. */
  readonly openLog: (connection: Kysely<Schema>) => ChangeLog;
}

/** Begins jobs, each when it is its turn, up to the first that must be undone. */
async function beginAll(connection: Kysely<Schema>, { jobs, join, openLog }: Batch) {
  const desk = { connection, log: openLog(connection) };
  const ends: Promise<End>[] = [];
  let mustUndo = false;
  let hasWritten = false;
  while (join() || ends.length < jobs.length) {
    for (const waiting of jobs.slice(ends.length)) {
      const { end, next } = begin(desk, waiting);
      ends.push(end);
      const known = await next;
      // What is not known yet has been sent.
      hasWritten ||= known?.stays ?? true;
      mustUndo = known?.mustUndo ?? false;
      if (mustUndo) return { ends, mustUndo, hasWritten };
    }
  }
  return { ends, mustUndo, hasWritten };
}

/** Runs the jobs of a batch, and commits what they wrote unless one of them must be undone. */
async function runAll(database: Database, connection: Kysely<Schema>, batch: Batch): Promise<Run> {
  const { ends, mustUndo, hasWritten } = await beginAll(connection, batch);
  // Before the answers to what was sent last: if one is a failure, the commit is one too.
  const commit = mustUndo ? undefined : database.commit(connection, hasWritten);
  const [committed] = await Promise.allSettled([commit]);
  const known = await Promise.all(ends);
  if (commit !== undefined && committed.status === 'fulfilled') return { ends: known };
  // Of several the first: where the database has refused one, it refuses whatever comes behind it.
  const first = known.findIndex((end) => end.mustUndo);
  const undo = batch.jobs[first];
  if (!undo) throw committed.status === 'rejected' ? committed.reason : new Error('nothing to undo');
  known[first]?.tell();
  await sql`rollback`.execute(connection);
  return { undo };
}

/** One transaction: all jobs of the batch that are to stay, or nothing. */
async function transact(database: Database, connection: Kysely<Schema>, batch: Batch): Promise<Run> {
  await database.begin(connection);
  try {
    return await runAll(database, connection, batch);
  } catch (error) {
    await sql`rollback`.execute(connection).catch(() => undefined);
    throw error;
  }
}

/** Commits a batch; a job that must be undone is left out, and the others run again without it. */
async function commitTogether(
  { database, committed }: QueueOptions,
  connection: Kysely<Schema>,
  batch: Batch,
) {
  do {
    const run = await transact(database, connection, batch);
    if ('ends' in run) {
      if (run.ends.length > 0) committed();
      for (const { tell } of run.ends) tell();
      return;
    }
    batch.jobs.splice(batch.jobs.indexOf(run.undo), 1);
  } while (batch.jobs.length > 0);
}

/** How many of those that wait, from the first, can join a commit: a dry run shares with nobody. */
function joiners(waiting: readonly Waiting[], jobs: readonly Waiting[]): number {
  if (jobs[0]?.isDryRun) return 0;
  const dry = waiting.findIndex(({ isDryRun }) => isDryRun);
  if (dry === 0) return jobs.length === 0 ? 1 : 0;
  return Math.min(dry === -1 ? waiting.length : dry, jobsPerCommitMax - jobs.length);
}

/** What a write queue works with. */
export interface QueueOptions {
  readonly database: Database;
  /** Where several threads of this process write to one file. */
  readonly turn?: WritersTurn | undefined;
  /** Called after each commit, before those who wait for it are told. */
  readonly committed: () => void;
}

/**
 * Runs jobs one after the other, in transactions that hold the writers' lock. Jobs that come before its commit, up
 * to some, share it, and so one sync to disk; each resolves only when that is done, and fails alone.
 */
export function createWriteQueue(options: QueueOptions) {
  const { database, turn } = options;
  const openLog = createChangeLog(database);
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  const runBatch = async () => {
    const jobs: Waiting[] = [];
    const join = () => {
      const joining = waiting.splice(0, joiners(waiting, jobs));
      jobs.push(...joining);
      return joining.length > 0;
    };
    await turn?.take();
    try {
      await database.onWriter((connection) => commitTogether(options, connection, { jobs, join, openLog }));
    } catch (error) {
      if (jobs.length === 0) join();
      for (const { reject } of jobs) reject(error);
    } finally {
      turn?.giveBack();
    }
  };
  const run = async () => {
    while (waiting.length > 0) {
      // First requests that were read in the same turn join the commit, and all else has its turn: where the database
      // is in this process, writes that follow each other would never let go.
      await turnOfOthers();
      await runBatch();
    }
    running = undefined;
  };
  return {
    /** Resolves with the job's result once it is durable. */
    write<T>(job: Job<T>, { dryRun = false, endsWithAdd = false }: WriteOptions = {}): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        waiting.push({
          job,
          isDryRun: dryRun,
          // What is only for show must be undone, and is waited for.
          mayHandOver: endsWithAdd && !dryRun,
          resolve: resolve as (value: unknown) => void,
          reject,
        });
        running ??= run();
      });
    },
    /** Jobs that wait for their transaction. */
    waiting: () => waiting.length,
    /** Resolves when nothing is under way any more. */
    async idle(): Promise<void> {
      while (running !== undefined) await running;
    },
  };
}

/** The one way by which a store writes. */
export type WriteQueue = ReturnType<typeof createWriteQueue>;
