import { type Kysely, sql } from 'kysely';
import { Refusal } from '../fields/fault.ts';
import { createRevisions, type Revisions } from './change-log.ts';
import type { Database } from './database.ts';
import type { WriteOptions } from './interface.ts';
import type { Schema } from './schema.ts';
import type { WritersTurn } from './writers-turn.ts';

/** The connection of a transaction, and what a job tells of itself. */
export interface Desk {
  readonly connection: Kysely<Schema>;
  readonly revisions: Revisions;
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

async function runAll(connection: Kysely<Schema>, batch: readonly Waiting[]): Promise<Run> {
  const desk = { connection, revisions: createRevisions(connection) };
  const begun: Promise<End>[] = [];
  for (const waiting of batch) {
    const { end, next } = begin(desk, waiting);
    begun.push(end);
    if ((await next)?.mustUndo) break;
  }
  const ends = await Promise.all(begun);
  // Of several the first: where the database has refused one, it refuses whatever comes behind it.
  const first = ends.findIndex(({ mustUndo }) => mustUndo);
  const undo = batch[first];
  if (!undo) return { ends };
  ends[first]?.tell();
  return { undo };
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
    if ('undo' in run) await sql`rollback`.execute(connection);
    else
      await database.commit(
        connection,
        run.ends.some(({ stays }) => stays),
      );
    return run;
  } catch (error) {
    await sql`rollback`.execute(connection).catch(() => undefined);
    throw error;
  }
}

/** Commits a batch; a job that must be undone is left out, and the others run again without it. */
async function commitTogether(database: Database, connection: Kysely<Schema>, batch: readonly Waiting[]) {
  let rest = batch;
  while (rest.length > 0) {
    const run = await transact(database, connection, rest);
    if ('ends' in run) {
      for (const { tell } of run.ends) tell();
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

/**
 * Runs jobs one after the other, in transactions that hold the writers' lock. Jobs that wait at the same time
 * share one commit, and so one sync to disk; each resolves only when that is done, and fails alone.
 */
export function createWriteQueue(database: Database, turn?: WritersTurn) {
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  const runBatch = async () => {
    // First the turn: what comes while we wait for it joins the commit.
    await turn?.take();
    const batch = takeBatch(waiting);
    try {
      await database.onWriter((connection) => commitTogether(database, connection, batch));
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
    write<T>(job: Job<T>, { dryRun = false, endsWithAdd = false }: WriteOptions = {}): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        waiting.push({
          job,
          isDryRun: dryRun,
          mayHandOver: endsWithAdd,
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

export type WriteQueue = ReturnType<typeof createWriteQueue>;
