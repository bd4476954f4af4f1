import type { ConfigurationCopy } from '../edge/configuration-copy.ts';
import type { HomeClient } from '../edge/home-client.ts';
import { defaultTeamSettings } from '../entities/team-settings.ts';
import type { ConfigurationFeed } from '../exchange/configuration.ts';
import type { ThreadChannel } from '../threads/thread-channel.ts';
import type { DeliverySource } from './delivery.ts';

const topic = 'edge has news';

/** The first thread tells the others of a new copy. */
export function shareNews(channel: Pick<ThreadChannel, 'publish' | 'subscribe'>) {
  const listeners = new Set<() => void>();
  const ring = () => {
    for (const listener of listeners) listener();
  };
  channel.subscribe(topic, ring);
  const onChange: ConfigurationFeed['onChange'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    onChange,
    tell() {
      ring();
      channel.publish(topic, undefined);
    },
  };
}

export function createEdgeSource(
  copy: ConfigurationCopy,
  {
    onChange,
    client,
  }: Pick<ReturnType<typeof shareNews>, 'onChange'> & { readonly client: Pick<HomeClient, 'user'> },
): DeliverySource & { isMockDsp(url: string): boolean } {
  return {
    feed: { ...copy.feed, onChange },
    trackerKeys: async () =>
      copy.sharedState().trackerKeys.map((key) => ({ ...key, secret: Buffer.from(key.secret, 'base64') })),
    identity: {
      user: client.user,
      allTeamSettings: async () =>
        new Map(
          copy
            .sharedState()
            .teamSettings.map(
              ([teamId, settings]) => [teamId, { ...defaultTeamSettings, ...settings }] as const,
            ),
        ),
    },
    isMockDsp: (url) => copy.sharedState().demonstrations.some((one) => url.startsWith(one)),
  };
}

/** Read once in a while. */
export function createAge(copy: Pick<ConfigurationCopy, 'known'>, now: () => number) {
  let [asOfMs, readMs] = [0, Number.NEGATIVE_INFINITY];
  return (): number => {
    const nowMs = performance.now();
    if (nowMs - readMs >= readEveryMs) {
      readMs = nowMs;
      asOfMs = copy.known()?.asOfMs ?? 0;
    }
    return Math.max(0, now() - asOfMs);
  };
}

const readEveryMs = 1000;
