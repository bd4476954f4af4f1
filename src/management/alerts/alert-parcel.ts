import { ruleOf } from '../../alerts/rule.ts';
import { figureText, ruleInWords } from '../../alerts/words.ts';
import { destinationsOf } from '../../entities/destinations.ts';
import { entityOf } from '../../entities/registry.ts';
import { Refusal } from '../../fields/fault.ts';
import { type AlertEnding, alertEndings } from '../../reference/alert-conditions.ts';
import type { MeasureName } from '../../reference/measures.ts';
import type { StoredFinding } from '../../store/alerts/interface.ts';
import type { Values } from '../../store/interface.ts';
import type { Destination, Sending } from '../../store/sending/interface.ts';
import type { Context } from '../context.ts';
import { readMoment } from '../input/moment.ts';
import { inLine, isSentTo, type Written, workingSecrets } from '../sent.ts';
import { shownFinding } from './shown-finding.ts';

/** Whom an alert tells; undefined while it is muted: then it tells later what still fires. */
export function alertTells(document: Values, nowMs: number): readonly Destination[] | undefined {
  const { Muted, MutedUntil } = document;
  const until = readMoment(String(MutedUntil ?? ''));
  // A day is muted to its end.
  const isMuted = Muted === 1 || (until !== undefined && nowMs < until.untilMs - 1);
  return isMuted ? undefined : destinationsOf(document);
}

const objectsInSubject = 3;
const linesMax = 100;

const timeText = (ms: number | undefined) =>
  ms === undefined ? '' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function subjectText({ kind, id, name }: StoredFinding): string {
  return kind === '' ? 'All together' : `${inLine(name)} (${entityOf(kind).title} ${id})`;
}

/** What a mail says of a finding, in a line. */
function lineOf(finding: StoredFinding, measure: MeasureName | undefined): string {
  const { firstValue, lastValue, detail, beganMs, endedMs, heldSinceMs, ending } = finding;
  const figure = (value: number | null) => (value === null ? '' : `: ${figureText(value, measure)}`);
  const more = detail ? ` (${detail})` : '';
  if (endedMs === undefined) {
    return `- ${subjectText(finding)}${figure(firstValue)}${more}, since ${timeText(heldSinceMs)}`;
  }
  const why = alertEndings[ending as AlertEnding] ?? '';
  return `- ${subjectText(finding)}${figure(lastValue)}, from ${timeText(beganMs)} to ${timeText(endedMs)}: ${why}`;
}

function linesOf(
  title: string,
  findings: readonly StoredFinding[],
  measure: MeasureName | undefined,
): string {
  if (findings.length === 0) return '';
  const lines = findings.slice(0, linesMax).map((finding) => lineOf(finding, measure));
  const more = findings.length > linesMax ? [`and ${findings.length - linesMax} more`] : [];
  return `${[title, ...lines, ...more].join('\n')}\n\n`;
}

function subjectOf(name: string, begun: readonly StoredFinding[], ended: readonly StoredFinding[]): string {
  const told = begun.length > 0 ? begun : ended;
  const objects = told
    .filter(({ kind }) => kind !== '')
    .slice(0, objectsInSubject)
    .map((finding) => inLine(finding.name));
  const more = told.length > objectsInSubject ? ` and ${told.length - objectsInSubject} more` : '';
  const of = objects.length > 0 ? `: ${objects.join(', ')}${more}` : '';
  return `${begun.length > 0 ? 'Alert' : 'Over'}: ${name}${of}`;
}

/**
 * Writes what an alert tells of a minute: what began to fire, and what ended. Rejects with a `Refusal` where the alert is
 * gone, or tells nothing there any more.
 */
export async function writeAlert(
  { store, now, consoleUrl }: Pick<Context, 'store' | 'now'> & { readonly consoleUrl: () => string },
  { teamId, objectId, dueMs, channel, target }: Sending,
): Promise<Written> {
  const alert = await store.find(entityOf('Alert'), teamId, { id: objectId });
  if (!alert) throw new Refusal('invalid', 'the alert is not there any more');
  const { document } = alert;
  if (!isSentTo(alert, { channel, target })) {
    throw new Refusal('invalid', 'the alert is not sent there any more');
  }
  const { begun, ended } = await store.alerts.sentAt(objectId, dueMs);
  const rule = ruleOf(document);
  const [name, words] = [inLine(String(document.Name)), ruleInWords(rule)];
  const link = `${consoleUrl()}/console/Alert/${objectId}`;
  const told = linesOf('Fires:', begun, rule.measure) + linesOf('Is over:', ended, rule.measure);
  const Alert = { Id: objectId, Name: name, Rule: words, Time: new Date(dueMs).toISOString(), Url: link };
  return {
    subject: subjectOf(name, begun, ended),
    text: `${name}\n${words}\n\n${told}${link}\n`,
    file: undefined,
    body: JSON.stringify({ Alert, Begun: begun.map(shownFinding), Ended: ended.map(shownFinding) }),
    secrets: workingSecrets(alert, now()),
  };
}
