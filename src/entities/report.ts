import { Type } from 'typebox';
import { identity, secret, status } from '../fields/derived.ts';
import { derivedField, hiddenInArray, onlyIf, required } from '../fields/field.ts';
import { mailAddresses } from '../fields/list.ts';
import { choice } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { inFormat, text, url } from '../fields/text.ts';
import { word } from '../fields/word.ts';
import type { DecimalName, SeparatorName } from '../reference/csv.ts';
import { defineEntity } from './entity.ts';
import { question } from './question.ts';

const separatorWords: Readonly<Record<SeparatorName, string>> = {
  Comma: 'Commas, for English spreadsheets',
  Semicolon: 'Semicolons, for German and French spreadsheets',
  Tab: 'Tabs',
};
const decimalWords: Readonly<Record<DecimalName, string>> = { Point: 'A point', Comma: 'A comma' };

/** The codes of `Schedule` with which it is sent at all. */
const scheduled = [1, 2, 3];
const hoursOfDay = Object.fromEntries(
  Array.from({ length: 24 }, (_, hour) => [hour, `${String(hour).padStart(2, '0')}:00`]),
);

export const report = defineEntity({
  key: 'Report',
  title: 'Report',
  help: 'a saved question to the statistics, which can be sent by mail or to a URL on a schedule',
  wrapper: 'Report',
  path: 'report',
  documented: [],
  fields: {
    ...identity,
    ...section('General', { Name: required(text({ help: 'Name of the report', example: 'Daily revenue' })) }),
    ...question,
    From: inFormat('moment', question.From),
    To: inFormat('moment', question.To),
    TimeZone: inFormat('time-zone', question.TimeZone),
    ...section('Shown as', {
      Chart: choice({ codes: { 0: 'Table only', 1: 'Lines', 2: 'Bars' }, help: 'Chart above the table' }),
      PivotBy: text({ help: 'A name of GroupBy whose values become columns; "" = none', max: 32 }),
    }),
    ...section('Sending', {
      Schedule: choice({
        codes: { 0: 'Never', 1: 'Every day', 2: 'Every Monday', 3: 'On the first of the month' },
        help: 'When it is sent',
      }),
      ScheduleHour: onlyIf(
        'Schedule',
        scheduled,
        choice({ codes: hoursOfDay, help: 'Hour of the day at which it is sent, in TimeZone', example: 7 }),
      ),
      Separator: onlyIf(
        'Schedule',
        scheduled,
        word({ of: separatorWords, help: 'Separator between the cells of the CSV in mails' }),
      ),
      Decimal: onlyIf(
        'Schedule',
        scheduled,
        word({ of: decimalWords, help: 'Decimal separator of its numbers' }),
      ),
      Mails: onlyIf('Schedule', scheduled, mailAddresses({ help: 'Mail addresses to send it to', max: 20 })),
      WebhookUrl: onlyIf('Schedule', scheduled, url({ help: 'URL to send it to as a signed POST' })),
      WebhookSecret: hiddenInArray(secret('Key that signs what is sent to WebhookUrl')),
    }),
    ...section('General', {
      UserId: {
        ...derivedField(Type.Integer(), {
          place: { kind: 'document' },
          help: 'ID of the user to whom it belongs (/api/own/report), 0 = the team',
          example: 0,
        }),
        omitted: 0,
      },
    }),
    ...status,
  },
});
