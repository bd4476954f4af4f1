import { Type } from 'typebox';
import { type Fault, pathOf, Refusal } from '../../fields/fault.ts';
import { assertAnswerable } from '../../statistics/asking/run-report.ts';
import type { Values } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { closedObject, named } from '../endpoint/wire-schema.ts';
import { keptNow } from './answer-report.ts';
import { readReportQuestion, type SentReport } from './report-question.ts';

/** Schema of what keeps a report or an alert from being answered or sent. */
export const reportWarningSchema = named(
  'ReportWarning',
  closedObject({
    Path: Type.String({ description: 'Path of the value that it is about, as in faults' }),
    Message: Type.String({ description: 'What is in the way, and what would help' }),
  }),
);

/** The warning of an object that would send mail. */
export const noMail = (wrapper: string) => ({
  Path: pathOf(wrapper, 'Mails'),
  Message: 'no mail is sent by this server: BOURSE_SMTP_URL is not set; set it, or use a WebhookUrl',
});

/** What of a report's question cannot be answered now. */
async function unanswered(
  context: Pick<Context, 'store' | 'now' | 'keptDays'>,
  document: Values,
): Promise<readonly Fault[]> {
  try {
    const question = readReportQuestion(document as unknown as SentReport, 0, context.now());
    assertAnswerable(question, await keptNow(context), context.store.statistics);
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid') return error.faults;
    throw error;
  }
}

/** What keeps a report from being answered or sent as things are now: settings, and what is kept. */
export async function reportWarnings(
  context: Pick<Context, 'store' | 'now' | 'keptDays' | 'hasMail'>,
  document: Values,
): Promise<object[]> {
  const faults = await unanswered(context, document);
  const { Mails } = document as { readonly Mails?: readonly string[] };
  return [
    ...faults.map(({ Path, Message }) => ({ Path: pathOf('Report', Path), Message })),
    ...(Mails && Mails.length > 0 && !context.hasMail ? [noMail('Report')] : []),
  ];
}
