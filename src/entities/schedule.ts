import { forOwner, onlyIfSet } from '../fields/field.ts';
import { choice } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { timeZone, weekHours } from '../fields/text.ts';

/** When demand and deals take part: the clock they go by, and the hours of the week. */
export const schedule = forOwner({
  ...section('Limits', {
    TimeZone: timeZone({
      help: 'Time zone of its hours, dates and daily limits (IANA); "" = UTC. After a change, the day goes on until one of the new zone begins',
    }),
  }),
  ...section('Targeting', {
    Hours: weekHours({
      help: 'Hours of the week in which it takes part: 168 digits, 1 = open, Monday 00:00 first; "" = always',
      explanation: 'Hours of the week in which it takes part',
    }),
    HoursOf: onlyIfSet(
      'Hours',
      choice({
        codes: { 0: 'Its own', 1: "The viewer's" },
        help: 'Whose clock Hours go by; a viewer whose clock is unknown counts by TimeZone',
        explanation:
          'Whose clock the open hours go by. Viewers whose clock is unknown count by the time zone',
      }),
    ),
  }),
});
