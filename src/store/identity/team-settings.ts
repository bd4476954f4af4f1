import type { Kysely, Selectable } from 'kysely';
import type { Schema, TeamSettingTable } from '../database/schema.ts';
import { recordChanges } from '../log/change-log.ts';
import type { TeamSettings } from './interface.ts';
import type { PeopleContext } from './record-people.ts';

export const settingsOf = (row: Selectable<TeamSettingTable>): TeamSettings => ({
  measurementUrl: row.measurement_url,
});

export async function teamSettings(reader: Kysely<Schema>, id: number): Promise<TeamSettings> {
  const row = await reader
    .selectFrom('team_setting')
    .selectAll()
    .where('team_id', '=', id)
    .executeTakeFirst();
  return settingsOf(row ?? { team_id: id, measurement_url: '' });
}

/** Recorded in the history; does nothing if no value would change. */
export async function updateTeamSettings(
  { connection, log, author: { userId, now } }: PeopleContext,
  id: number,
  values: Partial<TeamSettings>,
): Promise<TeamSettings> {
  const before = await teamSettings(connection, id);
  const next = { ...before, ...values };
  if (next.measurementUrl === before.measurementUrl) return next;
  const columns = { measurement_url: next.measurementUrl };
  await connection
    .insertInto('team_setting')
    .values({ team_id: id, ...columns })
    .onConflict((conflict) => conflict.column('team_id').doUpdateSet(columns))
    .execute();
  const shown = ({ measurementUrl }: TeamSettings) => ({ MeasurementUrl: measurementUrl });
  const change = { id, operation: 'update' as const, before: shown(before), after: shown(next) };
  const entity = { key: 'Team', fields: {} };
  const context = { connection, actor: { teamId: id, userId }, now, log };
  await recordChanges(context, [{ ...change, revision: await log.take(1), entity }]);
  return next;
}
