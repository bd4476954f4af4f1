import { conditionOf, ruleOf } from '../../alerts/rule.ts';
import { type Fault, pathOf, Refusal } from '../../fields/fault.ts';
import type { Values } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { keptNow } from '../statistics/answer-report.ts';
import { noMail } from '../statistics/report-warnings.ts';
import { alertQuestions } from './alert-question.ts';

/** Where a fault of an alert's question stands in the alert. */
const fieldOf: Readonly<Record<string, string>> = { Measures: 'Measure', From: 'Window' };

async function unanswered(
  context: Pick<Context, 'store' | 'now' | 'keptDays'>,
  document: Values,
): Promise<readonly Fault[]> {
  const rule = ruleOf(document);
  const isFigure = conditionOf(rule.condition)?.about === 'figure' || rule.condition === 'AdsTxtMissing';
  if (!isFigure) return [];
  try {
    alertQuestions(rule, 0, await keptNow(context));
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid') return error.faults;
    throw error;
  }
}

/** What keeps an alert from being judged or sent as things are now: settings, and what is kept. */
export async function alertWarnings(
  context: Pick<Context, 'store' | 'now' | 'keptDays' | 'hasMail'>,
  document: Values,
): Promise<object[]> {
  const faults = await unanswered(context, document);
  const { Mails } = document as { readonly Mails?: readonly string[] };
  return [
    ...faults.map(({ Path, Message }) => ({ Path: pathOf('Alert', fieldOf[Path] ?? Path), Message })),
    ...(Mails && Mails.length > 0 && !context.hasMail ? [noMail('Alert')] : []),
  ];
}
