import type { Generated } from 'kysely';
import type { AlertLogTable, AlertStateTable, ServedTimeTable } from './alert-tables.ts';
import type { EdgeTables } from './edge-tables.ts';
import type { KnownNetworkTable } from './known-network-table.ts';
import type { LeaseTables } from './lease-tables.ts';
import type { PartnerReportTable } from './partner-tables.ts';
import type { RequiredFormTable } from './required-form-table.ts';
import type { ShippedTables } from './shipped-tables.ts';

/** Columns for what is searched, `doc` for the values that a client sent. */
export interface ObjectTable {
  id: Generated<number>;
  team_id: number;
  /** If the entity has an owner. */
  owner_id: number | null;
  /** If the entity has one of its own. */
  manager_id: number | null;
  status: number;
  /** Of the last change that the object shows. */
  revision: number;
  name: string;
  /** Statistics login of publishers and advertisers. */
  username: string | null;
  stats_auth: string | null;
  /** JSON of the stored values by field name. */
  doc: string;
}

/** Each side has its own order (reference, "connections"). */
export interface ConnectionTable {
  /** `<Entity>.<Field>` of the left side. */
  kind: string;
  left_id: number;
  right_id: number;
  left_position: number;
  right_position: number;
}

/** As of the revision that wrote it, in chunks that end at a line's end. */
export interface ListTextTable {
  entity: string;
  entity_id: number;
  revision: number;
  part: number;
  text: string;
}

/** Of the last text, by hashes of the lines' keys; see `list-lines.ts`. */
export interface ListLineTable {
  entity: string;
  entity_id: number;
  bucket: number;
  buckets: number;
  /** Six bytes a line. */
  lines: Uint8Array;
}

/** In the order they took effect: history, and the feed of the exchange. */
export interface ChangeTable {
  /** From 1, without gaps. */
  revision: number;
  time: number;
  user_id: number;
  team_id: number;
  entity: string;
  entity_id: number;
  operation: string;
  /** JSON of the changed values; null on add. */
  before: string | null;
  /** JSON of the changed values. */
  after: string;
  /** JSON of what another object's change connected and disconnected, by field; see `Links`. */
  links: string | null;
  /** The owner that this change gave it, if any. */
  owner_id: number | null;
  /** The owner that it left with this change, if any. */
  former_owner_id: number | null;
  /** What changes of one bulk change have in common. */
  batch_id: string | null;
}

/** With the account that `/api/auth/account` shows. */
export interface TeamTable {
  id: Generated<number>;
  name: string;
  country: string;
  city: string;
  zip_code: string;
  address: string;
  phone: string;
}

/** No row = nothing set. */
export interface TeamSettingTable {
  team_id: number;
  measurement_url: string;
  /** Others that differ from their defaults, as JSON by name. */
  settings: string;
  /** Of their last change. */
  revision: number;
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
  partner_kind: string | null;
  partner_id: number | null;
  status: number;
  /** Empty until the invitation is accepted. */
  password_hash: string;
  /** JSON of the `SecondFactor`. */
  second_factor: string | null;
}

/** Access tokens, API keys (with a label), and console sessions (with an end). Times are milliseconds since 1970. */
export interface TokenTable {
  id: Generated<number>;
  hash: string;
  user_id: number;
  label: string | null;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  /** Of a console session: use extends `expires_at` up to this. */
  ends_at: number | null;
  /** Of the client; null for API keys and the command line. */
  address: string | null;
  user_agent: string | null;
}

/** They work once. */
export interface LinkTable {
  hash: string;
  kind: string;
  user_id: number;
  expires_at: number;
  /** Of a download: the requesting token, and the path. */
  token_id: number | null;
  path: string | null;
}

/** To a request with an Idempotency-Key. */
export interface AnswerTable {
  /** In the order of time. */
  id: Generated<number>;
  team_id: number;
  /** First characters of the key's SHA-256 in base64url. */
  key_hash: string;
  /** SHA-256 of the request in base64url. */
  request_hash: string;
  answer: string;
  time: number;
}

/** From when on a cube's table is complete, in intervals since 1970; 0 = from the start. */
export interface CubeStartTable {
  name: string;
  slot: number;
}

export interface CubeNameTable {
  cube: string;
  kind: string;
  id: number;
  day: number;
  name: string;
}

/** Kept so that no batch is added twice; its requests are for the rates of the last minute. */
export interface StatisticFlushTable {
  id: string;
  time: number;
  /** JSON: requests by `<kind>:<id>`. */
  requests: string;
}

/** Kept until its auction's trackers have expired. */
export interface BilledEventTable {
  auction_id: string;
  event: string;
  expires: number;
  /** The batch in which it was counted. */
  batch: string;
}

/** Of an object that limits them, by hour; shown and promised. */
export interface AddressImpressionsTable {
  day: number;
  hour: number;
  /** Key of the object's entity. */
  kind: string;
  id: number;
  /** An IPv6 address stands for its /64. */
  address: string;
  impressions: number;
  promised: number;
}

/** Shared by all processes, in base64. */
export interface SecretTable {
  name: string;
  value: string;
}

/** Filled by `bourse demo`. */
export interface DemoTable {
  team_id: number;
  /** JSON of the `Demonstration`. */
  doc: string;
}

/** What is to be sent, and what became of it. Times are milliseconds since 1970. */
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
  /** Until then the version before leaves it alone. */
  claimed_until: number;
  claimed_by: string;
  error: string;
  /** JSON of what the receiver said; "" = nothing. */
  result: Generated<string>;
}

/** Up to when a report's sendings are planned, by which schedule. */
export interface ScheduleTable {
  report_id: number;
  schedule: string;
  planned_until: number;
}

/** Due work. Times are milliseconds since 1970. */
export interface JobTable {
  id: Generated<number>;
  kind: string;
  key: string;
  /** Of its jobs one runs at a time. */
  queue: string;
  run_at: number;
  /** Exclusive to `claimed_by` until then. */
  claimed_until: number;
  claimed_by: string;
  attempts: number;
  /** JSON. */
  payload: string;
}

/** Of a supply object, country and hour, by one writer. */
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

/** Each entity has a table of the form `object` (`tables.ts`), each cube those of its rows (`cube-tables.ts`). */
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
  cube_start: CubeStartTable;
  cube_name: CubeNameTable;
  statistic_flush: StatisticFlushTable;
  billed_event: BilledEventTable;
  address_impressions: AddressImpressionsTable;
  bid_sample: BidSampleTable;
  secret: SecretTable;
  demo: DemoTable;
  sending: SendingTable;
  partner_report: PartnerReportTable;
  schedule: ScheduleTable;
  alert_state: AlertStateTable;
  alert_log: AlertLogTable;
  served_time: ServedTimeTable;
  job: JobTable;
}
