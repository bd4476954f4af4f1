import { createEventConsumer } from '../statistics/consume-events.ts';
import type { FactRecorder } from '../statistics/fact-recorder.ts';
import type { Store } from '../store/interface.ts';
import type { FaultLog } from './fault-log.ts';
import type { EventReceiver } from './kept-events.ts';

export interface StoreReceiverOptions {
  readonly store: Pick<Store, 'statistics'>;
  readonly now: () => number;
  /** Absent if nobody wants single events. */
  readonly facts: FactRecorder | undefined;
}

export function storeReceiver({ store, now, facts }: StoreReceiverOptions) {
  return (onFailure: FaultLog): EventReceiver => {
    const { statistics } = store;
    let setAside = 0;
    const receive = createEventConsumer({
      statistics,
      now,
      facts,
      onSetAside(error, record) {
        setAside += 1;
        onFailure(error, `the values of an event are not accepted; it is set aside: ${record}`);
      },
    });
    return { name: 'store', receive, noteShipped: statistics.noteShipped, setAside: () => setAside };
  };
}
