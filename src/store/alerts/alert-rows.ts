import type { Insertable, Selectable } from 'kysely';
import type { AlertEnding } from '../../reference/alert-conditions.ts';
import type { AlertLogTable } from '../database/alert-tables.ts';
import type { Finding, StoredFinding } from './interface.ts';

const msOf = (time: number | null) => (time === null ? undefined : Number(time));

export const findingOf = (row: Selectable<AlertLogTable>): StoredFinding => ({
  findingId: Number(row.id),
  alertId: row.alert_id,
  kind: row.kind,
  id: row.object_id,
  name: row.name,
  rule: row.rule,
  detail: row.detail,
  ending: row.ending as AlertEnding | '',
  heldSinceMs: Number(row.held_since),
  beganMs: msOf(row.began_at),
  endedMs: msOf(row.ended_at),
  clearedSinceMs: msOf(row.cleared_since),
  firstValue: row.first_value,
  compared: row.compared,
  lastValue: row.last_value,
  acknowledgedMs: msOf(row.acknowledged_at),
  acknowledgedBy: row.acknowledged_by ?? '',
  note: row.note ?? '',
});

export const changingOf = (finding: Finding) => ({
  held_since: finding.heldSinceMs,
  began_at: finding.beganMs ?? null,
  cleared_since: finding.clearedSinceMs ?? null,
  ended_at: finding.endedMs ?? null,
  ending: finding.ending,
  detail: finding.detail,
  first_value: finding.firstValue,
  compared: finding.compared,
  last_value: finding.lastValue,
});

export const rowOf = (
  finding: Finding,
  { alertId, teamId }: { readonly alertId: number; readonly teamId: number },
): Insertable<AlertLogTable> => ({
  team_id: teamId,
  alert_id: alertId,
  kind: finding.kind,
  object_id: finding.id,
  name: finding.name,
  rule: finding.rule,
  begin_sent_at: null,
  end_sent_at: null,
  ...changingOf(finding),
});
