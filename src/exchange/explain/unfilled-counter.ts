import type { UnfilledCounts } from '../../answers/object-health.ts';

export interface UnfilledCounter {
  note(object: string, names: readonly string[] | undefined, timeMs: number): void;
  /** Of this hour and the previous one; undefined without requests. */
  of(object: string, timeMs: number): UnfilledCounts | undefined;
}

interface HourOfObject {
  requests: number;
  /** Bounded: the names are those of our own tables. */
  readonly byName: Map<string, number>;
}

type Hour = Map<string, HourOfObject>;

const hourMs = 3_600_000;
/** Further objects in an hour are not counted. */
const objectsMax = 20_000;

function counted(hour: Hour, object: string): HourOfObject | undefined {
  const known = hour.get(object);
  if (known !== undefined || hour.size >= objectsMax) return known;
  const counts = { requests: 0, byName: new Map<string, number>() };
  hour.set(object, counts);
  return counts;
}

/** Remembers the last two hours. */
export function createUnfilledCounter(): UnfilledCounter {
  let hours: readonly [current: Hour, before: Hour] = [new Map(), new Map()];
  let currentHour = 0;
  const turn = (timeMs: number) => {
    const hour = Math.floor(timeMs / hourMs);
    if (hour <= currentHour) return;
    hours = [new Map(), hour === currentHour + 1 ? hours[0] : new Map()];
    currentHour = hour;
  };
  return {
    note(object, names, timeMs) {
      turn(timeMs);
      const counts = counted(hours[0], object);
      if (!counts) return;
      counts.requests += 1;
      for (const name of names ?? []) counts.byName.set(name, (counts.byName.get(name) ?? 0) + 1);
    },
    of(object, timeMs) {
      turn(timeMs);
      const known = hours.flatMap((hour) => hour.get(object) ?? []);
      if (known.length === 0) return undefined;
      const byName = Map.groupBy(
        known.flatMap((one) => [...one.byName]),
        ([name]) => name,
      );
      return {
        requests: known.reduce((sum, { requests }) => sum + requests, 0),
        byName: [...byName].map(([name, rows]) => [name, rows.reduce((sum, [, count]) => sum + count, 0)]),
      };
    },
  };
}
