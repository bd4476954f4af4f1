import type { ConfigurationFeed } from '../exchange/configuration.ts';
import type { ThreadGroup } from './thread-group.ts';

const topic = 'last revision';
/** After so long without a word of the first thread, which asks every second, another one asks by itself. */
const silenceMsMax = 3000;

/**
 * A database server's feed, of which the first thread asks for the last revision for all. Other threads ask by
 * themselves when they hear of a commit, since only then there is something to read, or where they hear nothing of the
 * first. `nowMs` never goes back.
 */
export function followForAll(
  feed: ConfigurationFeed,
  { number, threadsMax, channel }: Pick<ThreadGroup, 'number' | 'threadsMax' | 'channel'>,
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
