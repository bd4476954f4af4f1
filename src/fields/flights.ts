import { type Static, Type } from 'typebox';
import { zonedTime } from '../shared/zoned-time.ts';
import type { Fault } from './fault.ts';
import { documentField, type FieldOptions } from './field.ts';

const flightsMax = 100;
const most = 1e12;

const flight = Type.Object(
  {
    Start: Type.String({ format: 'time', minLength: 1, maxLength: 64 }),
    End: Type.String({ format: 'time', minLength: 1, maxLength: 64 }),
    Impressions: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    Spend: Type.Optional(Type.Number({ minimum: 0, maximum: most })),
  },
  { additionalProperties: false },
);
const accepts = Type.Array(flight, { maxItems: flightsMax });
const returns = Type.Array(
  Type.Object(
    { Start: Type.String(), End: Type.String(), Impressions: Type.Integer(), Spend: Type.Number() },
    { additionalProperties: false },
  ),
);

type StoredFlight = Static<typeof returns>[number];
type Values = Readonly<Record<string, unknown>>;

const rowsIn = ({ Flights }: Values) =>
  Array.isArray(Flights) ? (Flights as readonly Partial<StoredFlight>[]) : [];
const zoneIn = ({ TimeZone }: Values) => String(TimeZone || 'UTC');

/** Of an object's values: when its last flight ends; undefined without one. */
export function lastFlightEnd(values: Values): number | undefined {
  return zonedTime(rowsIn(values).at(-1)?.End ?? '', zoneIn(values))?.endMs;
}

export const hasFlightLimit = (values: Values): boolean =>
  rowsIn(values).some(({ Impressions = 0, Spend = 0 }) => Impressions + Spend > 0);

/** Times with limits of their own, in order. */
export function flights(row: FieldOptions) {
  const clean = (value: Static<typeof accepts>): Static<typeof returns> =>
    value.map(({ Start, End, Impressions = 0, Spend = 0 }) => ({
      Start,
      End,
      Impressions,
      Spend: Math.round(Spend * 1e6) / 1e6,
    }));
  return {
    ...documentField(accepts, {
      omitted: [],
      example: [{ Start: '2027-01-01', End: '2027-01-31', Impressions: 1_000_000, Spend: 5000 }],
      ...row,
    }),
    returns,
    clean,
  };
}

const fault = (place: number, member: string, Message: string): Fault => ({
  Path: `Flights[${place}].${member}`,
  Code: 'out_of_range',
  Message,
});

/** Each ends after it begins, and begins after the one before has ended. */
export function flightOrder(values: Values): readonly Fault[] {
  const zone = zoneIn(values);
  let lastMs = Number.NEGATIVE_INFINITY;
  return rowsIn(values).flatMap(({ Start = '', End = '' }, place) => {
    const startMs = zonedTime(Start, zone)?.startMs;
    const endMs = zonedTime(End, zone)?.endMs;
    if (startMs === undefined || endMs === undefined) return [];
    const before = lastMs;
    lastMs = Math.max(lastMs, endMs);
    if (endMs <= startMs) return [fault(place, 'End', `must be after Start (${Start})`)];
    if (startMs > before) return [];
    return [
      fault(
        place,
        'Start',
        'must be after the end of the flight before it; flights are in order and do not overlap',
      ),
    ];
  });
}
