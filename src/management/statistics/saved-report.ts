import { entityOf } from '../../entities/registry.ts';
import { Refusal } from '../../fields/fault.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { shownIn, wholeDays } from '../../statistics/asking/zones.ts';
import type { Sending } from '../../store/sending/interface.ts';
import type { Context } from '../context.ts';
import { inLine, isSentTo, type Written, workingSecrets } from '../sent.ts';
import { answerReport } from './answer-report.ts';
import { assertStillOwn } from './own-report.ts';
import { readReportQuestion, type SentReport } from './report-question.ts';

/** Longest text that is sent; a longer one is no mail any more. */
const charactersMax = 20_000_000;
const nameInFileMax = 80;

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

/** What a mail says beside the file: a report without rows has none. */
function textOf(name: string, period: string, rows: number): string {
  const told =
    rows === 0
      ? 'There are no rows: nothing was counted that this report asks for.'
      : `${rows === 1 ? '1 row' : `${rows} rows`}, attached as CSV.`;
  return `${name}\n${period}\n\n${told}\n`;
}

/**
 * Asks and writes a saved report as it was due at a time: that is what its period is counted from; of one that a user
 * keeps alone, with that user's rights. Rejects with a `Refusal` where it is gone, cannot be answered, or is too long.
 */
export async function askSavedReport(
  context: Pick<Context, 'store' | 'now' | 'keptDays'>,
  { teamId, objectId, dueMs, channel, target }: Sending,
): Promise<Written> {
  const report = await context.store.find(entityOf('Report'), teamId, { id: objectId });
  if (!report) throw new Refusal('invalid', 'the report is not there any more');
  if (!isSentTo(report, { channel, target })) {
    throw new Refusal('invalid', 'the report is not sent there any more');
  }
  const sent = report.document as unknown as SentReport;
  const owner = await assertStillOwn(context.store, report, { channel, target });
  const question = { ...readReportQuestion(sent, teamId, dueMs), owner };
  const answer = await answerReport(context, question);
  const name = inLine(String(report.document.Name));
  const [from, to] = limitsOf(question);
  const Report = {
    ...{ Id: objectId, Name: report.document.Name, From: from, To: to },
    Due: new Date(dueMs).toISOString(),
  };
  const period = `${from} to ${to} (${question.zone})`;
  const isMail = channel === 'mail';
  const csv = isMail && answer.rowCount > 0 ? await whole(answer.csv()) : undefined;
  return {
    subject: `${name}: ${period}`,
    text: textOf(name, period, answer.rowCount),
    file:
      csv === undefined ? undefined : { name: fileNameOf(name.slice(0, nameInFileMax), from, to), text: csv },
    body: isMail ? '' : await whole(await answer.json({ Report })),
    secrets: workingSecrets(report, context.now()),
  };
}
