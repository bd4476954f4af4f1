import { alertState, identity, secret, status } from '../fields/derived.ts';
import { hiddenInArray, omittedAs, onlyIf, onlyIfSet, required } from '../fields/field.ts';
import { mailAddresses } from '../fields/list.ts';
import { amount, choice, figure, flag, int, intUpTo } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { inFormat, moment, text, url } from '../fields/text.ts';
import { requiredWord, word } from '../fields/word.ts';
import {
  type AlertCondition,
  alertConditions,
  alertSeverities,
  standardSeverity,
} from '../reference/alert-conditions.ts';
import { chatFormats } from '../reference/chat-formats.ts';
import { measureRows } from '../reference/measures.ts';
import { titleOf } from '../reference/titles.ts';
import { defineEntity } from './entity.ts';
import { question } from './question.ts';

const minutesOfDay = 1440;
const daysMost = 31;

const conditions = Object.fromEntries(
  Object.entries(alertConditions).map(([name, { help }]) => [name, help]),
) as Readonly<Record<keyof typeof alertConditions, string>>;
/** An alert asks by no currency. */
const measures = Object.fromEntries(
  measureRows.flatMap(([name, { help, by }]) => (by ? [] : [[name, `${titleOf(name)}: ${help}`]])),
);

/** Names of the conditions of which that holds. */
const conditionsWith = (holds: (condition: AlertCondition) => boolean): readonly string[] =>
  Object.entries<AlertCondition>(alertConditions).flatMap(([name, one]) => (holds(one) ? [name] : []));
const onFigures = conditionsWith(({ about }) => about === 'figure');
const comparing = conditionsWith(({ isComparison }) => isComparison === true);

const formats = Object.fromEntries(
  Object.entries(chatFormats).map(([name, { label }]) => [name, label]),
) as Readonly<Record<keyof typeof chatFormats, string>>;

export const alert = defineEntity({
  key: 'Alert',
  title: 'Alert',
  help: 'a rule about figures or the state of objects; the server checks it once a minute, and sends a message when it begins to fire and when it ends',
  wrapper: 'Alert',
  path: 'alert',
  documented: [],
  fields: {
    ...identity,
    ...section('General', {
      Name: required(text({ help: 'Name of the alert', example: 'Timeouts of DSPs' })),
      Severity: omittedAs(
        standardSeverity,
        choice({ codes: alertSeverities, help: 'Severity when it fires', example: 3 }),
      ),
      Owner: text({
        help: 'Name of the people who take care of it when it fires',
        example: 'Ad operations',
      }),
    }),
    ...section('Rule', {
      Condition: requiredWord({ of: conditions, help: 'When it fires', example: 'Above' }),
      Measure: onlyIf(
        'Condition',
        onFigures,
        word({ of: measures, help: 'The figure that is watched', example: 'TimeoutRate' }),
      ),
      Threshold: onlyIf(
        'Condition',
        conditionsWith(({ hasThreshold }) => hasThreshold === true),
        figure({
          help: 'The bound of the figure, in its unit; of FallsBy and RisesBy a percentage',
          example: 40,
        }),
      ),
      Window: onlyIf(
        'Condition',
        onFigures,
        omittedAs(
          60,
          intUpTo(minutesOfDay * daysMost, {
            unit: 'min',
            help: 'The number of minutes over which the figure is taken, ending with the last full minute; above 120 a multiple of 15, and of 60 or 1,440 if the figure is kept by hours or days',
          }),
        ),
      ),
      CompareTo: onlyIf(
        'Condition',
        comparing,
        omittedAs(
          'Day',
          word({
            of: { Day: 'The same time on the day before', Week: 'The same time a week before' },
            help: 'What FallsBy and RisesBy compare with',
          }),
        ),
      ),
      TimeZone: onlyIf('Condition', comparing, {
        ...inFormat('time-zone', question.TimeZone),
        help: 'Time zone that decides what the same time is, like Europe/Berlin; "" = UTC',
      }),
      MinVolume: onlyIf(
        'Condition',
        onFigures,
        int({
          help: 'The smallest volume in the window (for FallsBy: in the earlier window) for which the figure means anything; 0 = any',
          example: 100,
        }),
      ),
      MinVolumeOf: onlyIfSet(
        'MinVolume',
        word({
          of: measures,
          help: 'The figure that MinVolume is about; "" = what Measure is a share of',
          example: 'Calls',
        }),
      ),
      GroupBy: onlyIf(
        'Condition',
        onFigures,
        word({
          of: {
            Publisher: 'Each publisher',
            Supply: 'Each supply object',
            Advertiser: 'Each advertiser',
            Demand: 'Each demand object',
          },
          help: 'The objects whose figures are watched one by one; "" = all together',
          example: 'Demand',
        }),
      ),
      Filters: question.Filters,
      HoldMinutes: omittedAs(
        5,
        intUpTo(minutesOfDay, {
          unit: 'min',
          help: 'How long the condition must be true before the alert fires',
        }),
      ),
      EndMinutes: omittedAs(
        5,
        intUpTo(minutesOfDay, {
          unit: 'min',
          help: 'How long the condition must be false before the alert ends',
        }),
      ),
      Hysteresis: onlyIf(
        'Condition',
        onFigures,
        amount({
          help: 'How far past Threshold, on the other side, the figure must be for the alert to end; 0 = Threshold itself',
        }),
      ),
    }),
    ...section('Sending', {
      Mails: mailAddresses({ help: 'Mail addresses to notify', max: 20 }),
      WebhookUrl: url({ help: 'URL to notify with a signed POST' }),
      WebhookFormat: onlyIfSet(
        'WebhookUrl',
        word({
          of: formats,
          help: 'The form in which WebhookUrl is notified; "" = JSON of Bourse, for your own programs',
          example: 'Slack',
        }),
      ),
      WebhookSecret: hiddenInArray(secret('Key that signs what is sent to WebhookUrl')),
      RemindMinutes: intUpTo(minutesOfDay * daysMost, {
        unit: 'min',
        help: 'How often to send a reminder while it fires, until somebody acknowledges it; 0 = never',
        example: 60,
      }),
      Muted: flag({
        help: '1 = nothing is sent until this is 0 again',
        explanation: 'Nothing is sent until this is switched off',
      }),
      MutedUntil: moment({
        help: 'Nothing is sent before this time, for example 2027-01-31T12:00:00Z, or until the end of this day (UTC); "" = not muted',
      }),
    }),
    ...alertState,
    ...status,
  },
});
