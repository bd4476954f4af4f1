import { forOwner } from '../fields/field.ts';
import { flights, hasFlightLimit, lastFlightEnd } from '../fields/flights.ts';
import { choice, int } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { ownMember } from '../reference/own-member.ts';
import type { SettingWarning } from './setting-warning.ts';

/** How limits of impressions and money are spread over time. */
export const spreading = forOwner(
  section('Limits', {
    Pacing: choice({
      codes: { 0: 'As fast as possible', 1: 'Even', 2: 'Ahead' },
      help: 'How limits of impressions and money are spread: 1 = as the traffic of the week before, over the day, each flight, and the time from first to last day; 2 = ahead of that by a quarter; 0 = money as fast as possible, impressions of a day evenly by the clock',
      explanation:
        'Even: the budget follows the traffic over the day, each flight and the whole time, so it lasts to the end. Ahead: the same, a quarter faster',
    }),
    Flights: flights({
      help: 'Times with limits of their own, in order, at most 100: Start and End in TimeZone unless they name an offset (a day is included), Impressions and Spend in USD, 0 = unlimited. Outside them it takes no part; what one has not used is not carried over; none = always',
      explanation:
        'Times in which it takes part, each with its own limits; what one has not used is not carried over. None: always',
    }),
  }),
);

/** Of demand. */
export const pacing = {
  ...forOwner(
    section('Limits', {
      ImpressionsTotalLimit: int({
        unit: 'impressions',
        help: 'Maximum impressions on all days together; 0 = unlimited',
        example: 1_000_000,
      }),
    }),
  ),
  ...spreading,
};

const limits = [
  'ImpressionsDailyLimit',
  'RevenueDailyLimit',
  'SpendDailyLimit',
  'SpendTotalLimit',
  'ImpressionsTotalLimit',
  'Units',
];

/** Of plans that change nothing, or end all delivery. */
export const planWarnings: readonly SettingWarning[] = [
  {
    field: 'Pacing',
    when: (values) =>
      Number(ownMember(values, 'Pacing')) > 0 &&
      !limits.some((name) => ownMember(values, name)) &&
      !hasFlightLimit(values),
    message: 'has no effect, because nothing is limited; set a limit of impressions or money',
  },
  {
    field: 'Flights',
    isBlocking: true,
    when: (values, { nowMs }) => (lastFlightEnd(values) ?? nowMs) < nowMs,
    message: 'are all over, so it takes part in no auction; add a flight, or remove them all',
  },
];
