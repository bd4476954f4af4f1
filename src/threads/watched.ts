import { createTimedWork } from '../shared/timed-work.ts';
import type { NumberedThread } from './thread-channel.ts';

/** How soon all threads notice a change. */
const everyMs = 1000;

/**
 * Calls back now, then every second, when the first thread reads for all. Rejects if it cannot be read now; later
 * failures change nothing. Returns how to end it. Values must be cloneable.
 */
export async function watchForAll<T>(
  { number, channel }: NumberedThread,
  topic: string,
  read: () => Promise<T>,
  onRead: (value: T) => void,
): Promise<() => Promise<void>> {
  // Before it reads: what arrives meanwhile is at most a second older.
  if (number > 0) channel.subscribe(topic, (value) => onRead(value as T));
  onRead(await read());
  if (number > 0) return async () => undefined;
  const look = async () => {
    const value = await read();
    onRead(value);
    channel.publish(topic, value);
  };
  const work = createTimedWork(everyMs, look);
  work.start();
  return work.close;
}
