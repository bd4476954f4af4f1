import { alertState, identity, secret, status } from '../fields/derived.ts';
import { hiddenInArray, omittedAs, required } from '../fields/field.ts';
import { mailAddresses } from '../fields/list.ts';
import { amount, choice, figure, flag, int, intUpTo } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { text, url } from '../fields/text.ts';
import { requiredWord, word } from '../fields/word.ts';
import { alertConditions, alertSeverities, standardSeverity } from '../reference/alert-conditions.ts';
import { measureRows } from '../reference/measures.ts';
import { defineEntity } from './entity.ts';
import { question } from './question.ts';

const minutesOfDay = 1440;
const daysMost = 31;

const conditions = Object.fromEntries(
  Object.entries(alertConditions).map(([name, { help }]) => [name, help]),
) as Readonly<Record<keyof typeof alertConditions, string>>;
const measures = Object.fromEntries(measureRows.map(([name, { help }]) => [name, `${name}: ${help}`]));

export const alert = defineEntity({
  key: 'Alert',
  title: 'Alert',
  help: 'a rule on figures or on how objects are; the server looks once a minute, and tells when it begins and when it ends',
  wrapper: 'Alert',
  path: 'alert',
  documented: [],
  fields: {
    ...identity,
    ...section('General', {
      Name: required(text({ help: 'Name of the alert', example: 'Timeouts of DSPs' })),
      Severity: omittedAs(
        standardSeverity,
        choice({ codes: alertSeverities, help: 'How grave it is when it fires', example: 3 }),
      ),
      Owner: text({
        help: 'Who takes care of it when it fires, as people call them',
        example: 'Ad operations',
      }),
    }),
    ...section('Rule', {
      Condition: requiredWord({ of: conditions, help: 'When it fires', example: 'Above' }),
      Measure: word({ of: measures, help: 'The figure that is watched', example: 'TimeoutRate' }),
      Threshold: figure({
        help: 'The bound of the figure, in its unit; of FallsBy and RisesBy a percentage',
        example: 40,
      }),
      Window: omittedAs(
        60,
        intUpTo(minutesOfDay * daysMost, {
          unit: 'min',
          help: 'Over how many minutes the figure is taken: the last full ones; a multiple of 15 above 120, of 60 or 1,440 where it is kept by hours or days',
        }),
      ),
      CompareTo: omittedAs(
        'Day',
        word({
          of: { Day: 'The same time of the day before', Week: 'The same time a week before' },
          help: 'What FallsBy and RisesBy compare with',
        }),
      ),
      TimeZone: {
        ...question.TimeZone,
        help: 'Zone by whose clock it is the same time, as Europe/Berlin; "" = UTC',
      },
      MinVolume: int({
        help: 'How much there must be in the window (of FallsBy: in that before) for the figure to mean anything; 0 = any',
        example: 100,
      }),
      MinVolumeOf: word({
        of: measures,
        help: 'The figure that MinVolume is about; "" = what Measure is a share of',
        example: 'Calls',
      }),
      GroupBy: word({
        of: {
          Publisher: 'Each publisher',
          Supply: 'Each supply object',
          Advertiser: 'Each advertiser',
          Demand: 'Each demand object',
        },
        help: 'Whose figures are watched each by itself; "" = all together',
        example: 'Demand',
      }),
      Filters: question.Filters,
      HoldMinutes: omittedAs(
        5,
        intUpTo(minutesOfDay, { unit: 'min', help: 'How long it must hold before the alert fires' }),
      ),
      EndMinutes: omittedAs(
        5,
        intUpTo(minutesOfDay, { unit: 'min', help: 'How long it must not hold before the alert ends' }),
      ),
      Hysteresis: amount({
        help: 'How far the figure must be on the other side of Threshold to end; 0 = Threshold itself',
      }),
    }),
    ...section('Sending', {
      Mails: mailAddresses({ help: 'Addresses that are told by mail', max: 20 }),
      WebhookUrl: url({ help: 'URL that is told by a signed POST' }),
      WebhookSecret: hiddenInArray(secret('Key of the signatures of what is sent to WebhookUrl')),
      RemindMinutes: intUpTo(minutesOfDay * daysMost, {
        unit: 'min',
        help: 'After how long what fires is told again, until somebody acknowledges it; 0 = never',
        example: 60,
      }),
      Muted: flag({ help: '1 = nothing is sent, until this is 0 again' }),
      MutedUntil: text({
        help: 'Nothing is sent before this time, as 2027-01-31T12:00:00Z, or through this day (UTC); "" = it is',
        max: 40,
      }),
    }),
    ...alertState,
    ...status,
  },
});
