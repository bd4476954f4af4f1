import { type Kysely, type Selectable, sql } from 'kysely';
import type { PartnerReportTable } from '../database/partner-tables.ts';
import type { Schema } from '../database/schema.ts';
import type { ObjectKey } from '../statistics/interface.ts';
import type { FetchedDays, ReportedCounts, ReportedVersion } from './interface.ts';

/** Per day; beyond, the newest replaces the previous one. */
const versionsMax = 100;

type State = 'reported' | 'missing' | 'taken back';
const stateOf = (counts: ReportedCounts | undefined): State => {
  if (!counts) return 'taken back';
  return counts.isMissing ? 'missing' : 'reported';
};

/** If it changed. Nothing is noted of a day never reported. */
export async function noteVersion(
  connection: Kysely<Schema>,
  { kind, id }: ObjectKey,
  day: number,
  { counts, fetchedMs }: { readonly counts: ReportedCounts | undefined; readonly fetchedMs: number },
): Promise<void> {
  const ofDay = connection.selectFrom('partner_report').where((is) => is.and({ kind, id, day }));
  const last = await ofDay.selectAll().orderBy('fetched_at', 'desc').limit(1).executeTakeFirst();
  if (!last && !counts) return;
  const { impressions = 0, clicks = 0, nanos = 0 } = counts ?? {};
  const said = { state: stateOf(counts), impressions, clicks, nanos };
  const isSame =
    last?.state === said.state &&
    Number(last.impressions) === impressions &&
    Number(last.clicks) === clicks &&
    Number(last.nanos) === nanos;
  if (isSame) return;
  const { count } = await ofDay.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  if (last && Number(count) >= versionsMax) {
    await connection
      .deleteFrom('partner_report')
      .where((is) => is.and({ kind, id, day, fetched_at: last.fetched_at }))
      .execute();
  }
  await connection
    .insertInto('partner_report')
    .values({ kind, id, day, fetched_at: fetchedMs, ...said })
    .onConflict((conflict) => conflict.columns(['kind', 'id', 'day', 'fetched_at']).doUpdateSet(said))
    .execute();
}

const versionOf = (row: Selectable<PartnerReportTable>): ReportedVersion => ({
  day: row.day,
  fetchedMs: Number(row.fetched_at),
  impressions: Number(row.impressions),
  clicks: Number(row.clicks),
  nanos: Number(row.nanos),
  isMissing: row.state === 'missing',
  isTakenBack: row.state === 'taken back',
});

/** The newest days and versions first. */
export async function readVersions(
  reader: Kysely<Schema>,
  { kind, id }: ObjectKey,
  { fromDay, toDay }: FetchedDays,
  limit: number,
): Promise<ReportedVersion[]> {
  const rows = await reader
    .selectFrom('partner_report')
    .selectAll()
    .where((is) => is.and({ kind, id }))
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .orderBy('day', 'desc')
    .orderBy('fetched_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(versionOf);
}
