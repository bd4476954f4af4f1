import type { Peers } from './peers.ts';

const topic = 'commit';

/** Threads on one file tell each other of their commits, so that none has to look. */
export function shareCommits(peers: Pick<Peers, 'tell' | 'on'>) {
  return {
    tell: () => peers.tell(topic, undefined),
    onTold: (listener: () => void) => peers.on(topic, listener),
  };
}
