import { Type } from 'typebox';
import { closedObject, okStatus } from '../../answers/wire-schema.ts';
import { question } from '../../entities/question.ts';
import type { Field } from '../../fields/field.ts';
import { everyUser } from '../endpoint/access.ts';
import { checkedBody, type RequestBody } from '../endpoint/body.ts';
import { defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { text } from '../endpoint/parameter.ts';
import { described } from '../schemas.ts';
import { answerReport } from './answer-report.ts';
import { csvHeaders, csvParameters } from './csv-file.ts';
import { refuseHiddenRows } from './hidden-rows.ts';
import { beforeSchema, rowSchema, totalSchema } from './report-answer.ts';
import { readReportQuestion, type SentReport } from './report-question.ts';
import { settlementSchema } from './settlement.ts';

export const reportsTag: Tag = {
  name: 'Reports',
  description: "What a team's objects have counted, by any combination of dimensions that is kept.",
};

/** Of `/api/statistics/report`. */
const questionSchema = closedObject(
  Object.fromEntries(
    Object.entries<Field>(question).map(([name, field]) => {
      const schema = described(field.accepts, name, field);
      return [name, field.presence === 'required' ? schema : Type.Optional(schema)];
    }),
  ),
);

const questionExample = {
  ...Object.fromEntries(Object.entries<Field>(question).map(([name, { example }]) => [name, example])),
  Period: '',
  From: '2027-01-01',
  To: '2027-01-31',
};

/** Checked as far as one value alone can be. */
const questionBody = checkedBody({
  schema: questionSchema,
  example: () => questionExample,
}) as RequestBody<SentReport>;

const exampleRow = { Day: '2027-01-31T00:00:00+01:00', Requests: 1200, Revenue: 1.5 };
const exampleColumns = [
  { Name: 'Day', Unit: '', Help: 'Its start' },
  { Name: 'Requests', Unit: '', Help: 'Requests' },
  { Name: 'Revenue', Unit: 'USD', Help: 'Earned from advertisers' },
];

export const askReport = defineEndpoint({
  method: 'POST',
  path: '/api/statistics/report',
  name: 'askReport',
  tag: reportsTag,
  summary: 'Ask for a report',
  description:
    "What the team's objects counted between two times, by intervals in any time zone and by dimensions, with filters, an order, sums, and the figures of another period in Before. A rate without a base is null. Publishers and advertisers are those that owned the objects at that time. Requests and Opportunities belong to supply: rows of demand have Calls instead. Not every combination is kept; the answer to a question that cannot be answered says what can be asked instead. Partners see what their account owns, and the measures and dimensions that partners may see. Figures are one or two seconds old; before SettledUntil they are final, except in the hours that the answer lists.",
  access: everyUser,
  parameters: {
    type: text({
      help: 'csv = rows as a file of CSV with a header line, in UTF-8 with a byte order mark; json, or absent, = the answer as JSON',
      schema: { type: 'string', enum: ['json', 'csv'] },
      example: 'json',
      check: (value) =>
        ['', 'json', 'csv'].includes(value)
          ? undefined
          : { Code: 'out_of_range', Message: 'must be json or csv' },
    }),
    ...csvParameters,
  },
  accepts: questionBody,
  returns: {
    description: 'The report',
    schema: closedObject({
      Status: okStatus,
      Columns: Type.Array(
        closedObject({
          Name: Type.String({ description: 'Member of the rows' }),
          Unit: Type.String({ description: 'Its unit; `""` if it has none' }),
          Help: Type.String({ description: 'What it is' }),
        }),
        { description: 'The members of rows, in their order' },
      ),
      Rows: Type.Array(rowSchema, { description: 'The rows' }),
      Total: Type.Optional(totalSchema),
      Before: Type.Optional(beforeSchema),
      ...settlementSchema,
      Sampled: Type.Optional(
        Type.Literal(1, {
          description: 'Figures of auctions are projected from a sample; those of billable events are exact',
        }),
      ),
    }),
    example: () => ({
      Status: 'Ok',
      Columns: exampleColumns,
      Rows: [exampleRow],
      Total: { Requests: 1200, Revenue: 1.5 },
      SettledUntil: '2027-01-31T11:00:00+01:00',
    }),
    otherwise: {
      'text/csv': {
        schema: Type.String(),
        example: () => 'Day,Requests,Revenue\r\n2027-01-31T00:00:00+01:00,1200,1.5\r\n',
      },
    },
  },
  serve:
    (context) =>
    async ({ caller: { teamId, partner }, body, parameters }) => {
      if (partner) refuseHiddenRows(body, partner);
      const question = { ...readReportQuestion(body, teamId, context.now()), owner: partner };
      const answer = await answerReport(context, question);
      if (parameters.type !== 'csv') return answer.json();
      return { ...answer.csv(parameters), headers: csvHeaders(question, parameters.Name) };
    },
});
