import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { snakeCase } from '../database/tables.ts';
import { subIdArchive } from '../statistics/cube-tables.ts';

const counts = subIdArchive.counters.map(snakeCase);
const listed = (of: (column: string) => string, separator = ', ') => sql.raw(counts.map(of).join(separator));
/** While servers of the version before run, they delete rows of the cube's oldest days. */
const deletedDaysMax = 7;
/** `namesKeptDays`. */
const namedDays = 32;

/** Like `attributeValue`. */
const value = sql.raw(`case when substr(sub_id, 1, 1) = '\\' then '\\' || sub_id else sub_id end`);

/** From when on subids are in their cube; earlier ones stay. 0 = all are in the cube. */
async function archiveEnd(db: Kysely<unknown>, lastDay: number): Promise<number> {
  const { rows } = await sql<{ slot: number | null }>`select min(slot) as slot from cube_sub_id_day`.execute(
    db,
  );
  const first = Number(rows[0]?.slot ?? lastDay + 1);
  const earlier = await sql`select 1 as one from statistic_sub_id where day < ${first} limit 1`.execute(db);
  if (earlier.rows.length === 0) return 0;
  // Older rows of the cube are gone.
  await sql`update cube_start set slot = ${first + 1} where name = 'cube_sub_id_day' and slot <= ${first}`.execute(
    db,
  );
  return Math.min(first + deletedDaysMax, lastDay + 1);
}

/**
 * The cube has fewer names a day than `statistic_sub_id`: moves what each subid counted from `other` to its name. Only
 * the version before uses `statistic_day` and `statistic_sub_id`; the next one copies what is left to the cube, and drops
 * them.
 */
export async function subIds(_: Database, db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ day: number | null }>`select max(day) as day from statistic_sub_id`.execute(
    db,
  );
  const lastDay = rows[0]?.day ?? undefined;
  if (lastDay === undefined) return;
  const from = await archiveEnd(db, Number(lastDay));
  await sql`insert into cube_start (name, slot) values (${subIdArchive.name}, ${from})`.execute(db);
  await sql`insert into cube_sub_id_day (slot, team_id, publisher_id, supply_kind, supply_id, sub_id, ${listed(String)})
    select d.day, coalesce(o.team_id, 0), coalesce(o.publisher_id, 0), d.kind, d.id, d.sub_id,
      ${listed((column) => `sum(d.${column})`)}
    from (
      select day, kind, id, ${value} as sub_id, ${listed(String)} from statistic_sub_id where day >= ${from}
      union all select c.slot, c.supply_kind, c.supply_id, c.sub_id, ${listed((column) => `-c.${column}`)}
      from cube_sub_id_day c where c.slot >= ${from} and exists (select 1 from statistic_sub_id s
        where s.kind = c.supply_kind and s.id = c.supply_id and s.day = c.slot)) d
    left join (select slot, supply_kind, supply_id, max(team_id) as team_id, max(publisher_id) as publisher_id
      from cube_sub_id_day where slot >= ${from} group by slot, supply_kind, supply_id) o
      on o.slot = d.day and o.supply_kind = d.kind and o.supply_id = d.id
    group by d.day, d.kind, d.id, d.sub_id, o.team_id, o.publisher_id
    having ${listed((column) => `sum(d.${column}) <> 0`, ' or ')}
    on conflict (slot, supply_kind, supply_id, sub_id, publisher_id) do update
    set ${listed((column) => `${column} = cube_sub_id_day.${column} + excluded.${column}`)}`.execute(db);
  await sql`insert into cube_name (cube, kind, id, day, name)
    select 'subId', kind, id, day, ${value} from statistic_sub_id
    where sub_id not in ('', 'other') and day > ${Number(lastDay) - namedDays} on conflict do nothing`.execute(
    db,
  );
}
