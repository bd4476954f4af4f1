import type { Metrics, ThreadMetrics } from '../management/service/metrics.ts';
import type { ThreadChannel } from '../threads/thread-channel.ts';

const topic = 'metrics';

/** One entry per thread; threads that do not answer are left out. */
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
