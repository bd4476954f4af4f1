import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createOwnerQueue } from '../exchange/crawl/owner-queue.ts';
import { createFetcher, type Fetcher } from '../exchange/demand/outbound/fetcher.ts';
import { siteOwnerOf } from '../exchange/reading/site-host.ts';
import { createWorker } from '../jobs/worker.ts';
import { partnerFetches } from '../reconciliation/reconcile.ts';
import type { TimedWork } from '../shared/timed-work.ts';
import type { Store } from '../store/interface.ts';

export interface ReconcilingStart {
  readonly config: Pick<Config, 'allowPrivateDemand'>;
  readonly store: Pick<Store, 'find' | 'jobs' | 'reconciliation' | 'revision'>;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

const answerBytesMax = 1024 * 1024;
const callsMax = 4;
/** Looking for objects without a plan reads all demand, so only after changes, and this often. */
const planEveryMs = 600_000;

/** One call at a time per owner of hosts. */
function inTurns({ fetch }: Pick<Fetcher, 'fetch'>): Fetcher['fetch'] {
  const inTurn = createOwnerQueue(callsMax);
  return (request, deadlineMs) => inTurn(siteOwnerOf(request.url), () => fetch(request, deadlineMs));
}

function createPlanning({ store, now }: ReconcilingStart) {
  let planned = { revision: -1, atMs: Number.NEGATIVE_INFINITY };
  return async (): Promise<void> => {
    // A clock may be set back.
    if (Math.abs(now() - planned.atMs) < planEveryMs) return;
    const revision = await store.revision();
    const isChanged = revision !== planned.revision;
    planned = { revision, atMs: now() };
    if (isChanged) await store.reconciliation.plan(now());
  };
}

/** Along with other processes that do the same. */
export function createReconciling(options: ReconcilingStart): TimedWork {
  const { config, store, now, logger } = options;
  const fetcher = createFetcher({
    allowPrivate: config.allowPrivateDemand,
    answerBytesMax,
    unpacksFiles: true,
  });
  const fetch = inTurns(fetcher);
  const onFault = (error: unknown) =>
    logger.warn({ err: error }, "a partner's statistics could not be stored");
  return createWorker([partnerFetches({ store, fetch, now, onFault })], {
    jobs: store.jobs,
    now,
    onFault,
    prepare: createPlanning(options),
    end: () => fetcher.close(),
  });
}
