import { createEventConsumer } from '../statistics/consume-events.ts';
import type { FactRecorder } from '../statistics/fact-recorder.ts';
import type { Store } from '../store/interface.ts';
import type { FaultLog } from './fault-log.ts';
import type { EventReceiver } from './kept-events.ts';

/** What the database takes events with. */
export interface StoreReceiverOptions {
  readonly store: Pick<Store, 'statistics'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What keeps events singly, where somebody wants them. */
  readonly facts: FactRecorder | undefined;
}

/** Has the database take what the outbox holds. */
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
        onFailure(error, `an event is refused for its values; it is set aside: ${record}`);
      },
    });
    return { name: 'store', receive, noteShipped: statistics.noteShipped, setAside: () => setAside };
  };
}
