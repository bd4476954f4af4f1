import type { ThreadGroup } from './thread-group.ts';

/** How soon all threads notice a change. */
const everyMs = 1000;

/**
 * Tells a thread what is read: now, and then every second, when the first thread reads it for all. Rejects if it cannot
 * be read now; later failures change nothing. Answers what ends it. What is read must be cloneable.
 */
export async function watchForAll<T>(
  { number, channel }: Pick<ThreadGroup, 'number' | 'channel'>,
  topic: string,
  read: () => Promise<T>,
  onRead: (value: T) => void,
): Promise<() => void> {
  // Before it reads: what it is told meanwhile is older at most by a second.
  if (number > 0) channel.subscribe(topic, (value) => onRead(value as T));
  onRead(await read());
  if (number > 0) return () => undefined;
  const look = async () => {
    const value = await read();
    onRead(value);
    channel.publish(topic, value);
  };
  const timer = setInterval(() => look().catch(() => undefined), everyMs).unref();
  return () => clearInterval(timer);
}
