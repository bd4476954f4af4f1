import type { PeriodName } from '../../reference/periods.ts';
import { hourMs } from '../days.ts';
import { before, startOf } from './zones.ts';

export type Times = readonly [fromMs: number, untilMs: number];

/** From `before` days ago. */
const days =
  (back: number, count: number) =>
  (nowMs: number, zone: string): Times => {
    const today = startOf('Day', nowMs, zone);
    const day = (ago: number) => startOf('Day', before(today, zone, { days: ago }), zone);
    return [day(back), day(back - count)];
  };

/** Up to the end of today, or the whole previous one. */
const present =
  (unit: 'Week' | 'Month') =>
  (nowMs: number, zone: string): Times => [startOf(unit, nowMs, zone), days(0, 1)(nowMs, zone)[1]];
const last =
  (unit: 'Week' | 'Month') =>
  (nowMs: number, zone: string): Times => {
    const untilMs = startOf(unit, nowMs, zone);
    return [startOf(unit, untilMs - 1, zone), untilMs];
  };

const times: Readonly<Record<PeriodName, (nowMs: number, zone: string) => Times>> = {
  Today: days(0, 1),
  Yesterday: days(1, 1),
  // Hours of UTC, because most cubes have nothing shorter.
  Last24Hours: (nowMs) => {
    const untilMs = Math.floor(nowMs / hourMs) * hourMs;
    return [untilMs - 24 * hourMs, untilMs];
  },
  Last7Days: days(6, 7),
  Last30Days: days(29, 30),
  ThisWeek: present('Week'),
  LastWeek: last('Week'),
  ThisMonth: present('Month'),
  LastMonth: last('Month'),
};

export const periodTimes = (period: PeriodName, nowMs: number, zone: string): Times =>
  times[period](nowMs, zone);
