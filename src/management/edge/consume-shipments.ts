import { limitedKindNames } from '../../entities/kinds.ts';
import type { ConfigurationFeed } from '../../exchange/configuration.ts';
import { createRecentCache } from '../../shared/recent-cache.ts';
import { createEventConsumer, type EventConsumerOptions } from '../../statistics/consume-events.ts';
import type { EventRecord } from '../../statistics/event-records.ts';
import type { ObjectKey, StatisticsStore } from '../../store/statistics/interface.ts';
import { readShipment } from './shipment.ts';

export interface ShipmentOptions extends Omit<EventConsumerOptions, 'statistics' | 'assertKnown'> {
  readonly statistics: Pick<StatisticsStore, 'add' | 'takenUntil' | 'noteShipped'>;
  readonly feed: Pick<ConfigurationFeed, 'objects'>;
}

/** Returns up to which place its records are taken. */
export type ConsumeShipment = (body: Buffer) => Promise<number>;

const knownMax = 1_000_000;
const objectKeyText = ({ kind, id }: ObjectKey) => `${kind}:${id}`;
const kinds: ReadonlySet<string> = new Set(limitedKindNames);

function objectsOf(recorded: EventRecord): readonly ObjectKey[] {
  const isKey = (one: ObjectKey | undefined) => one !== undefined;
  if (recorded.kind === 'event') {
    const { pair, atAddress, atViewers = [] } = recorded.event;
    const counted = [...(atAddress?.objects ?? []), ...atViewers.flatMap(({ objects }) => objects)];
    return [pair.supply, pair.demand, pair.deal, ...counted].filter(isKey);
  }
  const { pairs, addresses, traffic } = recorded.lot;
  return [...pairs, ...traffic]
    .flatMap(({ supply, demand }) => [supply, demand])
    .concat(addresses)
    .filter(isKey);
}

/** An edge must not count for other objects, whatever is wrong with it. */
function createObjectCheck(feed: ShipmentOptions['feed']): NonNullable<EventConsumerOptions['assertKnown']> {
  const known = createRecentCache<string, true>(knownMax);
  const isKnown = (object: ObjectKey) => known.get(objectKeyText(object)) === true;
  return async (all) => {
    const asked = all.flatMap(objectsOf).filter((object) => !isKnown(object) && kinds.has(object.kind));
    for (const [kind, objects] of Map.groupBy(asked, (object) => object.kind)) {
      const ids = [...new Set(objects.map(({ id }) => id))];
      for await (const page of feed.objects(kind, ids))
        for (const { id } of page) known.set(objectKeyText({ kind, id }), true);
    }
    return (recorded) => {
      const unknown = objectsOf(recorded).find((object) => !isKnown(object));
      if (unknown) throw new TypeError(`there is no ${objectKeyText(unknown)}`);
    };
  };
}

/** Each record once, however often it comes. */
export function createShipmentConsumer({ feed, statistics, ...options }: ShipmentOptions): ConsumeShipment {
  const take = createEventConsumer({ ...options, statistics, assertKnown: createObjectCheck(feed) });
  return async (body) => {
    const { sent, shipped } = await readShipment(body);
    if (sent) await take(sent);
    // After what it is about.
    if (shipped) await statistics.noteShipped({ ...shipped, notedMs: options.now() });
    return sent?.places.at(-1) ?? 0;
  };
}
