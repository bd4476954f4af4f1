import type { Generated } from 'kysely';
import type { AlertLogTable, AlertStateTable, ServedTimeTable } from './alert-tables.ts';
import type { EdgeTables } from './edge-tables.ts';
import type { KnownNetworkTable } from './known-network-table.ts';
import type { LeaseTables } from './lease-tables.ts';
import type { PartnerFetchTable, PartnerReportTable } from './partner-tables.ts';
import type { RequiredFormTable } from './required-form-table.ts';
import type { ShippedTables } from './shipped-tables.ts';

/** The table of one entity's objects: columns for what is searched, `doc` for the values that a client sent. */
export interface ObjectTable {
  id: Generated<number>;
  team_id: number;
  /** Owner's ID, where the entity has an owner. */
  owner_id: number | null;
  /** Account manager's user ID, where the entity has one of its own. */
  manager_id: number | null;
  status: number;
  /** Revision of the last change that the object shows. */
  revision: number;
  name: string;
  /** Statistics login of publishers and advertisers. */
  username: string | null;
  stats_auth: string | null;
  /** JSON of the stored values by field name. */
  doc: string;
}

/** One row for each connection, seen from both sides; each side has its own order (reference, "connections"). */
export interface ConnectionTable {
  /** `<Entity>.<Field>` of the left side. */
  kind: string;
  left_id: number;
  right_id: number;
  left_position: number;
  right_position: number;
}

/** The text of a list, as of the revision that wrote it, in parts that end at a line's end. */
export interface ListTextTable {
  entity: string;
  entity_id: number;
  revision: number;
  part: number;
  text: string;
}

/** Where the lines of a list's last text are, by the hashes of their keys; see `list-lines.ts`. */
export interface ListLineTable {
  entity: string;
  entity_id: number;
  bucket: number;
  buckets: number;
  /** Six bytes a line. */
  lines: Uint8Array;
}

/** Every change of configuration, in the order it took effect: history, and the feed of the exchange. */
export interface ChangeTable {
  /** Counts up from 1 without gaps. */
  revision: number;
  /** Milliseconds since 1970. */
  time: number;
  user_id: number;
  team_id: number;
  entity: string;
  entity_id: number;
  operation: string;
  /** JSON of the changed values as they were; null on add. */
  before: string | null;
  /** JSON of the changed values as they became. */
  after: string;
  /** JSON of what another object's change connected and disconnected, by field; see `Links`. */
  links: string | null;
  /** Owner that the object came to with this change; null where it came to none. */
  owner_id: number | null;
  /** Owner that the object left with this change; null where it left none. */
  former_owner_id: number | null;
}

/** Teams, with the account that `/api/auth/account` shows. */
export interface TeamTable {
  id: Generated<number>;
  name: string;
  country: string;
  city: string;
  zip_code: string;
  address: string;
  phone: string;
}

/** What administrators set for their team; a team without a row has set nothing. */
export interface TeamSettingTable {
  team_id: number;
  /** URL of third-party measurement, with its macros; `""` = none. */
  measurement_url: string;
}

export interface UserTable {
  id: Generated<number>;
  team_id: number;
  /** Lower case, unique in the installation. */
  mail_key: string;
  mail: string;
  first_name: string;
  last_name: string;
  role: number;
  /** Of a partner: the kind and ID of its account. */
  partner_kind: string | null;
  partner_id: number | null;
  status: number;
  /** Empty until the invitation is accepted. */
  password_hash: string;
  /** JSON of the `SecondFactor`. */
  second_factor: string | null;
}

/**
 * Access tokens; API keys, which have a label; sessions of the console, which have an end. Times are milliseconds since
 * 1970.
 */
export interface TokenTable {
  id: Generated<number>;
  hash: string;
  user_id: number;
  label: string | null;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  /** Of a session of the console: use moves `expires_at` on, up to this. */
  ends_at: number | null;
  /** Where it was handed out to; null on API keys, and from the command line. */
  address: string | null;
  user_agent: string | null;
}

/** Links that work once, and what for. */
export interface LinkTable {
  hash: string;
  kind: string;
  user_id: number;
  /** Milliseconds since 1970. */
  expires_at: number;
  /** Of a download: the token that asked for it, and what for. */
  token_id: number | null;
  path: string | null;
}

/** The first answer to a request that carried an Idempotency-Key. */
export interface AnswerTable {
  /** In the order of time. */
  id: Generated<number>;
  team_id: number;
  /** The first characters of the key's SHA-256 in base64url. */
  key_hash: string;
  /** SHA-256 of the request in base64url. */
  request_hash: string;
  answer: string;
  /** Milliseconds since 1970. */
  time: number;
}

/** From when on a table of a cube is whole, in its steps of time since 1970; 0 = it holds whatever was counted. */
export interface CubeStartTable {
  name: string;
  slot: number;
}

/** A value that keeps its name in a cube, of an object and day. */
export interface CubeNameTable {
  cube: string;
  kind: string;
  id: number;
  day: number;
  name: string;
}

/**
 * Counts of an object, or of a publisher's or advertiser's objects together, in a day. It has a column for each counter
 * besides, as all tables of counts (`count-columns.ts`).
 */
export interface StatisticDayTable {
  kind: string;
  id: number;
  day: number;
}

/** Counts of a supply object's subids in a day. */
export interface StatisticSubIdTable extends StatisticDayTable {
  sub_id: string;
}

/**
 * A lot of counts that was added, kept so that it is not added twice; with its requests, for the rates of the last
 * minute.
 */
export interface StatisticFlushTable {
  id: string;
  /** Milliseconds since 1970. */
  time: number;
  /** JSON: requests by `<kind>:<id>`. */
  requests: string;
}

/** A billable event that was counted, kept until its auction's trackers have expired. */
export interface BilledEventTable {
  auction_id: string;
  event: string;
  /** Milliseconds since 1970. */
  expires: number;
  /** The lot of events in which it was counted. */
  batch: string;
}

/** Impressions of an hour that an object has had at an address, and has promised to it, where it limits them. */
export interface AddressImpressionsTable {
  day: number;
  /** Of the day. */
  hour: number;
  /** Key of the object's entity. */
  kind: string;
  id: number;
  /** An IPv6 address stands for its /64. */
  address: string;
  impressions: number;
  promised: number;
}

/** Random bytes that all processes share, in base64. */
export interface SecretTable {
  name: string;
  value: string;
}

/** A team that `bourse demo` has filled. */
export interface DemoTable {
  team_id: number;
  /** JSON of the `Demonstration`. */
  doc: string;
}

/** What an object is to send to somebody, and what became of it. Times are milliseconds since 1970. */
export interface SendingTable {
  /** In the order of time. */
  id: Generated<number>;
  team_id: number;
  /** Key of the object's entity, and its ID. */
  entity: string;
  object_id: number;
  due: number;
  channel: string;
  /** A mail address, or a URL. */
  target: string;
  state: string;
  attempts: number;
  next_at: number;
  last_at: number | null;
  /** Until when the process `claimed_by` has it alone. */
  claimed_until: number;
  claimed_by: string;
  error: string;
}

/** Up to when a report's sendings are planned, by which schedule. */
export interface ScheduleTable {
  report_id: number;
  schedule: string;
  planned_until: number;
}

/** Work that one process at a time does, and until when it is that one's. */
export interface LeaseTable {
  name: string;
  holder: string;
  held_until: number;
}

/** Some auctions with bids of a supply object and country in an hour, as one writer has sampled them. */
export interface BidSampleTable {
  /** Days since 1970, UTC. */
  day: number;
  kind: string;
  id: number;
  /** Hours since 1970. */
  hour: number;
  country: string;
  writer: string;
  auctions: number;
  /** JSON: of each auction its floor and its bids. */
  sampled: string;
}

/**
 * The database. Each entity has a table of the form `object`, under its own name (`tables.ts`); those of cubes are made of
 * their rows (`cube-tables.ts`).
 */
export interface Schema extends EdgeTables, LeaseTables, ShippedTables {
  required_form: RequiredFormTable;
  object: ObjectTable;
  connection: ConnectionTable;
  list_text: ListTextTable;
  list_line: ListLineTable;
  change: ChangeTable;
  answer: AnswerTable;
  team: TeamTable;
  team_setting: TeamSettingTable;
  user: UserTable;
  token: TokenTable;
  known_network: KnownNetworkTable;
  link: LinkTable;
  statistic_day: StatisticDayTable;
  statistic_sub_id: StatisticSubIdTable;
  cube_start: CubeStartTable;
  cube_name: CubeNameTable;
  statistic_flush: StatisticFlushTable;
  billed_event: BilledEventTable;
  address_impressions: AddressImpressionsTable;
  bid_sample: BidSampleTable;
  secret: SecretTable;
  demo: DemoTable;
  sending: SendingTable;
  partner_fetch: PartnerFetchTable;
  partner_report: PartnerReportTable;
  schedule: ScheduleTable;
  alert_state: AlertStateTable;
  alert_log: AlertLogTable;
  served_time: ServedTimeTable;
  lease: LeaseTable;
}
