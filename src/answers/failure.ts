import { Type } from 'typebox';
import { closedObject, labelled, named, type ReadonlyStatic } from './wire-schema.ts';

/** @internal */
export const faultCodes = {
  bad_line: 'Lines of a text cannot be read',
  changed: 'Has changed since it was fetched',
  common: 'Is a common password that anyone would try first',
  contradiction: 'Two parts of the request contradict each other',
  duplicate: 'Appears twice where it may appear only once',
  encoding: 'Contains characters that cannot be stored, or is not UTF-8',
  format: 'Does not have the required form',
  last_administrator: 'Would leave the team without an active administrator',
  link_used: 'Is not the secret of a link, or the link was used or has expired',
  macro: 'A URL contains a macro that is not allowed there',
  not_found: 'Names what does not exist',
  out_of_range: 'Is out of bounds, or not one of the allowed values',
  own_user: 'Names the calling user, for whom this is not allowed',
  read_only: 'Is made by the server and cannot be changed',
  required: 'Is missing or empty',
  second_factor: 'Is the code of the second factor, and missing or wrong',
  taken: 'Already belongs to another object',
  too_deep: 'Is nested too deeply',
  too_long: 'Has more characters, items or members than allowed',
  too_short: 'Has fewer characters than required',
  type: 'Has the wrong JSON type',
  unknown_field: 'Is not a known member',
  unknown_parameter: 'Is not a known parameter',
  wrong_password: 'Is not the password of the user',
  wrong_state: 'Is not possible at present; the message says why',
  wrapper: 'The body does not have exactly the one required key',
} as const;

const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));
const inPlace = (name: string) => `Value to send as \`${name}\``;

const remedySchema = named(
  'Remedy',
  closedObject(
    {
      LeaveOut: names('Names to leave out of GroupBy, Measures and Filters, or `CompareTo`'),
      AskFor: names('Measures that can replace those left out; there may be more'),
      From: Type.Optional(Type.String({ description: 'Value to send as `From`; a later time also works' })),
      GroupBy: names(inPlace('GroupBy')),
      TimeZone: Type.Optional(Type.String({ description: inPlace('TimeZone') })),
    },
    'A change to the refused question that removes this fault',
  ),
);

/** A change to a refused question that removes the fault. */
export type Remedy = ReadonlyStatic<typeof remedySchema>;

export const faultSchema = closedObject({
  Path: Type.String({
    description: 'Path of the value, for example VastTag.Countries[1].CC; "" = the whole request',
  }),
  Code: labelled(faultCodes, 'Kind of fault'),
  Message: Type.String({ description: 'What would be correct' }),
  Remedies: Type.Optional(
    Type.Array(remedySchema, {
      description: 'For questions to the statistics: possible changes; any one of them is enough',
    }),
  ),
});

/** Where, which kind, and what would be right (reference, W7). */
export type Fault = ReadonlyStatic<typeof faultSchema>;

/** Of every failed answer (reference, W7). */
export const failureSchema = named(
  'Failure',
  closedObject(
    {
      Status: Type.Literal('Error', { type: 'string', description: 'The call has failed' }),
      Error: Type.String({ description: 'The reason, as one readable text' }),
      Errors: Type.Optional(
        Type.Array(faultSchema, { description: 'Every fault of the request, if there are any' }),
      ),
    },
    'Body of every failed answer',
  ),
);

export type Failure = ReadonlyStatic<typeof failureSchema>;
