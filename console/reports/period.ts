import { ownMember } from '../../src/reference/own-member.ts';

const dayMs = 86_400_000;

/** A day (`2027-01-31`) so many days after another. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toJSON().slice(0, 10);

const days = new Map<string, Intl.DateTimeFormat>();

export function todayIn(zone: string, nowMs = Date.now()): string {
  const format = days.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  days.set(zone, format);
  return format.format(nowMs);
}

const weekday = (day: string) => (new Date(day).getUTCDay() + 6) % 7;
const monthStart = (day: string) => `${day.slice(0, 7)}-01`;

type Days = readonly [from: string, to: string];

/** The days of periods that begin and end with one, by today. */
const daysByPeriod: Readonly<Record<string, (today: string) => Days>> = {
  Today: (today) => [today, today],
  Yesterday: (today) => [dayAfter(today, -1), dayAfter(today, -1)],
  Last7Days: (today) => [dayAfter(today, -6), today],
  Last30Days: (today) => [dayAfter(today, -29), today],
  ThisWeek: (today) => [dayAfter(today, -weekday(today)), today],
  LastWeek: (today) => [dayAfter(today, -weekday(today) - 7), dayAfter(today, -weekday(today) - 1)],
  ThisMonth: (today) => [monthStart(today), today],
  LastMonth(today) {
    const last = dayAfter(monthStart(today), -1);
    return [monthStart(last), last];
  },
};

/** A period's name in words: `Last7Days` as "Last 7 days". */
export const periodText = (name: string): string =>
  name.replace(/(?<=[a-z])(?=[A-Z\d])|(?<=\d)(?=[A-Z])/g, ' ').replace(/ [A-Z]/g, (end) => end.toLowerCase());

/** The first and last day of a period as it is today; undefined for one that is not of days. */
export const daysOf = (period: string, zone: string, nowMs = Date.now()): Days | undefined =>
  ownMember(daysByPeriod, period)?.(todayIn(zone, nowMs));
