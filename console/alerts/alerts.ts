import { queryOptions } from '@tanstack/react-query';
import type { AnswerTo } from '../api/answers.ts';
import { call, pollHeaders } from '../api/call.ts';
import { objectsQuery, type Stored, type Values } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';
import { isActive } from '../parts/object-name.ts';

/** What an alert has found of an object, or of all together. */
export type Finding = AnswerTo<'api/alert/log'>[number];

interface LogSearch {
  readonly Id?: number;
  readonly FiringOnly?: 1;
}

const pollMs = 15_000;

/** What alerts have found, the newest first; asked for again by itself. */
export const logQuery = (query: LogSearch = {}) =>
  queryOptions({
    queryKey: ['alert-log', query],
    queryFn: async ({ signal }) =>
      (await call('api/alert/log', { query: { ...query }, signal, headers: pollHeaders })).data,
    refetchInterval: pollMs,
  });

export const firingQuery = logQuery({ FiringOnly: 1 });

const shownFields = [
  'Condition',
  'Measure',
  'Threshold',
  'Window',
  'CompareTo',
  'TimeZone',
  'MinVolume',
  'MinVolumeOf',
  'GroupBy',
  'Filters',
  'HoldMinutes',
  'EndMinutes',
  'Hysteresis',
  'Mails',
  'WebhookUrl',
  'Muted',
  'MutedUntil',
  'Severity',
  'Owner',
  'RemindMinutes',
  'Firing',
  'FiringSince',
  'Value',
  'Problem',
  'NoData',
  'CheckedAt',
];

/** All alerts with their rules and how they are; asked for again by itself. */
export const alertsQuery = (entity: ShownEntity) => ({
  ...objectsQuery(entity, { fields: shownFields }),
  refetchInterval: pollMs,
});

/** When the muting of an alert ends: a day is muted to its end. `forever` = until somebody ends it. */
export function mutedUntil({ Muted, MutedUntil }: Values): number | 'forever' | undefined {
  if (Muted === 1) return 'forever';
  const text = String(MutedUntil ?? '');
  if (text === '') return undefined;
  const endMs = Date.parse(text) + (text.length === 'YYYY-MM-DD'.length ? 86_400_000 : 0);
  return endMs > Date.now() ? endMs : undefined;
}

/** How an alert is, the most urgent first. */
export type AlertMood = 'firing' | 'problem' | 'noData' | 'muted' | 'quiet' | 'off';

/** Moods in the order of the list. */
const moods: readonly AlertMood[] = ['firing', 'problem', 'noData', 'muted', 'quiet', 'off'];

export function moodOf(alert: Stored): AlertMood {
  if (!isActive(alert)) return 'off';
  if (Number(alert.Firing) > 0) return 'firing';
  if (alert.Problem) return 'problem';
  if (alert.NoData) return 'noData';
  return mutedUntil(alert) === undefined ? 'quiet' : 'muted';
}

/** Whether an alert fires, and is to be heard. */
export const isLoud = (alert: Stored): boolean =>
  moodOf(alert) === 'firing' && mutedUntil(alert) === undefined;

/** Alerts with those first that fire and are not muted, the gravest and then the oldest of them first. */
export const byUrgency = (alerts: readonly Stored[]): readonly Stored[] =>
  alerts.toSorted(
    (one, other) =>
      Number(isLoud(other)) - Number(isLoud(one)) ||
      moods.indexOf(moodOf(one)) - moods.indexOf(moodOf(other)) ||
      (isLoud(one) ? Number(other.Severity) - Number(one.Severity) : 0) ||
      String(one.FiringSince).localeCompare(String(other.FiringSince)) ||
      String(one.Name).localeCompare(String(other.Name)),
  );
