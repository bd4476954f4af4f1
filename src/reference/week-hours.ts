const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;
export const hoursPerDay = 24;
export const hoursPerWeek = 168;
const isWeek = /^[01]{168}$/;

/** 168 digits, Monday 00:00 first: 1 = open. */
export const isWeekHours = (text: string): boolean => isWeek.test(text);

const two = (hour: number) => String(hour).padStart(2, '0');

/** As `08–20`, or `00–06 and 22–24`; `closed`, or `all day`. */
function dayText(hours: string): string {
  const stretches = [...hours.matchAll(/1+/g)].map(
    ({ 0: open, index }) => `${two(index)}–${two(index + open.length)}`,
  );
  if (stretches.length === 0) return 'closed';
  return hours.includes('0') ? stretches.join(' and ') : 'all day';
}

/** As `Mon–Fri 08–20, Sat 10–14`. `""` is always. */
export function weekHoursText(hours: string): string {
  if (hours === '' || !hours.includes('0')) return 'always';
  if (!hours.includes('1')) return 'never';
  const texts = days.map((_, day) => dayText(hours.slice(day * hoursPerDay, (day + 1) * hoursPerDay)));
  const parts: string[] = [];
  for (let first = 0; first < days.length; ) {
    let last = first;
    while (last + 1 < days.length && texts[last + 1] === texts[first]) last += 1;
    const span = last === first ? days[first] : `${days[first]}–${days[last]}`;
    if (texts[first] !== 'closed') parts.push(`${span} ${texts[first]}`);
    first = last + 1;
  }
  return parts.join(', ');
}

/** In an hour of the week, as `Monday 08:00`. */
export function weekTimeText(hour: number, minute = 0): string {
  return `${weekdays[Math.floor(hour / hoursPerDay)]} ${two(hour % hoursPerDay)}:${two(minute)}`;
}
