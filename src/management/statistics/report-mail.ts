import { figureText } from '../../alerts/words.ts';
import type { MeasureName } from '../../reference/measures.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import type { AnswerRow } from './report-answer.ts';

/** The file has all. */
const sumsMax = 20;

interface ReportMail {
  readonly name: string;
  readonly reportId: number;
  /** Its days, and their zone. */
  readonly period: string;
  readonly question: ReportQuestion;
  readonly rowCount: number;
  readonly total: AnswerRow | undefined;
  readonly link: string;
  /** To whom, in whose name, and where that ends. */
  readonly address: string;
  readonly team: string;
  readonly host: string;
  readonly unsubscribeUrl: string;
}

type Figures = Readonly<Record<string, number | null>>;

/** One line each: with its unit, and that of the compared period. */
function sumsOf({ measures }: ReportQuestion, total: AnswerRow): string {
  const figures = new Map(Object.entries(total as Figures));
  const before = new Map(Object.entries((total.Before ?? {}) as Figures));
  const textOf = (of: ReadonlyMap<string, number | null>, name: MeasureName) => {
    const value = of.get(name);
    return value === undefined || value === null ? '–' : figureText(value, name);
  };
  const lines = measures.slice(0, sumsMax).map((name) => {
    const compared = before.size > 0 ? ` (before: ${textOf(before, name)})` : '';
    return `- ${name}: ${textOf(figures, name)}${compared}`;
  });
  const more = measures.length > sumsMax ? [`and ${measures.length - sumsMax} more in the file`] : [];
  return ['Totals:', ...lines, ...more].join('\n');
}

/** Besides the file: a report without rows has none. */
export function reportMailText(mail: ReportMail): string {
  const { name, reportId, period, question, rowCount, total, link } = mail;
  const { address, team, host, unsubscribeUrl } = mail;
  const rows =
    rowCount === 0
      ? 'There are no rows: nothing was counted for this report.'
      : `${rowCount === 1 ? '1 row' : `${rowCount} rows`}, attached as CSV.`;
  const parts = [
    `${name}\n${period}`,
    ...(total && rowCount > 0 ? [sumsOf(question, total)] : []),
    rows,
    link,
    `-- \nBourse at ${host} sends this to ${address} because this address is on the list of the report "${name}" (Report ${reportId}) of ${team}. To stop it: ${unsubscribeUrl}`,
  ];
  return `${parts.join('\n\n')}\n`;
}
