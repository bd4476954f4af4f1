import type { SharedCommits } from '../store/interface.ts';
import type { ThreadChannel } from './thread-channel.ts';

const topic = 'commit';

export function commitsMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** The count rises before the writer is answered. */
export function shareCommits(
  memory: SharedArrayBuffer,
  channel: Pick<ThreadChannel, 'publish' | 'subscribe'>,
  number: number,
): SharedCommits {
  const count = new Int32Array(memory);
  return {
    isFirst: number === 0,
    announce() {
      Atomics.add(count, 0, 1);
      channel.publish(topic, undefined);
    },
    count: () => Atomics.load(count, 0),
    onAnnounced: (listener) => channel.subscribe(topic, listener),
  };
}
