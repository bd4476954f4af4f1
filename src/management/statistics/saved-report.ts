import { entityOf } from '../../entities/registry.ts';
import { Refusal } from '../../fields/fault.ts';
import { type CsvForm, csvFileName } from '../../reference/csv.ts';
import type { Message } from '../../shared/message.ts';
import type { Sending } from '../../store/sending/interface.ts';
import type { Context } from '../context.ts';
import { currentSecrets, hasDestination, onOneLine } from '../message.ts';
import { unsubscribeUrl } from '../unsubscribe/unsubscribe-token.ts';
import { answerReport } from './answer-report.ts';
import { daysOfQuestion } from './csv-file.ts';
import { assertStillOwn } from './own-report.ts';
import { reportLink } from './report-link.ts';
import { reportMailText } from './report-mail.ts';
import { readReportQuestion, type SentReport } from './report-question.ts';

/** A longer one is no mail any more. */
const charactersMax = 20_000_000;

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

/**
 * As due at a time, from which its period counts; a user's own report has that user's rights. Rejects with a `Refusal`
 * if it is gone, unanswerable or too long.
 */
export async function askSavedReport(
  context: Pick<Context, 'store' | 'now' | 'keptDays'> & { readonly consoleUrl: () => string },
  { teamId, objectId, dueMs, channel, target }: Sending,
): Promise<Message> {
  const report = await context.store.find(entityOf('Report'), teamId, { id: objectId });
  if (!report) throw new Refusal('invalid', 'the report no longer exists');
  if (!hasDestination(report, { channel, target })) {
    throw new Refusal('invalid', 'the report is no longer sent there');
  }
  const sent = report.document as unknown as SentReport & CsvForm;
  const owner = await assertStillOwn(context.store, report, { channel, target });
  const isMail = channel === 'mail';
  const asked = readReportQuestion(sent, teamId, dueMs);
  const question = { ...asked, owner, hasTotal: asked.hasTotal || isMail };
  const answer = await answerReport(context, question);
  const name = onOneLine(String(report.document.Name));
  const [from, to] = daysOfQuestion(question);
  const Report = {
    Id: objectId,
    Name: report.document.Name,
    From: from,
    To: to,
    Due: new Date(dueMs).toISOString(),
  };
  const period = `${from} to ${to} (${question.zone})`;
  if (!isMail) {
    const body = await whole(await answer.json({ Report }));
    return { subject: '', text: '', file: undefined, body, secrets: currentSecrets(report, context.now()) };
  }
  const csv = answer.rowCount > 0 ? await whole(answer.csv(sent)) : undefined;
  const consoleUrl = context.consoleUrl();
  const leave = await unsubscribeUrl(context.store, consoleUrl, {
    teamId,
    reportId: objectId,
    address: target,
  });
  const text = reportMailText({
    name,
    reportId: objectId,
    period,
    question,
    rowCount: answer.rowCount,
    total: answer.total,
    link: reportLink(consoleUrl, report, owner !== undefined),
    address: target,
    team: onOneLine((await context.store.identity.team(teamId))?.name ?? 'a team'),
    host: new URL(consoleUrl).host,
    unsubscribeUrl: leave,
  });
  const file = csv === undefined ? undefined : { name: csvFileName(name, from, to), text: csv };
  return { subject: `${name}: ${period}`, text, file, unsubscribeUrl: leave, body: '', secrets: [] };
}
