import { knownZone } from '../shared/zoned-time.ts';
import { hourOfDay, startOf } from '../statistics/asking/zones.ts';
import type { Values } from '../store/interface.ts';

/** Due on the first day of each. */
const steps: ReadonlyMap<unknown, 'Day' | 'Week' | 'Month'> = new Map([
  [1, 'Day'],
  [2, 'Week'],
  [3, 'Month'],
]);

export interface Schedule {
  /** Tells it from another schedule. */
  readonly text: string;
  /** At or before `nowMs`. */
  lastDue(nowMs: number): number;
}

/** Undefined if it has none. */
export function scheduleOf({ Schedule: code, ScheduleHour, TimeZone }: Values): Schedule | undefined {
  const step = steps.get(code);
  if (!step) return undefined;
  const hour = Number(ScheduleHour ?? 0);
  const zone = knownZone(String(TimeZone || 'UTC')) ?? 'UTC';
  const dueIn = (startMs: number) => hourOfDay(startMs, zone, hour);
  return {
    text: `${step} ${hour} ${zone}`,
    lastDue(nowMs) {
      const startMs = startOf(step, nowMs, zone);
      const dueMs = dueIn(startMs);
      return dueMs <= nowMs ? dueMs : dueIn(startOf(step, startMs - 1, zone));
    },
  };
}
