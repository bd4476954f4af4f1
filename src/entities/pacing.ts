import { forOwner } from '../fields/field.ts';
import { choice, int } from '../fields/number.ts';
import { section } from '../fields/section.ts';

/** How limits of impressions and money are spread over time. */
export const { Pacing } = forOwner(
  section('Limits', {
    Pacing: choice({
      codes: { 0: 'As fast as possible', 1: 'Even', 2: 'Ahead' },
      help: 'How limits of impressions and money are spread: 1 = as the traffic of the week before, over the day and over the time from first to last day; 2 = ahead of that by a quarter; 0 = money as fast as possible, impressions of a day evenly by the clock',
      explanation:
        'Even: the budget follows the traffic over the day and over the whole time, so it lasts to the end. Ahead: the same, a quarter faster',
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
  Pacing,
};
