import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Refusal } from '../../fields/fault.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { WriteOptions, WriterLock } from '../interface.ts';
import { type ChangeLog, createChangeLog } from '../log/change-log.ts';

/** Its transaction's connection and log, and functions to report progress. */
export interface JobContext {
  readonly connection: Kysely<Schema>;
  readonly log: ChangeLog;
  /** To be called when the job writes, or before: a later rejection undoes the transaction. */
  readonly touch: () => void;
  /** To be called once all statements are sent: if the job may hand over, the next one begins. */
  readonly handOver: () => void;
}

/** May run more than once; only its last run counts. */
type Job<T> = (context: JobContext) => Promise<T>;

interface QueuedJob {
  readonly job: Job<unknown>;
  readonly isDryRun: boolean;
  readonly mayHandOver: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

const jobsPerCommitMax = 256;

interface Outcome {
  /** The job may have written what must not stay. */
  readonly mustUndo: boolean;
  readonly stays: boolean;
  /** For the job's caller. */
  readonly settle: () => void;
}

/** How the jobs ended, or for which job the transaction was undone. */
type Run = { readonly outcomes: readonly Outcome[] } | { readonly failed: QueuedJob };

/** A refusal before any write leaves nothing to undo, and the transaction goes on. */
async function attempt(
  context: Omit<JobContext, 'touch'>,
  { job, isDryRun, resolve, reject }: QueuedJob,
): Promise<Outcome> {
  let isTouched = false;
  const touch = () => {
    isTouched = true;
  };
  try {
    const value = await job({ ...context, touch });
    return { mustUndo: isDryRun && isTouched, stays: !isDryRun, settle: () => resolve(value) };
  } catch (error) {
    const mustUndo = isTouched || !(error instanceof Refusal);
    return { mustUndo, stays: false, settle: () => reject(error) };
  }
}

/** `outcome`: how it ended; `next`: the next job may begin. */
function begin(context: Omit<JobContext, 'touch' | 'handOver'>, waiting: QueuedJob) {
  const { promise: handedOver, resolve } = Promise.withResolvers<undefined>();
  const handOver = () => {
    if (waiting.mayHandOver) resolve(undefined);
  };
  const outcome = attempt({ ...context, handOver }, waiting);
  return { outcome, next: Promise.race([outcome, handedOver]) };
}

interface Batch {
  readonly jobs: QueuedJob[];
  /** Adds jobs that came meanwhile; true if there were any. */
  readonly join: () => boolean;
  readonly openLog: (connection: Kysely<Schema>) => ChangeLog;
}

/** One after the other; stops at the first that must be undone. */
async function beginAll(connection: Kysely<Schema>, { jobs, join, openLog }: Batch) {
  const context = { connection, log: openLog(connection) };
  const outcomes: Promise<Outcome>[] = [];
  let mustUndo = false;
  let hasWritten = false;
  while (join() || outcomes.length < jobs.length) {
    for (const waiting of jobs.slice(outcomes.length)) {
      const { outcome, next } = begin(context, waiting);
      outcomes.push(outcome);
      const known = await next;
      // A job that has handed over has no outcome yet, but its statements are sent.
      hasWritten ||= known?.stays ?? true;
      mustUndo = known?.mustUndo ?? false;
      if (mustUndo) return { outcomes, mustUndo, hasWritten };
    }
  }
  return { outcomes, mustUndo, hasWritten };
}

/** Commits unless a job must be undone. */
async function runAll(database: Database, connection: Kysely<Schema>, batch: Batch): Promise<Run> {
  const { outcomes, mustUndo, hasWritten } = await beginAll(connection, batch);
  // Sent before the last answers: if one is a failure, the commit fails too.
  const commit = mustUndo ? undefined : database.commit(connection, hasWritten);
  const [committed] = await Promise.allSettled([commit]);
  const known = await Promise.all(outcomes);
  if (commit !== undefined && committed.status === 'fulfilled') return { outcomes: known };
  // The first is the cause: after it, the database refuses every later statement.
  const first = known.findIndex((outcome) => outcome.mustUndo);
  const failed = batch.jobs[first];
  if (!failed) throw committed.status === 'rejected' ? committed.reason : new Error('nothing to undo');
  known[first]?.settle();
  await sql`rollback`.execute(connection);
  return { failed };
}

async function transact(database: Database, connection: Kysely<Schema>, batch: Batch): Promise<Run> {
  await database.begin(connection);
  try {
    return await runAll(database, connection, batch);
  } catch (error) {
    await sql`rollback`.execute(connection).catch(() => undefined);
    throw error;
  }
}

/** A job that must be undone is left out, and the others run again. */
async function commitTogether(
  { database, committed }: QueueOptions,
  connection: Kysely<Schema>,
  batch: Batch,
) {
  do {
    const run = await transact(database, connection, batch);
    if ('outcomes' in run) {
      if (run.outcomes.length > 0) committed();
      for (const { settle } of run.outcomes) settle();
      return;
    }
    batch.jobs.splice(batch.jobs.indexOf(run.failed), 1);
  } while (batch.jobs.length > 0);
}

/** Of the first waiting jobs. A dry run has a transaction to itself. */
function joinableCount(waiting: readonly QueuedJob[], jobs: readonly QueuedJob[]): number {
  if (jobs[0]?.isDryRun) return 0;
  const dry = waiting.findIndex(({ isDryRun }) => isDryRun);
  if (dry === 0) return jobs.length === 0 ? 1 : 0;
  return Math.min(dry === -1 ? waiting.length : dry, jobsPerCommitMax - jobs.length);
}

export interface QueueOptions {
  readonly database: Database;
  /** If several threads of this process write to one file. */
  readonly writerLock?: WriterLock | undefined;
  /** After each commit, before its callers get their results. */
  readonly committed: () => void;
}

/**
 * In order, in transactions with the writers' lock. Jobs that come before a commit share it, and so a sync to disk.
 * Each resolves after the commit; a failure does not fail others.
 */
export function createWriteQueue(options: QueueOptions) {
  const { database, writerLock } = options;
  const openLog = createChangeLog(database);
  const waiting: QueuedJob[] = [];
  let running: Promise<void> | undefined;

  const runBatch = async () => {
    const jobs: QueuedJob[] = [];
    const join = () => {
      const joining = waiting.splice(0, joinableCount(waiting, jobs));
      jobs.push(...joining);
      return joining.length > 0;
    };
    await writerLock?.acquire();
    try {
      await database.onWriter((connection) => commitTogether(options, connection, { jobs, join, openLog }));
    } catch (error) {
      if (jobs.length === 0) join();
      for (const { reject } of jobs) reject(error);
    } finally {
      writerLock?.release();
    }
  };
  const run = async () => {
    while (waiting.length > 0) {
      // One tick: requests read in the same tick join the commit, and other work runs. An embedded database would
      // otherwise never yield.
      await nextTurn();
      await runBatch();
    }
    running = undefined;
  };
  const write = <T>(job: Job<T>, { dryRun = false, endsWithAdd = false }: WriteOptions = {}) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({
        job,
        isDryRun: dryRun,
        // A dry run must be undone, so the next job waits until it has ended.
        mayHandOver: endsWithAdd && !dryRun,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      running ??= run();
    });
  return {
    /** Resolves once durable. */
    write,
    /** For a job without a revision. */
    writeRows: <T>(job: (connection: Kysely<Schema>) => Promise<T>): Promise<T> =>
      write(({ connection, touch }) => {
        touch();
        return job(connection);
      }),
    /** For their transaction. */
    waiting: () => waiting.length,
    /** When nothing is under way. */
    async idle(): Promise<void> {
      while (running !== undefined) await running;
    },
  };
}

/** Only statistics on a database server bypass it. */
export type WriteQueue = ReturnType<typeof createWriteQueue>;
