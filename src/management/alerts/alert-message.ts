import { type Rule, ruleOf } from '../../alerts/rule.ts';
import { figureText, ruleInWords } from '../../alerts/words.ts';
import { destinationsOf } from '../../entities/destinations.ts';
import { entityOf } from '../../entities/registry.ts';
import { Refusal } from '../../fields/fault.ts';
import { readMoment } from '../../fields/moment.ts';
import {
  type AlertEnding,
  alertEndings,
  alertSeverities,
  standardSeverity,
} from '../../reference/alert-conditions.ts';
import type { ChatFormat } from '../../reference/chat-formats.ts';
import type { Message } from '../../shared/message.ts';
import { textInZone } from '../../statistics/asking/zones.ts';
import type { StoredFinding } from '../../store/alerts/interface.ts';
import type { Values } from '../../store/interface.ts';
import type { Destination, Sending } from '../../store/sending/interface.ts';
import type { Context } from '../context.ts';
import { currentSecrets, hasDestination, onOneLine } from '../message.ts';
import { linksOf } from './alert-links.ts';
import { chatBodies } from './chat-message.ts';
import { shownFinding } from './shown-finding.ts';

/** Undefined while it is muted; later it reports what still fires. */
export function alertDestinations(document: Values, nowMs: number): readonly Destination[] | undefined {
  const { Muted, MutedUntil } = document;
  const until = readMoment(String(MutedUntil ?? ''));
  // Muted to the end of the day.
  const isMuted = Muted === 1 || (until !== undefined && nowMs < until.untilMs - 1);
  return isMuted ? undefined : destinationsOf(document);
}

const objectsInSubject = 3;
const linesMax = 100;

/** By the clock of a zone. */
const timeText = (ms: number | undefined, zone: string) =>
  ms === undefined ? '' : `${textInZone(ms, zone).slice(0, 16).replace('T', ' ')} ${zone}`;

function subjectText({ kind, id, name }: StoredFinding): string {
  return kind === '' ? 'All together' : `${onOneLine(name)} (${entityOf(kind).title} ${id})`;
}

interface Lines {
  readonly rule: Rule;
  readonly consoleUrl: string;
}

/** One line; with links below if it fires. */
function lineOf(finding: StoredFinding, { rule, consoleUrl }: Lines): string {
  const { firstValue, lastValue, detail, beganMs, endedMs, heldSinceMs, ending } = finding;
  const figure = (value: number | null) => (value === null ? '' : `: ${figureText(value, rule.measure)}`);
  const more = detail ? ` (${detail})` : '';
  if (endedMs === undefined) {
    const since = timeText(heldSinceMs, rule.zone);
    const links = Object.entries(linksOf(consoleUrl, rule, finding)).map(
      ([name, url]) => `  ${name}: ${url}`,
    );
    const value = lastValue ?? firstValue;
    return [`- ${subjectText(finding)}${figure(value)}${more}, since ${since}`, ...links].join('\n');
  }
  const why = alertEndings[ending as AlertEnding] ?? '';
  const times = `from ${timeText(beganMs, rule.zone)} to ${timeText(endedMs, rule.zone)}`;
  const by = finding.acknowledgedBy ? `; acknowledged by ${onOneLine(finding.acknowledgedBy)}` : '';
  return `- ${subjectText(finding)}${figure(lastValue)}, ${times}: ${why}${by}`;
}

function linesOf(title: string, findings: readonly StoredFinding[], of: Lines): string {
  if (findings.length === 0) return '';
  const lines = findings.slice(0, linesMax).map((finding) => lineOf(finding, of));
  const more = findings.length > linesMax ? [`and ${findings.length - linesMax} more`] : [];
  return `${[title, ...lines, ...more].join('\n')}\n\n`;
}

interface AlertNews {
  readonly begun: readonly StoredFinding[];
  readonly ended: readonly StoredFinding[];
  readonly reminded: readonly StoredFinding[];
}

function subjectOf(name: string, severity: number, { begun, ended, reminded }: AlertNews): string {
  const first = begun.length > 0 ? 'Alert' : 'Still';
  const told = [begun, reminded, ended].find((some) => some.length > 0) ?? [];
  const objects = told
    .filter(({ kind }) => kind !== '')
    .slice(0, objectsInSubject)
    .map((finding) => onOneLine(finding.name));
  const more = told.length > objectsInSubject ? ` and ${told.length - objectsInSubject} more` : '';
  const of = objects.length > 0 ? `: ${objects.join(', ')}${more}` : '';
  const grave = severity === standardSeverity ? '' : `[${severityText(severity)}] `;
  return told === ended ? `Over: ${name}${of}` : `${grave}${first}: ${name}${of}`;
}

const severityText = (severity: number) =>
  alertSeverities[severity as keyof typeof alertSeverities] ?? alertSeverities[standardSeverity];

/** What began, still fires, or ended. Rejects with a `Refusal` if alert or destination is gone. */
export async function writeAlertMessage(
  { store, now, consoleUrl }: Pick<Context, 'store' | 'now'> & { readonly consoleUrl: () => string },
  { teamId, objectId, dueMs, channel, target }: Sending,
): Promise<Message> {
  const alert = await store.find(entityOf('Alert'), teamId, { id: objectId });
  if (!alert) throw new Refusal('invalid', 'the alert no longer exists');
  const { document } = alert;
  if (!hasDestination(alert, { channel, target })) {
    throw new Refusal('invalid', 'the alert is no longer sent there');
  }
  const told = await store.alerts.sentAt(objectId, dueMs);
  const { begun, ended, reminded } = told;
  if (begun.length + ended.length + reminded.length === 0) {
    throw new Refusal('invalid', 'a newer message has been sent since');
  }
  const rule = ruleOf(document);
  const [name, words] = [onOneLine(String(document.Name)), ruleInWords(rule)];
  const severity = Number(document.Severity ?? standardSeverity);
  const owner = onOneLine(String(document.Owner ?? ''));
  const url = consoleUrl();
  const link = `${url}/console/Alert/${objectId}`;
  const of = { rule, consoleUrl: url };
  const lines = [
    linesOf('Fires:', begun, of),
    linesOf('Still firing, and nobody has acknowledged it:', reminded, of),
    linesOf('Over:', ended, of),
  ].join('');
  const head = [name, words, `${severityText(severity)}${owner && `, for ${owner}`}`].join('\n');
  const Alert = {
    Id: objectId,
    Name: name,
    Rule: words,
    Time: new Date(dueMs).toISOString(),
    Url: link,
    Severity: severity,
    Owner: owner,
  };
  const linked = (finding: StoredFinding) => ({
    ...shownFinding(finding),
    Links: linksOf(url, rule, finding),
  });
  const subject = subjectOf(name, severity, told);
  const text = `${head}\n\n${lines}${link}\n`;
  const format = String(document.WebhookFormat ?? '') as ChatFormat | '';
  const own = () => ({
    Alert,
    Begun: begun.map(linked),
    Ended: ended.map(linked),
    ...(reminded.length > 0 && { Reminded: reminded.map(linked) }),
  });
  return {
    subject,
    text,
    file: undefined,
    body: JSON.stringify(format === '' ? own() : chatBodies[format]({ subject, text })),
    secrets: currentSecrets(alert, now()),
  };
}
