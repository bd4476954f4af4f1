import { setImmediate as turn } from 'node:timers/promises';
import { Type } from 'typebox';
import { entityOf } from '../../entities/registry.ts';
import type { KeptNow } from '../../statistics/asking/plan-report.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { type ReportRow, runReport, settledUntil } from '../../statistics/asking/run-report.ts';
import { shownIn } from '../../statistics/asking/zones.ts';
import { reportFormats } from '../../statistics/report-text.ts';
import type { Store } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { everyUser } from '../endpoint/access.ts';
import { defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { text } from '../endpoint/parameter.ts';
import { closedObject, okStatus } from '../endpoint/wire-schema.ts';
import { refuseUnseen } from './own-question.ts';
import {
  type AnswerRow,
  answerColumns,
  answerRow,
  answerTotal,
  csvColumns,
  type Names,
  namesIn,
  rowSchema,
  totalSchema,
} from './report-answer.ts';
import { questionBody, readReportQuestion } from './report-question.ts';

/** Reports of the management API. */
export const reportsTag: Tag = {
  name: 'Reports',
  description: "What a team's objects have counted, by any of the dimensions that are kept together.",
};

const rowsPerPart = 500;
const minutesOfAds = 60;
const minutesLongest = 31 * 24 * 60;
const pageSize = 1000;

/** How long after an auction its ads may still count, of all of a team's demand. */
async function lastingMinutes(store: Pick<Store, 'page'>, teamId: number): Promise<number> {
  let longest = minutesOfAds;
  for (let afterId = 0; ; ) {
    const page = await store.page(entityOf('DspRtbEp'), teamId, { afterId }, pageSize, ['ExpiryWindow']);
    for (const { document } of page) longest = Math.max(longest, Number(document.ExpiryWindow ?? 0));
    if (page.length < pageSize) return Math.min(longest, minutesLongest);
    afterId = page.at(-1)?.id ?? 0;
  }
}

/** What is kept now. */
async function keptNow({
  store,
  now,
  keptDays,
}: Pick<Context, 'store' | 'now' | 'keptDays'>): Promise<KeptNow> {
  return { nowMs: now(), keptDays, starts: await store.statistics.cubeStarts() };
}

async function* inParts(
  question: ReportQuestion,
  rows: readonly ReportRow[],
  names: Names,
): AsyncGenerator<readonly AnswerRow[]> {
  for (let from = 0; from === 0 || from < rows.length; from += rowsPerPart) {
    yield rows.slice(from, from + rowsPerPart).map((row) => answerRow(question, row, names));
    await turn();
  }
}

/** The answer as JSON, in pieces. */
async function* jsonText(
  parts: AsyncIterable<readonly AnswerRow[]>,
  { Status, Columns, ...behind }: Readonly<Record<string, unknown>>,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ Status, Columns }).slice(0, -1)},"Rows":[`;
  let separator = '';
  for await (const rows of parts) {
    if (rows.length === 0) continue;
    yield separator + JSON.stringify(rows).slice(1, -1);
    separator = ',';
  }
  yield `],${JSON.stringify(behind).slice(1)}`;
}

const exampleRow = { Day: '2027-01-31T00:00:00+01:00', Requests: 1200, Revenue: 1.5 };
const exampleColumns = [
  { Name: 'Day', Unit: '', Help: 'Its start' },
  { Name: 'Requests', Unit: '', Help: 'Requests' },
  { Name: 'Revenue', Unit: 'USD', Help: 'Earned from advertisers' },
];

/** POST /api/statistics/report: figures by dimensions and steps of time. */
export const askReport = defineEndpoint({
  method: 'POST',
  path: '/api/statistics/report',
  name: 'askReport',
  tag: reportsTag,
  summary: 'Ask for a report',
  description:
    "What the team's objects counted between two times, by steps of time in any zone and by dimensions, with filters, an order, sums, and the figures of another period beside. Publishers and advertisers are those that owned the objects then. Requests and Opportunities are those of supply: rows of demand have Calls instead. What is kept cannot answer every combination; a question that it cannot answer says what could be asked. Partners see what their account owns, and of measures and dimensions those that are theirs. Figures are a second or two old; up to SettledUntil they change no more.",
  access: everyUser,
  parameters: {
    type: text({
      help: 'csv = rows as CSV with a header line; json, or absent, = the answer as JSON',
      schema: { type: 'string', enum: ['json', 'csv'] },
      example: 'json',
      check: (value) =>
        ['', 'json', 'csv'].includes(value)
          ? undefined
          : { Code: 'out_of_range', Message: 'must be json or csv' },
    }),
  },
  accepts: questionBody,
  returns: {
    description: 'The report',
    schema: closedObject({
      Status: okStatus,
      Columns: Type.Array(
        closedObject({
          Name: Type.String({ description: 'Member of the rows' }),
          Unit: Type.String({ description: 'Its unit; `""` where it has none' }),
          Help: Type.String({ description: 'What it is' }),
        }),
        { description: 'The members of rows, in their order' },
      ),
      Rows: Type.Array(rowSchema, { description: 'The rows' }),
      Total: Type.Optional(totalSchema),
      SettledUntil: Type.String({ description: 'Figures of before this time change no more; in TimeZone' }),
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
      const { store, now } = context;
      if (partner) refuseUnseen(body, partner);
      const question = { ...readReportQuestion(body, teamId, now()), owner: partner };
      const { rows, total } = await runReport(store.statistics, question, await keptNow(context));
      const names = await namesIn(store, question, rows);
      const parts = inParts(question, rows, names);
      const csv = reportFormats.get('csv');
      if (parameters.type === 'csv' && csv)
        return { type: csv.type, body: csv.write(csvColumns(question), parts) };
      const lasting = await lastingMinutes(store, teamId);
      const SettledUntil = shownIn(settledUntil(now(), lasting), question.zone);
      const rest = { ...(total && { Total: answerTotal(total) }), SettledUntil };
      return {
        type: 'application/json; charset=utf-8',
        body: jsonText(parts, { Status: 'Ok', Columns: answerColumns(question), ...rest }),
      };
    },
});
