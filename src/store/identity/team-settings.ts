import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Selectable } from 'kysely';
import {
  defaultTeamSettings,
  teamSettings as fields,
  type TeamSettings,
} from '../../entities/team-settings.ts';
import type { Schema, TeamSettingTable } from '../database/schema.ts';
import { recordChanges } from '../log/change-log.ts';
import type { StoredTeamSettings } from './interface.ts';
import type { PeopleContext } from './record-people.ts';

type Row = Selectable<TeamSettingTable>;

/** The version before knows only the column of `MeasurementUrl`. */
export const settingsOf = ({ measurement_url: MeasurementUrl, settings }: Row): TeamSettings => ({
  ...defaultTeamSettings,
  ...(JSON.parse(settings) as Partial<TeamSettings>),
  MeasurementUrl,
});

/** Those of one that are otherwise in the other. */
function difference(one: TeamSettings, other: TeamSettings): Partial<TeamSettings> {
  const values = new Map<string, unknown>(Object.entries(other));
  return Object.fromEntries(
    Object.entries(one).filter(([name, value]) => !isDeepStrictEqual(value, values.get(name))),
  );
}

/** Defaults are left out, so that a team follows them. */
function columnsOf(settings: TeamSettings): Omit<Row, 'team_id' | 'revision'> {
  const { MeasurementUrl: _, ...others } = difference(settings, defaultTeamSettings);
  return { measurement_url: settings.MeasurementUrl, settings: JSON.stringify(others) };
}

export async function teamSettings(reader: Kysely<Schema>, id: number): Promise<StoredTeamSettings> {
  const row = await reader
    .selectFrom('team_setting')
    .selectAll()
    .where('team_id', '=', id)
    .executeTakeFirst();
  return row
    ? { revision: Number(row.revision), settings: settingsOf(row) }
    : { revision: 0, settings: defaultTeamSettings };
}

/** Recorded in the history; does nothing if no value would change. */
export async function updateTeamSettings(
  { connection, log, author: { userId, now } }: PeopleContext,
  id: number,
  valuesFor: (current: StoredTeamSettings) => Partial<TeamSettings>,
): Promise<StoredTeamSettings> {
  const current = await teamSettings(connection, id);
  const settings = { ...current.settings, ...valuesFor(current) };
  const after = difference(settings, current.settings);
  if (Object.keys(after).length === 0) return current;
  const revision = await log.take(1);
  const columns = { ...columnsOf(settings), revision };
  await connection
    .insertInto('team_setting')
    .values({ team_id: id, ...columns })
    .onConflict((conflict) => conflict.column('team_id').doUpdateSet(columns))
    .execute();
  const context = { connection, actor: { teamId: id, userId }, now, log };
  const entity = { key: 'Team', fields };
  const before = difference(current.settings, settings);
  await recordChanges(context, [{ id, operation: 'update', before, after, revision, entity }]);
  return { revision, settings };
}
