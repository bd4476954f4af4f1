import type { Exchange } from '../exchange/exchange.ts';
import type { Planned } from '../exchange/snapshot/planned.ts';
import { createTimedWork, type TimedWork } from '../shared/timed-work.ts';
import { weekShapes } from '../statistics/week-shapes.ts';
import type { Store } from '../store/interface.ts';

export interface TrafficFollowingOptions {
  readonly store: Pick<Store, 'statistics'>;
  readonly planned: Exchange['planned'];
  readonly now: () => number;
}

const lookEveryMs = 5000;
/** How old what is known of traffic may be. */
const readEveryMs = 600_000;
/** Read with one statement. */
const objectsMax = 500;

/** Plans follow the traffic of the week before: of new objects soon, of all every ten minutes. */
export function startTrafficFollowing({
  store: { statistics },
  planned,
  now,
}: TrafficFollowingOptions): TimedWork {
  let allMs = Number.NEGATIVE_INFINITY;
  const read = async (kind: string, objects: readonly Planned[]) => {
    for (let from = 0; from < objects.length; from += objectsMax) {
      const part = objects.slice(from, from + objectsMax);
      const ids = part.map(({ id }) => id);
      const shapes = await weekShapes(statistics, kind, ids, now());
      for (const object of part) object.follow({ shape: shapes.get(object.id) });
    }
  };
  const work = createTimedWork(lookEveryMs, async () => {
    const isDue = now() - allMs >= readEveryMs;
    if (isDue) allMs = now();
    const due = [...planned()].filter(({ isActive, traffic }) => isActive && (isDue || !traffic));
    for (const [kind, objects] of Map.groupBy(due, (object) => object.kind)) await read(kind, objects);
  });
  work.start();
  return work;
}
