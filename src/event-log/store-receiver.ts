import type { FaultLog } from '../fault-log.ts';
import { createEventConsumer } from '../statistics/consume-events.ts';
import { createForgetting, type RetentionDays } from '../statistics/forgetting.ts';
import type { Store } from '../store/interface.ts';
import type { EventReceiver } from './consume-log.ts';

export interface StoreReceiverOptions {
  readonly store: Pick<Store, 'statistics'>;
  readonly now: () => number;
  /** Who gets single events; absent if nobody wants them. */
  readonly leaveTo: string | undefined;
  /** `standardKeptDays` by default. */
  readonly keptDays?: RetentionDays | undefined;
  readonly onFailure: FaultLog;
}

/** Counts in the database, and deletes what is old there. */
export function storeReceiver(options: StoreReceiverOptions): EventReceiver {
  const { store, now, leaveTo, keptDays, onFailure } = options;
  const { statistics } = store;
  let setAside = 0;
  const forget = createForgetting({ store, now, ...(keptDays && { keptDays }) });
  const receive = createEventConsumer({
    statistics,
    now,
    leaveTo,
    onSetAside(error, record) {
      setAside += 1;
      onFailure(error, `the values of what was counted are not accepted; it is set aside: ${record}`);
    },
  });
  return {
    name: 'store',
    receive,
    noteShipped: statistics.noteShipped,
    setAside: () => setAside,
    async onRound() {
      try {
        await forget();
      } catch (error) {
        onFailure(error, 'old counts could not be deleted; this is tried again');
      }
    },
  };
}
