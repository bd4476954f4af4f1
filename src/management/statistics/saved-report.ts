import { formerSecretsIn } from '../../entities/former-secrets.ts';
import { entityOf } from '../../entities/registry.ts';
import { Refusal } from '../../fields/fault.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { shownIn, wholeDays } from '../../statistics/asking/zones.ts';
import type { StoredObject, Values } from '../../store/interface.ts';
import type { Destination, Sending } from '../../store/sending/interface.ts';
import type { Context } from '../context.ts';
import { answerReport } from './answer-report.ts';
import { assertStillOwn } from './own-report.ts';
import { readReportQuestion, type SentReport } from './report-question.ts';

/** Longest text that is sent; a longer one is no mail any more. */
const charactersMax = 20_000_000;
const nameInFileMax = 80;

/** A report, asked and written. */
export interface SavedReport {
  readonly name: string;
  /** As `2027-01-01 to 2027-01-31 (UTC)`. */
  readonly period: string;
  readonly fileName: string;
  readonly rows: number;
  /** CSV where it is sent by mail, else the API's answer. */
  readonly text: string;
  /** Keys that sign it: the present one, and former ones that still work. */
  readonly secrets: readonly string[];
}

async function whole({ body }: { readonly body: AsyncIterable<string> }): Promise<string> {
  let text = '';
  for await (const part of body) {
    text += part;
    if (text.length > charactersMax) {
      throw new Refusal('too_large', 'it is too long to be sent; group by less, filter, or set a Limit');
    }
  }
  return text;
}

/** The first and the last day of a question, or its times where it is not about whole days. */
function limitsOf({ fromMs, untilMs, zone }: ReportQuestion): readonly [from: string, to: string] {
  if (wholeDays(fromMs, untilMs, zone) === undefined) return [shownIn(fromMs, zone), shownIn(untilMs, zone)];
  return [shownIn(fromMs, zone).slice(0, 10), shownIn(untilMs - 1, zone).slice(0, 10)];
}

/** A name of a file that every system takes for one. */
const fileNameOf = (...parts: readonly string[]) =>
  `${parts
    .map((part) => part.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, ''))
    .filter((part) => part !== '')
    .join('_')}.csv`;

function secretsOf({ document }: StoredObject, nowMs: number): string[] {
  const former = formerSecretsIn(document)?.WebhookSecret ?? [];
  const working = former.filter(({ UntilMs }) => UntilMs > nowMs).map(({ Value }) => Value);
  return [String(document.WebhookSecret), ...working];
}

const isSentTo = ({ Mails = [], WebhookUrl }: Values, { channel, target }: Destination): boolean =>
  channel === 'mail' ? (Mails as readonly string[]).includes(target) : WebhookUrl === target;

/**
 * Asks and writes a saved report, with the rights of the user whose own it is, as it was due at a time: that is what its period is counted from. Rejects with a
 * `Refusal` where it is gone, cannot be answered, or is too long.
 */
export async function askSavedReport(
  context: Pick<Context, 'store' | 'now' | 'keptDays'>,
  {
    teamId,
    reportId,
    dueMs,
    channel,
    target,
  }: Pick<Sending, 'teamId' | 'reportId' | 'dueMs' | keyof Destination>,
): Promise<SavedReport> {
  const report = await context.store.find(entityOf('Report'), teamId, { id: reportId });
  if (!report) throw new Refusal('invalid', 'the report is not there any more');
  // Who was taken off the report is sent nothing any more, not even what has failed before.
  if (!isSentTo(report.document, { channel, target })) {
    throw new Refusal('invalid', 'the report is not sent there any more');
  }
  const sent = report.document as unknown as SentReport;
  const owner = await assertStillOwn(context.store, report, { channel, target });
  const question = { ...readReportQuestion(sent, teamId, dueMs), owner };
  const answer = await answerReport(context, question);
  const name = String(report.document.Name);
  const [from, to] = limitsOf(question);
  const Report = { Id: reportId, Name: name, From: from, To: to, Due: new Date(dueMs).toISOString() };
  return {
    name,
    period: `${from} to ${to} (${question.zone})`,
    fileName: fileNameOf(name.slice(0, nameInFileMax), from, to),
    rows: answer.rowCount,
    text: await whole(channel === 'mail' ? answer.csv() : await answer.json({ Report })),
    secrets: secretsOf(report, context.now()),
  };
}
