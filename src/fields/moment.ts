const dayMs = 86_400_000;

/** As `2027-01-31`. */
export function isDay(value: string): boolean {
  const time = Date.parse(`${value}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(time).toJSON()?.slice(0, 10) === value;
}

/** A time, or a UTC day: from its first millisecond until the one after its last. */
export interface Moment {
  readonly fromMs: number;
  readonly untilMs: number;
}

export const dateTimePattern = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})`;
const dateTime = new RegExp(`^${dateTimePattern}$`);

export const momentWants = 'must be a date and time like 2027-01-31T12:00:00Z, or a day like 2027-01-31';

/** The last with a year of four digits. */
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/** A date and time with its zone, or a day; undefined for anything else, and after the year 9999. */
export function readMoment(text: string): Moment | undefined {
  if (!isDay(text.slice(0, 10))) return undefined;
  if (text.length === 10) {
    const fromMs = Date.parse(`${text}T00:00:00Z`);
    return { fromMs, untilMs: fromMs + dayMs };
  }
  // A zone's + is a space if it was sent unescaped.
  const sent = text.replace(/ (?=\d{2}:\d{2}$)/, '+');
  const fromMs = dateTime.test(sent) ? Date.parse(sent) : Number.NaN;
  return fromMs <= lastMs ? { fromMs, untilMs: fromMs + 1 } : undefined;
}
