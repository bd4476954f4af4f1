import { randomUUID } from 'node:crypto';
import { createTimedWork, type TimedWork } from '../shared/timed-work.ts';
import type { ClaimRules, Job, JobStore, NextRun } from '../store/jobs/interface.ts';

const [everyMs, minuteMs] = [15_000, 60_000];

export interface JobKind extends ClaimRules {
  /** Under way at a time in this process, so that one that waits holds up few. */
  readonly lanes: number;
  /** Resolves with when it runs again, or undefined if it has settled the job. Once aborted, it begins nothing more. */
  readonly run: (job: Job, signal: AbortSignal) => Promise<NextRun | undefined>;
}

/** A task whose `run` resolves with how long it rests. */
export const periodic = (
  { now }: Pick<WorkerOptions, 'now'>,
  name: string,
  run: (signal: AbortSignal) => Promise<number>,
): JobKind => ({
  name,
  lanes: 1,
  claimMs: 150_000,
  isPeriodic: true,
  run: async (_, signal) => ({ runMs: (await run(signal)) + now(), keepsClaim: true }),
});

export interface WorkerOptions {
  readonly jobs: JobStore;
  readonly now: () => number;
  /** For errors that should not happen; the job is tried again, ever later. */
  readonly onFault: (error: unknown) => void;
  /** Before each look for due jobs. */
  readonly prepare?: () => Promise<unknown>;
  readonly end?: () => Promise<unknown>;
}

/**
 * Runs due jobs, along with other processes that do the same: each is claimed by one at a time. If that one dies,
 * another takes over when the claim has ended.
 */
export function createWorker(kinds: readonly JobKind[], options: WorkerOptions): TimedWork {
  const { jobs, now, onFault, prepare, end } = options;
  const by = randomUUID();
  const tasks = kinds.filter(({ isPeriodic }) => isPeriodic).map(({ name }) => name);
  const missing = new Set(tasks);
  const lane = async (kind: JobKind, signal: AbortSignal) => {
    while (!signal.aborted) {
      const job = await jobs.claim(kind, by, now());
      if (!job) return;
      const next = await kind.run(job, signal).catch((error: unknown): NextRun => {
        onFault(error);
        const waitMs = minuteMs * Math.min(2 ** job.attempts, kind.isPeriodic ? 1 : 60);
        return { runMs: now() + waitMs, attempts: job.attempts + 1 };
      });
      if (next) await jobs.settle(job, next);
    }
  };
  const work = async (signal: AbortSignal) => {
    await prepare?.();
    for (const kind of missing) {
      await jobs.add({ kind, key: '', runMs: now() });
      missing.delete(kind);
    }
    const lanes = kinds.flatMap((kind) =>
      Array.from({ length: kind.lanes }, () => lane(kind, signal).catch(onFault)),
    );
    await Promise.all(lanes);
  };
  const release = () =>
    Promise.all([end?.(), ...tasks.map((kind) => jobs.release(kind, by).catch(() => undefined))]);
  return createTimedWork(everyMs, work, { onFailure: onFault, end: release });
}
