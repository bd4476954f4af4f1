import { type Field, onlyIfSet } from '../fields/field.ts';
import { choice, intUpTo } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { frequencyCapMax, frequencyHoursMax } from '../reference/frequency.ts';
import { whereEmpty } from './setting-warning.ts';

/** Without effect while neither a cap nor a time between two is set. */
const withFrequency = <F extends Field>(field: F) => onlyIfSet('FrequencyCap', field, 'FrequencyMinMinutes');

/** What one viewer is shown of an object. */
export const frequency = section('Limits', {
  FrequencyCap: intUpTo(frequencyCapMax, {
    unit: 'impressions',
    phrase: 'At most {}',
    help: 'Maximum impressions for one viewer (FrequencyKey) in any FrequencyHours; 0 = unlimited',
    explanation: 'The most that one viewer is shown within the frequency window; 0 = unlimited',
    example: 3,
  }),
  FrequencyHours: onlyIfSet(
    'FrequencyCap',
    intUpTo(frequencyHoursMax, {
      unit: 'h',
      phrase: ' in any {}',
      help: 'Hours for which FrequencyCap counts back from any moment; 0 = for ever (2160, 90 days)',
      explanation: 'The cap holds in any period of this length; 0 = for ever (90 days)',
      example: 24,
    }),
  ),
  FrequencyMinMinutes: intUpTo(frequencyHoursMax * 60, {
    unit: 'min',
    phrase: ', at least {} apart',
    help: 'Shortest time between two impressions for one viewer, in minutes; 0 = none',
    explanation: 'The shortest time between two impressions for one viewer; 0 = none',
    example: 30,
  }),
  FrequencyKey: withFrequency(
    choice({
      phrase: ', for each {}',
      codes: { 0: 'User ID', 1: 'Device ID', 2: 'IP address' },
      help: 'What identifies a viewer: the ID of the user (bid requests and pop feeds have one, tags have none) or of the device, where consent permits it, or the IP address',
    }),
  ),
  FrequencyUnknown: withFrequency(
    choice({
      phrase: '; viewers without it: {}',
      codes: { 0: 'Show, uncounted', 1: 'Do not show' },
      help: 'What happens if the viewer has no such ID, or consent does not permit counting by it',
    }),
  ),
});

/** For tags, whose requests have no user ID. */
export const frequencyWithoutUsers = whereEmpty(
  ['FrequencyKey'],
  "is 0: tags are not sent the user's ID, so nobody is counted; count by device or address",
  ({ FrequencyCap, FrequencyMinMinutes }) => Number(FrequencyCap ?? 0) + Number(FrequencyMinMinutes ?? 0) > 0,
);
