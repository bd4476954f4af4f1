import type { SharedCommits } from '../store/interface.ts';
import type { Peers } from './peers.ts';

const topic = 'commit';

/** Memory for the number of commits. */
export function commitsMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/**
 * Threads on one database file tell each other of their commits, so that none has to look for them. The number of
 * commits is raised before the writer gets its answer; listeners are called soon after.
 */
export function shareCommits(memory: SharedArrayBuffer, peers: Pick<Peers, 'tell' | 'on'>): SharedCommits {
  const count = new Int32Array(memory);
  return {
    announce() {
      Atomics.add(count, 0, 1);
      peers.tell(topic, undefined);
    },
    count: () => Atomics.load(count, 0),
    onAnnounced: (listener) => peers.on(topic, listener),
  };
}
