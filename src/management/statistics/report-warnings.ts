import { type Fault, faultsBy, pathOf } from '../../fields/fault.ts';
import { assertAnswerable } from '../../statistics/asking/run-report.ts';
import type { Values } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { readRetention } from './answer-report.ts';
import { readReportQuestion, type SentReport } from './report-question.ts';

/** Its question's faults, and that this server sends no mail. */
export function sendingWarnings(
  wrapper: string,
  faults: readonly Fault[],
  { Mails }: { readonly Mails?: readonly string[] },
  { hasMail }: Pick<Context, 'hasMail'>,
): object[] {
  const noMail = 'this server sends no mail because BOURSE_SMTP_URL is not set; set it, or use a WebhookUrl';
  return [
    ...faults.map(({ Path, Message }) => ({ Path: pathOf(wrapper, Path), Message })),
    ...(Mails && Mails.length > 0 && !hasMail ? [{ Path: pathOf(wrapper, 'Mails'), Message: noMail }] : []),
  ];
}

async function unanswered(
  context: Pick<Context, 'store' | 'now' | 'keptDays'>,
  document: Values,
): Promise<readonly Fault[]> {
  const kept = await readRetention(context);
  return faultsBy(() => {
    const question = readReportQuestion(document as unknown as SentReport, 0, context.now());
    assertAnswerable(question, kept, context.store.statistics);
  });
}

/** Settings, or what is kept. */
export async function reportWarnings(
  context: Pick<Context, 'store' | 'now' | 'keptDays' | 'hasMail'>,
  document: Values,
): Promise<object[]> {
  return sendingWarnings('Report', await unanswered(context, document), document, context);
}
