import { Type } from 'typebox';
import { closedObject, labelled, named, type ReadonlyStatic } from './wire-schema.ts';

/** @internal */
export const faultCodes = {
  bad_line: 'Lines of a text cannot be read',
  changed: 'Was changed since it was fetched',
  common: 'Is a password that many people have, and that anybody would try first',
  contradiction: 'Two parts of a request say different things',
  duplicate: 'Stands twice where it may stand once',
  encoding: 'Holds characters that cannot be stored, or is not UTF-8',
  format: 'Does not have the form that is wanted',
  last_administrator: 'Would leave the team without an active administrator',
  link_used: 'Is the secret of no link, or of one that was used or has expired',
  macro: 'A URL holds a macro that may not stand there',
  not_found: 'Names what does not exist',
  out_of_range: 'Is below or above its bounds, or none of the values that are allowed',
  own_user: 'Names the user who calls, whom this must not happen to',
  read_only: 'Is made by the server and cannot be changed',
  required: 'Is missing or empty',
  second_factor: 'Is the code of the second factor, and missing or wrong',
  taken: 'Belongs to another object already',
  too_deep: 'Is nested too deep',
  too_long: 'Holds more characters, items or members than are allowed',
  too_short: 'Holds fewer characters than are wanted',
  type: 'Is of another JSON type than is wanted',
  unknown_field: 'Is no member that is known here',
  unknown_parameter: 'Is no parameter that is known here',
  wrong_password: 'Is not the password of the user',
  wrong_state: 'Is not possible as things are now; the message says what is in the way',
  wrapper: 'The body does not have exactly the one key that is wanted',
} as const;

const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));
const inPlace = (name: string) => `To be sent as \`${name}\``;

const remedySchema = named(
  'Remedy',
  closedObject(
    {
      LeaveOut: names('Names to leave out of GroupBy, Measures and Filters, or `CompareTo`'),
      AskFor: names('Measures that can be asked for in place of those that are left out; there may be more'),
      From: Type.Optional(Type.String({ description: 'To be sent as `From`, or a later time' })),
      GroupBy: names(inPlace('GroupBy')),
      TimeZone: Type.Optional(Type.String({ description: inPlace('TimeZone') })),
    },
    'A change to a question that is refused, after which this fault is gone',
  ),
);

/** A change to a refused question that removes the fault. */
export type Remedy = ReadonlyStatic<typeof remedySchema>;

const faultSchema = closedObject({
  Path: Type.String({ description: 'Path of the value, as VastTag.Countries[1].CC; "" = the whole request' }),
  Code: labelled(faultCodes, 'Kind of fault'),
  Message: Type.String({ description: 'What would be right' }),
  Remedies: Type.Optional(
    Type.Array(remedySchema, {
      description: 'Of questions to the statistics: what to change, any one of these',
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
      Error: Type.String({ description: 'Why, in one readable text' }),
      Errors: Type.Optional(
        Type.Array(faultSchema, { description: 'Every fault of the request, where it has such' }),
      ),
    },
    'Body of every failed answer',
  ),
);

export type Failure = ReadonlyStatic<typeof failureSchema>;
