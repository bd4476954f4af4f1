import { setImmediate as turn } from 'node:timers/promises';
import { entityOf } from '../../entities/registry.ts';
import { byteOrderMark, type CsvForm } from '../../reference/csv.ts';
import type { RetentionState } from '../../statistics/asking/plan-report.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { type ReportRow, runReport } from '../../statistics/asking/run-report.ts';
import { csvFormat } from '../../statistics/statistics-text.ts';
import type { Store } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import {
  type AnswerRow,
  answerBefore,
  answerColumns,
  answerRow,
  answerTotal,
  csvColumns,
  type Names,
  readObjectNames,
} from './report-answer.ts';
import { settlement } from './settlement.ts';

/** Few enough that auctions wait less than a millisecond. */
const rowsPerPart = 100;
const minutesOfAds = 60;
const minutesLongest = 31 * 24 * 60;
const pageSize = 1000;

/** How long after an auction its ads may still count, for all of a team's demand. */
async function lastingMinutes(store: Pick<Store, 'page'>, teamId: number): Promise<number> {
  let longest = minutesOfAds;
  for (let afterId = 0; ; ) {
    const page = await store.page(entityOf('DspRtbEp'), teamId, { afterId }, pageSize, ['ExpiryWindow']);
    for (const { document } of page) longest = Math.max(longest, Number(document.ExpiryWindow ?? 0));
    if (page.length < pageSize) return Math.min(longest, minutesLongest);
    afterId = page.at(-1)?.id ?? 0;
  }
}

export async function readRetention({
  store,
  now,
  keptDays,
}: Pick<Context, 'store' | 'now' | 'keptDays'>): Promise<RetentionState> {
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

/** As the pieces become known. */
interface StreamedText {
  readonly type: string;
  readonly body: AsyncIterable<string>;
}

/** In the form that is wanted. */
export interface WrittenReport {
  readonly rowCount: number;
  /** Sums of all rows, if wanted. */
  readonly total: AnswerRow | undefined;
  /** Begins with a byte order mark. */
  csv(form?: CsvForm): StreamedText;
  /** `beside`: further members of the answer. */
  json(beside?: object): Promise<StreamedText>;
}

/** Refuses with `invalid` if what is kept cannot answer it. */
export async function answerReport(
  context: Pick<Context, 'store' | 'now' | 'keptDays'>,
  question: ReportQuestion,
): Promise<WrittenReport> {
  const { store, now } = context;
  const answer = await runReport(store.statistics, question, await readRetention(context));
  const { rows, total, before, hasPartial, isSampled, wholeUntilMs } = answer;
  const columnsOf = { ...question, hasPartial };
  const names = await readObjectNames(store, question, rows);
  const parts = () => inParts(question, rows, names);
  return {
    rowCount: rows.length,
    total: total && answerTotal(total),
    csv(form) {
      const format = csvFormat(form, byteOrderMark);
      return { type: format.type, body: format.write(csvColumns(columnsOf), parts()) };
    },
    async json(beside = {}) {
      const lasting = await lastingMinutes(store, question.teamId);
      const settled = await settlement(store.statistics, question, { nowMs: now(), wholeUntilMs, lasting });
      const Total = total && answerTotal(total);
      const Before = before && answerBefore(before, question);
      const rest = {
        ...(Total && { Total }),
        ...(Before && { Before }),
        ...settled,
        ...(isSampled && { Sampled: 1 }),
        ...beside,
      };
      const shown = { Status: 'Ok', Columns: answerColumns(columnsOf), ...rest };
      return { type: 'application/json; charset=utf-8', body: jsonText(parts(), shown) };
    },
  };
}
