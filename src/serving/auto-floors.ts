import type { Logger } from 'pino';
import { createWorker, periodic } from '../jobs/worker.ts';
import type { TimedWork } from '../shared/timed-work.ts';
import { type AutoFloorContext, type RuleKey, renewFloor } from '../statistics/auto-floors.ts';
import { hourMs } from '../statistics/days.ts';
import type { Store } from '../store/interface.ts';

export interface AutoFloorsStart extends Pick<AutoFloorContext, 'now'> {
  readonly store: AutoFloorContext['store'] & Pick<Store, 'jobs'>;
  readonly exchange: Pick<AutoFloorContext, 'usdPerUnit'> & {
    /** Of all teams, those that set their floor by the evidence. */
    autoFloorRules(): readonly RuleKey[];
  };
  readonly logger: Pick<Logger, 'warn'>;
}

/** After a full hour, by when all threads have written what they have sampled in it. */
const afterHourMs = 90_000;

/** Once an hour, in one of the processes. */
export function createAutoFloors({ store, exchange, now, logger }: AutoFloorsStart): TimedWork {
  const { usdPerUnit } = exchange;
  const renew = periodic({ now }, 'AutoFloors', async (signal) => {
    for (const rule of exchange.autoFloorRules()) {
      if (signal.aborted) break;
      await renewFloor({ store, now, usdPerUnit }, rule).catch((error: unknown) =>
        logger.warn({ err: error, rule }, 'the floor of a rule could not be renewed; it stays as it is'),
      );
    }
    return hourMs - (now() % hourMs) + afterHourMs;
  });
  return createWorker([renew], {
    jobs: store.jobs,
    now,
    onFault: (error) => logger.warn({ err: error }, 'floors could not be renewed; they will be later'),
  });
}
