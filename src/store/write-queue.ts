import { type Kysely, sql } from 'kysely';
import { Refusal } from '../fields/fault.ts';
import { createRevisions } from './change-log.ts';
import type { Database } from './database.ts';
import type { WriteOptions } from './interface.ts';
import type { Schema } from './schema.ts';
import type { WritersTurn } from './writers-turn.ts';

/** The connection of a transaction, and what a job tells of itself. */
export interface Desk {
  readonly connection: Kysely<Schema>;
  /** To be called before the first write: from then on a rejection undoes what was written. */
  readonly touch: () => void;
  /** Takes that many revisions for changes, and answers the first of them. */
  readonly takeRevisions: (count: number) => Promise<number>;
}

/** Work that writes. It may run more than once, but only its last run counts. */
type Job<T> = (desk: Desk) => Promise<T>;

interface Waiting {
  readonly job: Job<unknown>;
  readonly isDryRun: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

const jobsPerCommitMax = 256;

/** How a run of some jobs in one transaction went. */
type Run =
  | { readonly answers: readonly (() => void)[] }
  /** This job has written what must not stay, so that the transaction must be undone. */
  | { readonly undo: Waiting };

/** Runs one job. A refusal before any write leaves nothing to undo, and the transaction goes on without it. */
async function attempt(desk: Omit<Desk, 'touch'>, { job, isDryRun, resolve, reject }: Waiting) {
  let isTouched = false;
  const touch = () => {
    isTouched = true;
  };
  try {
    const value = await job({ ...desk, touch });
    if (!isDryRun) return { mustUndo: false, answer: () => resolve(value) };
    resolve(value);
    return { mustUndo: isTouched, answer: undefined };
  } catch (error) {
    reject(error);
    return { mustUndo: isTouched || !(error instanceof Refusal), answer: undefined };
  }
}

async function runAll(connection: Kysely<Schema>, batch: readonly Waiting[]): Promise<Run> {
  const desk = { connection, takeRevisions: createRevisions(connection) };
  const answers: (() => void)[] = [];
  for (const waiting of batch) {
    const { mustUndo, answer } = await attempt(desk, waiting);
    if (mustUndo) return { undo: waiting };
    if (answer) answers.push(answer);
  }
  return { answers };
}

/** One transaction: all jobs of the batch that are to stay, or nothing. */
async function transact(
  database: Database,
  connection: Kysely<Schema>,
  batch: readonly Waiting[],
): Promise<Run> {
  await database.begin(connection);
  try {
    const run = await runAll(connection, batch);
    if ('answers' in run && run.answers.length > 0) await database.announce(connection);
    await ('undo' in run ? sql`rollback` : sql`commit`).execute(connection);
    return run;
  } catch (error) {
    await sql`rollback`.execute(connection).catch(() => undefined);
    throw error;
  }
}

/** Commits a batch; a job that must be undone is left out, and the others run again without it. */
async function commitTogether(
  { database, committed }: QueueOptions,
  connection: Kysely<Schema>,
  batch: readonly Waiting[],
) {
  let rest = batch;
  while (rest.length > 0) {
    const run = await transact(database, connection, rest);
    if ('answers' in run) {
      for (const answer of run.answers) answer();
      if (run.answers.length > 0) committed();
      return;
    }
    rest = rest.filter((waiting) => waiting !== run.undo);
  }
}

/** The first jobs of a queue that can share a commit: a dry run shares with nobody. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  const dry = waiting.findIndex(({ isDryRun }) => isDryRun);
  const size = dry === -1 ? jobsPerCommitMax : Math.max(1, Math.min(dry, jobsPerCommitMax));
  return waiting.splice(0, size);
}

/** What a write queue works with. */
export interface QueueOptions {
  readonly database: Database;
  /** Where several threads of this process write to one file. */
  readonly turn?: WritersTurn | undefined;
  /** Called after each commit. */
  readonly committed: () => void;
}

/**
 * Runs jobs one after the other, in transactions that hold the writers' lock. Jobs that wait at the same time
 * share one commit, and so one sync to disk; each resolves only when that is done, and fails alone.
 */
export function createWriteQueue(options: QueueOptions) {
  const { database, turn } = options;
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  const runBatch = async () => {
    // First the turn: what comes while we wait for it joins the commit.
    await turn?.take();
    const batch = takeBatch(waiting);
    try {
      await database.writer.connection().execute((connection) => commitTogether(options, connection, batch));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      turn?.giveBack();
    }
  };
  const run = async () => {
    // One turn of the event loop first, so that requests read in the same turn join the commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await runBatch();
    running = undefined;
  };
  return {
    /** Resolves with the job's result once it is durable. */
    write<T>(job: Job<T>, { dryRun: isDryRun = false }: WriteOptions = {}): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        waiting.push({ job, isDryRun, resolve: resolve as (value: unknown) => void, reject });
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

export type WriteQueue = ReturnType<typeof createWriteQueue>;
