interface Length {
  readonly days?: number;
  readonly hours?: number;
  readonly months?: number;
  readonly years?: number;
}

/** A time by the clock of a zone (ECMA-262, Temporal). */
export interface ZonedDateTime {
  readonly epochMilliseconds: number;
  readonly dayOfWeek: number;
  startOfDay(): ZonedDateTime;
  add(length: Length): ZonedDateTime;
  subtract(length: Length): ZonedDateTime;
  with(fields: { readonly day?: number; readonly hour?: number; readonly minute?: number }): ZonedDateTime;
  round(options: { readonly smallestUnit: 'hour'; readonly roundingMode: 'floor' }): ZonedDateTime;
  toString(options: { readonly timeZoneName: 'never'; readonly smallestUnit: 'second' }): string;
}

interface Temporal {
  readonly Instant: {
    fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(zone: string): ZonedDateTime };
  };
  readonly PlainDate: { from(text: string): { toZonedDateTime(zone: string): ZonedDateTime } };
}

/** What we use of Node's Temporal, which TypeScript has no types of yet. */
export const { Instant, PlainDate } = (globalThis as unknown as { readonly Temporal: Temporal }).Temporal;
