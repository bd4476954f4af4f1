import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createTurns } from '../exchange/crawl/turns.ts';
import { createFetcher, type Fetcher } from '../exchange/demand/outbound/fetcher.ts';
import { siteOwnerOf } from '../exchange/reading/site-host.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import type { Store } from '../store/interface.ts';

/** What reconciling is started with. */
export interface ReconcilingStart {
  readonly config: Pick<Config, 'allowPrivateDemand'>;
  readonly store: Pick<Store, 'reconciliation' | 'revision'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Fetches partners' statistics when they are due. */
export interface Reconciling {
  /** Fetches what is due now; of calls at a time, the first does it. Never rejects. */
  run(): Promise<void>;
  /** Begins to do so by itself, every quarter of a minute. */
  start(): void;
  /** Resolves when what is under way has ended, or was given up after some seconds: another process has it then. */
  close(): Promise<void>;
}

const everyMs = 15_000;
const closeMs = 5_000;
const answerBytesMax = 1024 * 1024;
const callsMax = 4;
/** Looking for objects without a plan reads all demand: only after changes, and so often. */
const planEveryMs = 600_000;

/** Calls that are made one after the other where they lead to the same owner. */
function inTurns({ fetch }: Pick<Fetcher, 'fetch'>): Fetcher['fetch'] {
  const inTurn = createTurns(callsMax);
  return (request, deadlineMs) => inTurn(siteOwnerOf(request.url), () => fetch(request, deadlineMs));
}

/** Whether to look for objects without a plan. */
function createPlanning({ store, now }: ReconcilingStart) {
  let planned = { revision: -1, atMs: Number.NEGATIVE_INFINITY };
  return async (): Promise<boolean> => {
    // A clock may be set back.
    if (Math.abs(now() - planned.atMs) < planEveryMs) return false;
    const revision = await store.revision();
    const isChanged = revision !== planned.revision;
    planned = { revision, atMs: now() };
    return isChanged;
  };
}

/** Fetches partners' statistics, beside other processes that do the same. */
export function createReconciling(options: ReconcilingStart): Reconciling {
  const { config, store, now, logger } = options;
  const fetcher = createFetcher({ allowPrivate: config.allowPrivateDemand, answerBytesMax });
  const fetch = inTurns(fetcher);
  const plansNow = createPlanning(options);
  const closing = new AbortController();
  const onFault = (error: unknown) => logger.warn({ err: error }, "a partner's statistics could not be kept");
  let underWay: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const fetchDue = async () => {
    try {
      const plans = await plansNow();
      await reconcile({
        ...{ store: store.reconciliation, fetch, now, plans, onFault, signal: closing.signal },
      });
    } catch (error) {
      onFault(error);
    }
  };
  const run = () => {
    underWay ??= fetchDue().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  return {
    run,
    start() {
      timer = setInterval(run, everyMs).unref();
    },
    async close() {
      clearInterval(timer);
      closing.abort();
      const isLate = new AbortController();
      const late = delay(closeMs, undefined, { signal: isLate.signal }).catch(() => undefined);
      await Promise.race([Promise.all([underWay, fetcher.close()]), late]);
      isLate.abort();
    },
  };
}
