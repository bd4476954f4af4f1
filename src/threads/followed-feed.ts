import type { ConfigurationFeed } from '../exchange/configuration.ts';
import type { NumberedThread } from './thread-channel.ts';

const topic = 'last revision';
/** After this silence of the first thread, which asks every second, another one asks by itself. */
const silenceMsMax = 3000;

/** The first thread asks for all, others only after a commit or a silence. `nowMs` never goes back. */
export function followForAll(
  feed: ConfigurationFeed,
  { number, threadsMax, channel }: NumberedThread & { readonly threadsMax: number },
  nowMs: () => number = () => performance.now(),
): ConfigurationFeed {
  if (threadsMax === 1) return feed;
  if (number === 0) {
    const revision = async () => {
      const last = await feed.revision();
      channel.publish(topic, last);
      return last;
    };
    return { ...feed, revision };
  }
  let known = 0;
  let heardMs = Number.NEGATIVE_INFINITY;
  let isNews = true;
  channel.subscribe(topic, (last) => {
    known = Math.max(known, last as number);
    heardMs = nowMs();
  });
  feed.onChange(() => {
    isNews = true;
  });
  return {
    ...feed,
    async revision() {
      if (!isNews && nowMs() - heardMs < silenceMsMax) return known;
      isNews = false;
      try {
        known = Math.max(known, await feed.revision());
      } catch (error) {
        isNews = true;
        throw error;
      }
      return known;
    },
  };
}
