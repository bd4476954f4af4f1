/** What we use of Temporal (ECMA-262), which TypeScript has no types of yet. */
declare namespace Temporal {
  type Length = {
    readonly days?: number;
    readonly hours?: number;
    readonly months?: number;
    readonly years?: number;
  };
  interface ZonedDateTime {
    readonly epochMilliseconds: number;
    readonly dayOfWeek: number;
    startOfDay(): ZonedDateTime;
    add(length: Length): ZonedDateTime;
    subtract(length: Length): ZonedDateTime;
    with(fields: { readonly day: number }): ZonedDateTime;
    round(options: { readonly smallestUnit: 'hour'; readonly roundingMode: 'floor' }): ZonedDateTime;
    toString(options: { readonly timeZoneName: 'never'; readonly smallestUnit: 'second' }): string;
  }
  interface Instant {
    toZonedDateTimeISO(zone: string): ZonedDateTime;
  }
  const Instant: { fromEpochMilliseconds(ms: number): Instant };
  const PlainDate: {
    from(text: string): { toZonedDateTime(zone: string): ZonedDateTime };
  };
}
