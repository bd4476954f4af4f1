import { Type } from 'typebox';
import { hoursPerWeek } from '../reference/week-hours.ts';
import { documentField, type FieldOptions } from './field.ts';
import type { FormatName } from './formats.ts';

/** One line, up to 1,024 characters. */
export function text(row: FieldOptions & { max?: number }) {
  return documentField(Type.String({ maxLength: row.max ?? 1024 }), { omitted: '', ...row });
}

/** Up to a million characters: stored as sent, matched per trimmed line (reference, "Values"). */
export function lines(row: FieldOptions) {
  return documentField(Type.String({ maxLength: 1_000_000 }), { omitted: '', ...row });
}

function formatted(format: FormatName, row: FieldOptions & { max?: number }) {
  return documentField(Type.String({ format, maxLength: row.max ?? 1024 }), { omitted: '', ...row });
}

export const mail = (row: FieldOptions) =>
  formatted('mail', { example: 'desk@example.com', max: 320, ...row });

/** As `example.com`; stored as sent. */
export const domain = (row: FieldOptions) =>
  formatted('domain', { example: 'example.com', max: 253, ...row });

/** UTC, `YYYY-MM-DD`. */
export const date = (row: FieldOptions) => formatted('day', { example: '2027-01-31', max: 64, ...row });

/** A day or a time, by the clock of the object's `TimeZone` unless it names an offset (`zonedTime`). */
export const time = (row: FieldOptions) =>
  formatted('time', { example: '2027-01-31T12:00:00', max: 64, ...row });

/** A time with its offset from UTC, or a day; of which zone, its help says. */
export const moment = (row: FieldOptions) =>
  formatted('moment', { example: '2027-01-31T12:00:00Z', max: 40, ...row });

/** A text whose form is checked with those of the other fields, before what is made of them. */
export const inFormat = <F extends ReturnType<typeof text>>(format: FormatName, field: F): F => ({
  ...field,
  accepts: Type.String({ ...field.accepts, format }),
});

/** IANA; `""` = UTC. */
export const timeZone = (row: FieldOptions) =>
  formatted('time-zone', { example: 'Europe/Berlin', max: 64, ...row });

/** Hours of the week (`week-hours.ts`); `""` = always. */
export const weekHours = (row: FieldOptions) =>
  formatted('week-hours', {
    example: '0'.repeat(9) + '1'.repeat(8) + '0'.repeat(151),
    max: hoursPerWeek,
    ...row,
  });

/** An ISO 3166-1 alpha-2 code of `/api/info/countries`. */
export const country = (row: FieldOptions) => formatted('country', { example: 'US', max: 64, ...row });

/** ISO 4217; `""` = USD. */
export const currency = (row: FieldOptions) => formatted('currency', { example: 'EUR', max: 64, ...row });

/** IAB Content Taxonomy 1.0. */
export const iabCategory = (row: FieldOptions) =>
  formatted('iab-category', { example: 'IAB1', max: 64, ...row });

/** `Name: value`; may hold credentials. */
export const headerLines = (row: FieldOptions) => ({
  ...formatted('header-lines', { example: 'X-Api-Key: 1234', max: 16_384, ...row }),
  isConfidential: true,
});

/** Absolute http or https; only the named macros (`{ip}`) may appear. */
export function url(row: FieldOptions & { macros?: readonly string[] }) {
  const { macros = [], ...rest } = row;
  const schema = Type.String({ format: 'url', maxLength: 4096, 'x-macros': macros });
  return {
    ...documentField(schema, { omitted: '', example: 'https://example.com/', ...rest }),
    ...(macros.length > 0 ? { macros } : {}),
  };
}

/** For the statistics' login: 1 to 64 printable ASCII characters without spaces. */
export function username(row: FieldOptions & { lowerCase: boolean }) {
  const pattern = row.lowerCase ? '^[!-@\\[-~]*$' : '^[!-~]*$';
  const wants = `must be 1 to 64 printable ASCII characters without spaces${row.lowerCase ? ' and upper case' : ''}`;
  return documentField(Type.String({ maxLength: 64, pattern, 'x-wants': wants }), {
    omitted: '',
    example: 'example',
    ...row,
  });
}

/** `type/subtype`. */
export const mimePattern = '^[a-zA-Z0-9!#$&^_.+-]+/[a-zA-Z0-9!#$&^_.+-]+$';
export const mimeWants = 'must be a MIME type, like video/mp4';

export function mime(row: FieldOptions) {
  const schema = Type.String({ pattern: `^$|${mimePattern}`, maxLength: 255, 'x-wants': mimeWants });
  return documentField(schema, { omitted: '', example: 'video/mp4', ...row });
}
