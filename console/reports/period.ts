const dayMs = 86_400_000;

/** A day (`2027-01-31`) so many days after another. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toJSON().slice(0, 10);

const days = new Map<string, Intl.DateTimeFormat>();

/** The day that it is in a zone. */
export function todayIn(zone: string, nowMs = Date.now()): string {
  const format = days.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  days.set(zone, format);
  return format.format(nowMs);
}

const weekday = (day: string) => (new Date(day).getUTCDay() + 6) % 7;
const monthStart = (day: string) => `${day.slice(0, 7)}-01`;

type Days = readonly [from: string, to: string];

/** The periods that have names: how people say them, and from which day to which they are. */
const periods: Readonly<Record<string, { readonly label: string; readonly of: (today: string) => Days }>> = {
  Today: { label: 'Today', of: (today) => [today, today] },
  Yesterday: { label: 'Yesterday', of: (today) => [dayAfter(today, -1), dayAfter(today, -1)] },
  Last7Days: { label: 'Last 7 days', of: (today) => [dayAfter(today, -7), dayAfter(today, -1)] },
  Last30Days: { label: 'Last 30 days', of: (today) => [dayAfter(today, -30), dayAfter(today, -1)] },
  ThisWeek: { label: 'This week', of: (today) => [dayAfter(today, -weekday(today)), today] },
  LastWeek: {
    label: 'Last week',
    of: (today) => [dayAfter(today, -weekday(today) - 7), dayAfter(today, -weekday(today) - 1)],
  },
  ThisMonth: { label: 'This month', of: (today) => [monthStart(today), today] },
  LastMonth: {
    label: 'Last month',
    of(today) {
      const last = dayAfter(monthStart(today), -1);
      return [monthStart(last), last];
    },
  },
};

/** The periods that have names, for those who choose one. */
export const periodOptions = Object.entries(periods).map(([value, { label }]) => ({ value, label }));

/** The first and last day of a period today; undefined for a name that is none. */
export const daysOf = (period: string, zone: string): Days | undefined => periods[period]?.of(todayIn(zone));
