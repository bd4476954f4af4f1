import type { Figures, Metrics } from '../management/metrics.ts';
import type { Peers } from './peers.ts';

const topic = 'figures';

/** Answers the figures of all threads, each thread's own; those of one that does not answer are left out. */
export function shareFigures(
  { figures }: Metrics,
  peers: Pick<Peers, 'ask' | 'onAsk'>,
): () => Promise<readonly Figures[]> {
  peers.onAsk(topic, figures);
  return async () => {
    const [own, others] = await Promise.all([figures(), peers.ask(topic)]);
    return [own, ...(others as Figures[])];
  };
}
