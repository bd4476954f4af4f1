import type { ConfigurationFeed } from '../exchange/configuration.ts';
import { Refusal } from '../fields/fault.ts';
import type { EdgeHome } from '../management/edge/edge-home.ts';
import type { ConfigurationCopy, HomeState } from './configuration-copy.ts';
import type { HomeClient } from './home-client.ts';

export interface EdgeAsHomeOptions {
  readonly kept: ConfigurationCopy;
  readonly onChange: ConfigurationFeed['onChange'];
  readonly client: Pick<HomeClient, 'user' | 'ship'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** An edge as the home of further edges: it reports what it knows, and how old that is. */
export function createEdgeAsHome({ kept, onChange, client, now }: EdgeAsHomeOptions): EdgeHome {
  const passedOn = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const text = `The home of this edge has not answered: ${reason}`;
      throw new Refusal('unavailable', text, { retryAfterSeconds: 5 });
    }
  };
  const known = (): HomeState => {
    const found = kept.known();
    if (found) return found;
    throw new Refusal('unavailable', 'This edge has no configuration yet', { retryAfterSeconds: 1 });
  };
  return {
    id: async () => known().home,
    feed: { ...kept.feed, onChange },
    changesFrom: () => known().firstRevision,
    text: kept.text,
    sharedState: async () => kept.sharedState(),
    ageMs: () => Math.max(0, now() - known().asOfMs),
    user: (id) => passedOn(() => client.user(id)),
    // The home with the database takes it and answers; until then the further edge keeps it.
    take: (shipment) => passedOn(() => client.ship(shipment)),
  };
}
