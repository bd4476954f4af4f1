/** What each migration has made since the tables of pairs, and how it is undone. */
const undoing: Readonly<Record<string, readonly string[]>> = {
  '0002-cubes': ['drop table cube_start', 'drop table cube_name'],
  '0003-sending': ['drop table sending', 'drop table schedule'],
  '0004-partners': [
    'alter table "user" drop column partner_kind',
    'alter table "user" drop column partner_id',
  ],
  '0005-alerts': ['drop table alert_state', 'drop table alert_log', 'drop table lease'],
  '0006-reconciliation': ['drop table team_setting', 'drop table partner_fetch'],
  '0007-acting': ['drop table bid_sample'],
  '0008-outbox': ['drop table left_fact'],
  '0010-events': ['drop table taken_record', 'drop table shipped', 'drop table late_hour'],
  '0011-edges': ['drop table edge_key', 'drop table tracker_key'],
  '0012-leases': [
    ...['drop table limit_state', 'drop table limit_holder', 'drop table limit_resource'],
    ...['drop table limit_holding', 'drop table kept_promise'],
  ],
  '0013-known-networks': ['drop table known_network'],
  '0014-notices': ['drop table pending_notice'],
  '0015-partner-reports': ['drop table partner_report'],
  '0016-alert-times': [
    ...['drop table served_time', 'alter table alert_state drop column no_data'],
    ...['acknowledged_at', 'acknowledged_by', 'note', 'reminded_at'].map(
      (column) => `alter table alert_log drop column ${column}`,
    ),
  ],
};

/** Statements that bring a database to the form that it had before a migration; tables of cubes stay. */
export function undo(migration: string): readonly string[] {
  const later = Object.entries(undoing).filter(([name]) => name >= migration);
  return [
    ...later.toReversed().flatMap(([, statements]) => statements),
    `delete from kysely_migration where name >= '${migration}'`,
  ];
}
