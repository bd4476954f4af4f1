type Form = 'moment' | 'time' | 'day' | 'offset';

const optionsOf: Readonly<Record<Form, Intl.DateTimeFormatOptions>> = {
  moment: { dateStyle: 'medium', timeStyle: 'medium' },
  time: { timeStyle: 'medium' },
  day: { dateStyle: 'medium' },
  offset: { timeZoneName: 'shortOffset' },
};

const forms = new Map<string, Intl.DateTimeFormat>();

function formOf(form: Form, timeZone: string): Intl.DateTimeFormat {
  const key = `${form} ${timeZone}`;
  const known = forms.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...optionsOf[form], timeZone });
  forms.set(key, known);
  return known;
}

/** Cities that browsers still name as they were called once. */
const renamed: Readonly<Record<string, string>> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
};

/** A zone as people read it, as `America/New York`. */
export const zoneName = (zone: string) => (renamed[zone] ?? zone).replaceAll('_', ' ');

/** How far a zone is from UTC at that time, as `UTC+1`. */
export function offsetText(zone: string, time: Date | number = Date.now()): string {
  const parts = formOf('offset', zone).formatToParts(time);
  return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? '').replace('GMT', 'UTC');
}

/** A time in a zone; with its zone where date and time are shown. */
export function timeText(
  time: Date | number,
  zone: string,
  form: Exclude<Form, 'offset'> = 'moment',
): string {
  const text = formOf(form, zone).format(time);
  return form === 'moment' ? `${text} ${offsetText(zone, time)}` : text;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How many minutes the clocks of a zone are ahead of UTC at a time. */
function minutesAhead(zone: string, timeMs: number): number {
  const [, sign = '+', hours = 0, minutes = 0] =
    /([+-])(\d+)(?::(\d+))?$/.exec(offsetText(zone, timeMs)) ?? [];
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
}

/** When a day (`2027-01-31`), or one so many days later, begins in a zone, as the API takes times. */
export function dayStart(day: string, zone: string, daysLater = 0): string {
  const midnightMs = Date.parse(day) + daysLater * dayMs;
  const aheadMs = (timeMs: number) => minutesAhead(zone, timeMs) * minuteMs;
  // Clocks may be set that day, also at midnight: then it begins where midnight would have been by those of before.
  const starts = [midnightMs - dayMs, midnightMs + dayMs].map((near) => midnightMs - aheadMs(near));
  return new Date(Math.min(...starts.filter((ms) => ms + aheadMs(ms) >= midnightMs))).toJSON();
}
