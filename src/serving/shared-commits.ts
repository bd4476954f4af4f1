import type { Neighbours } from '../store/commit-news.ts';
import type { Peers } from './peers.ts';

const topic = 'commit';

/** Memory for the number of commits. */
export function commitsMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** Threads on one database file tell each other of commits: the count rises before the writer is answered. */
export function shareCommits(
  memory: SharedArrayBuffer,
  peers: Pick<Peers, 'publish' | 'subscribe'>,
): Neighbours {
  const count = new Int32Array(memory);
  return {
    tell() {
      Atomics.add(count, 0, 1);
      peers.publish(topic, undefined);
    },
    commits: () => Atomics.load(count, 0),
    onTold: (listener) => peers.subscribe(topic, listener),
  };
}
