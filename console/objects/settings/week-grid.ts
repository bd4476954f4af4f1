import { hoursPerDay, hoursPerWeek, isWeekHours } from '../../../src/reference/week-hours.ts';

/** An hour of the week by its place in the grid: 0 = Monday, 0 = 00–01. */
export interface WeekHour {
  readonly day: number;
  readonly hour: number;
}

const daysPerWeek = hoursPerWeek / hoursPerDay;
const allOpen = '1'.repeat(hoursPerWeek);

/** The 168 digits of a field, also where it is empty. */
export const digitsOf = (value: unknown): string =>
  typeof value === 'string' && isWeekHours(value) ? value : allOpen;

/** As the field has it: open all week is empty. */
export const hoursOf = (digits: string): string => (digits.includes('0') ? digits : '');

export const isOpenAt = (digits: string, { day, hour }: WeekHour): boolean =>
  digits[day * hoursPerDay + hour] === '1';

const isBetween = (value: number, one: number, other: number): boolean =>
  value >= Math.min(one, other) && value <= Math.max(one, other);

/** Opens or closes the hours between two, on the days between them. */
export function painted(digits: string, from: WeekHour, to: WeekHour, isOpen: boolean): string {
  const digit = isOpen ? '1' : '0';
  return Array.from(digits, (before, place) => {
    const isDay = isBetween(Math.floor(place / hoursPerDay), from.day, to.day);
    return isDay && isBetween(place % hoursPerDay, from.hour, to.hour) ? digit : before;
  }).join('');
}

/** Closes what is between two if all of it is open, else opens it. */
export function toggled(digits: string, from: WeekHour, to: WeekHour = from): string {
  const opened = painted(digits, from, to, true);
  return opened === digits ? painted(digits, from, to, false) : opened;
}

export const wholeDay = (day: number) =>
  [
    { day, hour: 0 },
    { day, hour: hoursPerDay - 1 },
  ] as const;
export const wholeHour = (hour: number) =>
  [
    { day: 0, hour },
    { day: daysPerWeek - 1, hour },
  ] as const;

const weekOf = (isOpen: (at: WeekHour) => boolean): string =>
  hoursOf(
    Array.from(allOpen, (_, place) =>
      isOpen({ day: Math.floor(place / hoursPerDay), hour: place % hoursPerDay }) ? '1' : '0',
    ).join(''),
  );

const saturday = 5;

/** What people mostly choose, as the field has it. */
export const presets: Readonly<Record<string, string>> = {
  Always: '',
  'Weekdays 9–17': weekOf(({ day, hour }) => day < saturday && hour >= 9 && hour < 17),
  Evenings: weekOf(({ hour }) => hour >= 18 && hour < 23),
  Weekend: weekOf(({ day }) => day >= saturday),
};

const clamped = (value: number, most: number): number => Math.min(most, Math.max(0, value));

/** Where a key leads; undefined for a key that moves nothing. `isTall`: days stand side by side. */
export function movedBy(key: string, { day, hour }: WeekHour, isTall: boolean): WeekHour | undefined {
  const [back, forward] = isTall ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  const [before, after] = isTall ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  const to = (days: number, hours: number): WeekHour => ({
    day: clamped(day + days, daysPerWeek - 1),
    hour: clamped(hour + hours, hoursPerDay - 1),
  });
  if (key === back) return to(0, -1);
  if (key === forward) return to(0, 1);
  if (key === before) return to(-1, 0);
  if (key === after) return to(1, 0);
  if (key === 'Home') return to(0, -hoursPerDay);
  return key === 'End' ? to(0, hoursPerDay) : undefined;
}
