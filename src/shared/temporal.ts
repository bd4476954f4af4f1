interface Length {
  readonly days?: number;
  readonly hours?: number;
  readonly months?: number;
}

/** ECMA-262, Temporal. */
export interface ZonedDateTime {
  readonly epochMilliseconds: number;
  readonly offsetNanoseconds: number;
  /** Of the month, from 1. */
  readonly day: number;
  readonly dayOfWeek: number;
  startOfDay(): ZonedDateTime;
  /** Null if the zone's offset never changes again, or never did. */
  getTimeZoneTransition(direction: 'next' | 'previous'): ZonedDateTime | null;
  add(length: Length): ZonedDateTime;
  subtract(length: Length): ZonedDateTime;
  with(fields: { readonly day?: number; readonly hour?: number; readonly minute?: number }): ZonedDateTime;
  round(options: { readonly smallestUnit: 'hour'; readonly roundingMode: 'floor' }): ZonedDateTime;
  toString(options: { readonly timeZoneName: 'never'; readonly smallestUnit: 'second' }): string;
}

interface PlainDate {
  readonly day: number;
  subtract(length: Length): PlainDate;
  toZonedDateTime(zone: string): ZonedDateTime;
  toString(): string;
}

interface PlainDateTime {
  toZonedDateTime(zone: string): ZonedDateTime;
}

interface Temporal {
  readonly Instant: {
    fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(zone: string): ZonedDateTime };
  };
  readonly PlainDate: { from(text: string): PlainDate };
  readonly PlainDateTime: { from(text: string): PlainDateTime };
}

/** Node's Temporal, which TypeScript has no types of yet. */
export const { Instant, PlainDate, PlainDateTime } = (
  globalThis as unknown as { readonly Temporal: Temporal }
).Temporal;
