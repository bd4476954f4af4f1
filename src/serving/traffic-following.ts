import type { Exchange } from '../exchange/exchange.ts';
import type { Planned } from '../exchange/snapshot/planned.ts';
import { lacksFlight } from '../shared/delivery-plan.ts';
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

/**
 * Plans follow the traffic of the week before, and flights what was used before them: of new objects and flights soon,
 * of all every ten minutes.
 */
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
      const used = await usedBefore(kind, part);
      for (const object of part) object.follow({ shape: shapes.get(object.id), used: used(object) });
    }
  };
  /** In the present flight of each. */
  const usedBefore = async (kind: string, objects: readonly Planned[]) => {
    const startOf = ({ plan }: Planned) => plan?.flightAt(now())?.startMs;
    const times = objects.flatMap((object) => {
      const beforeMs = startOf(object);
      return beforeMs === undefined ? [] : [{ id: object.id, beforeMs }];
    });
    const found = new Map((await statistics.usedBefore(kind, times)).map((one) => [one.id, one]));
    const starts = new Map(times.map(({ id, beforeMs }) => [id, beforeMs]));
    return ({ id }: Planned) => {
      const beforeMs = starts.get(id);
      const { impressions = 0, totalNanos: nanos = 0 } = found.get(id) ?? {};
      return beforeMs === undefined ? undefined : { beforeMs, impressions, nanos };
    };
  };
  const work = createTimedWork(lookEveryMs, async () => {
    const isDue = now() - allMs >= readEveryMs;
    if (isDue) allMs = now();
    const isSpread = ({ limits }: Planned) => limits.pacing > 0 || limits.flights > 0;
    const isNew = ({ traffic, plan }: Planned) => !traffic || lacksFlight(traffic, plan?.flightAt(now()));
    const due = [...planned()].filter(
      (object) => object.isActive && isSpread(object) && (isDue || isNew(object)),
    );
    for (const [kind, objects] of Map.groupBy(due, (object) => object.kind)) await read(kind, objects);
  });
  work.start();
  return work;
}
