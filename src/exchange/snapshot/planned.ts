import type { KnownTraffic } from '../../shared/delivery-plan.ts';
import type { Limited } from './limited.ts';

/** An object whose limits may be spread over time, or have days of their own. */
export interface Planned extends Limited {
  readonly isActive: boolean;
  /** As last told, also to the object before a change. */
  readonly traffic: KnownTraffic | undefined;
  /** Spreads what is planned as its traffic was. */
  follow(traffic: KnownTraffic | undefined): void;
}

/** By kind and ID. */
export type PlannedObjects = ReadonlyMap<string, Planned>;

/** A copy only if one of these is planned, or was; the limits of an object say so. */
export function plannedAfter(before: PlannedObjects, changed: Iterable<Planned>): PlannedObjects {
  let after: Map<string, Planned> | undefined;
  for (const object of changed) {
    const key = `${object.kind}:${object.id}`;
    const { pacing, flights, zoned } = object.limits;
    const isPlanned = pacing > 0 || flights > 0 || zoned > 0;
    if (!isPlanned && !before.has(key)) continue;
    after ??= new Map(before);
    if (isPlanned) after.set(key, object);
    else after.delete(key);
  }
  return after ?? before;
}
