import { type Static, type TSchema, Type } from 'typebox';
import type { Unit } from '../reference/units.ts';
import { type AlertMember, derivedField, type Figure, forOwner, type StatisticsPath } from './field.ts';
import type { LinePart } from './line-codecs.ts';
import { type Placed, section } from './section.ts';

export const identity = forOwner(
  section('General', {
    Id: derivedField(Type.Integer(), {
      place: { kind: 'column', column: 'id' },
      help: 'ID of the object',
      example: 1,
    }),
    TeamId: derivedField(Type.Integer(), {
      place: { kind: 'column', column: 'team_id' },
      help: 'ID of the team that the object belongs to',
      example: 1,
    }),
  }),
  ['Id'],
);

/** 0 = Active, 1 = Inactive, and the same in words. */
export const status = forOwner(
  section('General', {
    Status: {
      ...derivedField(Type.Integer({ enum: [0, 1] }), {
        place: { kind: 'column', column: 'status' },
        help: 'Whether it takes part',
        example: 0,
      }),
      labels: { 0: 'Active', 1: 'Inactive' },
    },
    StatusString: derivedField(Type.String({ enum: ['Active', 'Inactive'] }), {
      place: { kind: 'statusString' },
      help: '"Active" or "Inactive"',
      example: 'Active',
    }),
  }),
);

const wholeFigures: readonly Figure[] = ['Qps', 'Delivered'];

const statistic = (figure: Figure, unit: Unit | undefined, help: string) =>
  derivedField(wholeFigures.includes(figure) ? Type.Integer() : Type.Number(), {
    place: { kind: 'statistic', figure },
    help,
    ...(unit && { unit }),
    example: 0,
  });

export const dealFigures = section('Figures', {
  Delivered: statistic('Delivered', undefined, 'Impressions under its Code so far'),
  BidRate: statistic('BidRate', '%', 'Bids under its Code per 100 times that a buyer was asked for one'),
  WinRate: statistic('WinRate', '%', 'Auctions won per 100 bids under its Code'),
});

export const performance = section('Figures', {
  Qps: statistic('Qps', 'requests/s', 'Requests per second, mean over the last 60 seconds'),
  TodayRevenue: statistic(
    'TodayRevenue',
    'USD',
    'Revenue from advertisers through this object today (UTC), in USD',
  ),
  TodayFillRate: statistic('TodayFillRate', '%', 'Impressions per 100 requests today (UTC)'),
  YesterdayRevenue: statistic(
    'YesterdayRevenue',
    'USD',
    'Revenue from advertisers through this object yesterday (UTC), in USD',
  ),
  YesterdayFillRate: statistic('YesterdayFillRate', '%', 'Impressions per 100 requests yesterday (UTC)'),
});

const paced = (member: 'Pace' | 'ForecastUnits', help: string, example: number, unit?: Unit) =>
  derivedField(Type.Union([Type.Number(), Type.Null()]), {
    place: { kind: 'pace', member },
    help,
    example,
    ...(unit && { unit }),
  });

export const pace = section('Figures', {
  Pace: paced(
    'Pace',
    'What was delivered in percent of what is due by now, from the first to the last day if it has limits for that time, else of the day; 100 = on plan; null if Pacing is 0 and it is not a guaranteed deal, or it has nothing to spread',
    99.6,
    '%',
  ),
  ForecastUnits: paced(
    'ForecastUnits',
    'Impressions at the end of that time if it goes on as so far, at most what its limits allow; null like Pace',
    1_000_000,
  ),
  ForecastEnd: derivedField(Type.Union([Type.String(), Type.Null()]), {
    place: { kind: 'pace', member: 'ForecastEnd' },
    help: 'When the budget of that time is used up (UTC) if it goes on as so far; null if it lasts, and like Pace',
    example: '2027-01-31T22:10:00.000Z',
  }),
});

const stateOf = <S extends TSchema>(member: AlertMember, schema: S, help: string, example: Static<S>) =>
  derivedField(schema, { place: { kind: 'alertState', member }, help, example });

export const alertState = section('State', {
  Firing: stateOf(
    'Firing',
    Type.Integer(),
    'Number of objects for which it is firing; all together count as one; 0 = it is not firing',
    1,
  ),
  FiringSince: stateOf(
    'FiringSince',
    Type.String(),
    'When it started firing (UTC), for the longest-firing object; "" if not firing',
    '2027-01-31T12:00:00.000Z',
  ),
  Value: stateOf(
    'Value',
    Type.Union([Type.Number(), Type.Null()]),
    'The figure of that object; null if it is not firing or has no figure',
    61.5,
  ),
  Problem: stateOf('Problem', Type.String(), 'Why it cannot be judged now; "" if it can', ''),
  NoData: stateOf(
    'NoData',
    Type.String(),
    'What has no data to judge by yet, because nothing was counted, or not for long enough; "" if all have data',
    '',
  ),
  CheckedAt: stateOf(
    'CheckedAt',
    Type.String(),
    'When it was last checked (UTC); "" = not yet',
    '2027-01-31T12:30:00.000Z',
  ),
});

/** By the codes of the IAB's Deals API 1.0. */
export const dealState = section('State', {
  SellerStatus: {
    ...derivedField(Type.Integer({ enum: [0, 1, 2, 3, 4] }), {
      place: { kind: 'dealState', member: 'SellerStatus' },
      help: 'State of the deal as buyers are told it; inactive and ended = archived, and a deal that was sent as archived stays so',
      example: 0,
    }),
    labels: { 0: 'Active', 1: 'Paused', 2: 'Pending', 3: 'Complete', 4: 'Archived' },
  },
  BuyerStatus: derivedField(
    Type.Array(
      Type.Object(
        {
          Seat: Type.String({ description: 'Seat at the buyer; "" = not said' }),
          Status: Type.Integer({ minimum: 0, maximum: 6, description: 'Code of the Deals API' }),
          StatusString: Type.String({ description: 'The same in words' }),
        },
        { additionalProperties: false },
      ),
    ),
    {
      place: { kind: 'dealState', member: 'BuyerStatus' },
      help: 'What the buyer last said of the deal, by seat; empty = nothing yet',
      example: [{ Seat: 'seat-1', Status: 1, StatusString: 'Approved' }],
    },
  ),
});

/** Of the owner, as its objects show it. */
export const accountManager = section('General', {
  AccManagerId: derivedField(Type.Integer(), {
    place: { kind: 'manager', part: 'id' },
    help: "ID of the user who manages the owner's account; 0 = nobody",
    example: 1,
  }),
  AccManagerName: derivedField(Type.String(), {
    place: { kind: 'manager', part: 'name' },
    help: "Name of the user who manages the owner's account",
    example: 'Ada Byron',
  }),
});

export function ownerName(owner: string) {
  return derivedField(Type.String(), {
    place: { kind: 'ownerName' },
    help: `Name of the owning ${owner}`,
    example: 'Example Media',
  });
}

/** `called` says what they are, as `VAST Tags`. */
export function count(of: string, called: string) {
  return derivedField(Type.Integer(), {
    place: { kind: 'count', of },
    help: `Number of its ${called}`,
    example: 0,
  });
}

/** Made when the list's text is written. */
export function lineCount(part: LinePart, help: string) {
  return derivedField(Type.Integer(), { place: { kind: 'lineCount', part }, help, example: 0 });
}

/** Random, URL-safe, 192 bits, made when the object is added (reference, A8). */
export function secret(help: string) {
  return derivedField(Type.String(), {
    place: { kind: 'secret' },
    help,
    example: 'c2VjcmV0LWV4YW1wbGUtb25seS0wMDAw',
  });
}

/** CSV and JSON, both derived from the report (`statistics/statistics-urls.ts`). */
export function statisticsUrls<Name extends string>(name: Name, report: StatisticsPath) {
  const { path, parameter } = report;
  const id = parameter ? `&${parameter}={Id}` : '';
  const csv = `{BaseUrl}${path}?username={Username}&auth={StatsAuth}${id}&date_from={date_from}&date_to={date_to}`;
  const at = (type: string, template: string) =>
    derivedField(Type.String(), {
      place: { kind: 'url', template, report },
      help: `URL of the statistics as ${type}; replace {date_from} and {date_to} with dates as YYYY-MM-DD`,
      example: 'https://exchange.example.com/api/',
    });
  return section('Statistics', {
    [`${name}Csv`]: at('CSV', csv),
    [`${name}Json`]: at('JSON', `${csv}&type=json`),
  }) as { [K in `${Name}Csv` | `${Name}Json`]: Placed<ReturnType<typeof at>> };
}

/** One URL per region. `{RegionUrl}` and fields (`{Id}`) are filled; `{lower_case}` macros stay. */
export function regionUrls<Name extends string>(templates: Readonly<Record<Name, string>>) {
  const names = Object.keys(templates) as Name[];
  const members = Object.fromEntries(['Region', ...names].map((name) => [name, Type.String()])) as Record<
    'Region' | Name,
    ReturnType<typeof Type.String>
  >;
  return derivedField(Type.Array(Type.Object(members, { additionalProperties: false })), {
    place: { kind: 'regionUrls', templates },
    help: `${names.join(' and ')} for each region`,
    example: [] as never,
  });
}
