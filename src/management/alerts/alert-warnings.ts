import { conditionOf, ruleOf } from '../../alerts/rule.ts';
import { type Fault, faultsBy } from '../../fields/fault.ts';
import { chatFormatOf } from '../../reference/chat-formats.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Values } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { readRetention } from '../statistics/answer-report.ts';
import { sendingWarnings } from '../statistics/report-warnings.ts';
import { alertQuestions } from './alert-question.ts';

/** Where a question's fault is in the alert. */
const fieldOf: Readonly<Record<string, string>> = { Measures: 'Measure', From: 'Window' };

async function unanswered(
  context: Pick<Context, 'store' | 'now' | 'keptDays'>,
  document: Values,
): Promise<readonly Fault[]> {
  const rule = ruleOf(document);
  const isFigure =
    conditionOf(rule.condition)?.about === 'figure' || conditionOf(rule.condition)?.refusal !== undefined;
  if (!isFigure) return [];
  const now = await readRetention(context);
  return faultsBy(() => alertQuestions(rule, 0, now)).map(({ Path, ...fault }) => ({
    ...fault,
    Path: ownMember(fieldOf, Path) ?? Path,
  }));
}

function otherFormat({ WebhookUrl = '', WebhookFormat = '' }: Values): object[] {
  const service = chatFormatOf(String(WebhookUrl));
  if (service === '' || service === WebhookFormat) return [];
  const Message = `does not suit WebhookUrl, which is one of ${service} and refuses other messages; set ${service}`;
  return [{ Path: 'Alert.WebhookFormat', Message }];
}

/** Settings or retention that keep an alert from being judged or sent. */
export async function alertWarnings(
  context: Pick<Context, 'store' | 'now' | 'keptDays' | 'hasMail'>,
  document: Values,
): Promise<object[]> {
  const unsent = sendingWarnings('Alert', await unanswered(context, document), document, context);
  return [...unsent, ...otherFormat(document)];
}
