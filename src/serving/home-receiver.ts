import type { HomeClient } from '../edge/home-client.ts';
import type { EventReceiver } from '../event-log/consume-log.ts';
import { packShipment } from '../management/edge/shipment.ts';

/** A home reads them within some milliseconds. */
const bytesMax = 1024 * 1024;

export function homeReceiver(client: Pick<HomeClient, 'ship'>): EventReceiver {
  return {
    name: 'home',
    bytesMax,
    async receive({ source, records, places }) {
      const last = places.at(-1) ?? 0;
      const taken = await client.ship(await packShipment({ sent: { source, records, places } }));
      if (taken < last)
        throw new Error(`the home has accepted records up to ${taken}, but not up to ${last}`);
    },
    async noteShipped({ notedMs: _, ...shipped }) {
      await client.ship(
        await packShipment({ shipped: { ...shipped, untilMs: Math.floor(shipped.untilMs) } }),
      );
    },
    // The home's log has them.
    setAside: () => 0,
  };
}
