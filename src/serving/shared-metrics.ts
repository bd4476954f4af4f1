import type { Metrics, ThreadMetrics } from '../management/service/metrics.ts';
import type { ThreadChannel } from './thread-channel.ts';

const topic = 'metrics';

/** Gives the metrics of all threads, one entry a thread; a thread that does not answer is left out. */
export function shareMetrics(
  { ofThread }: Metrics,
  channel: Pick<ThreadChannel, 'request' | 'respond'>,
): () => Promise<readonly ThreadMetrics[]> {
  channel.respond(topic, ofThread);
  return async () => {
    const [own, others] = await Promise.all([ofThread(), channel.request(topic)]);
    return [own, ...(others as ThreadMetrics[])];
  };
}
