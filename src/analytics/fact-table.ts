import { columnName } from '../reference/column-name.ts';
import { countersIn } from '../reference/counters.ts';
import { type Attribute, type Cube, type CubeName, cubes, type Grain } from '../reference/cubes.ts';
import { factCounters } from '../reference/fact-cubes.ts';

export const factTable = 'bourse_fact';
export const startTable = 'bourse_start';
/** Up to when each part of an outbox has been sent. */
export const sentTable = 'bourse_sent';

/** Intervals since 1970; none for minutes, which reports do not ask for. */
export const grainColumns: Readonly<Record<Grain, string>> = {
  minute: 'intDiv(toUnixTimestamp(time), 60)',
  quarter: 'quarter',
  hour: 'hour',
  day: 'day',
};

const low = 'LowCardinality(String)';
const id = 'UInt32';

/** A question may only name these, because names are part of the query's text. */
export const factColumns: Readonly<Record<string, string>> = {
  team_id: id,
  publisher_id: id,
  supply_kind: low,
  supply_id: id,
  advertiser_id: id,
  demand_kind: low,
  demand_id: id,
  country: low,
  device_type: 'Int32',
  os: low,
  browser: low,
  medium: low,
  size: low,
  site: low,
  region: low,
  consent: low,
  sub_id: 'String',
  seat: low,
  ad_domain: low,
  creative: 'String',
  deal: 'String',
  reason: low,
};

const counterColumns = factCounters.map(columnName);

/** Cubes summed within each part of the table: what the console asks for. */
const summed: readonly CubeName[] = [
  'pair',
  'audience',
  'consent',
  'software',
  'size',
  'site',
  'ad',
  'refusal',
];

const sides = {
  supply: ['publisher_id', 'supply_kind', 'supply_id'],
  demand: ['advertiser_id', 'demand_kind', 'demand_id'],
} as const;
const coarser: Readonly<Record<Exclude<Grain, 'minute'>, readonly Grain[]>> = {
  quarter: ['quarter', 'hour', 'day'],
  hour: ['hour', 'day'],
  day: ['day'],
};

function projectionOf(name: CubeName): string {
  const { objects, attributes, grains, counts = 'traffic' }: Cube = cubes[name];
  const finest = (['quarter', 'hour', 'day'] as const).find((grain) => grains[grain]) ?? 'day';
  const keys = [
    'team_id',
    ...coarser[finest],
    ...objects.flatMap((side) => sides[side]),
    ...attributes.filter((attribute): attribute is Attribute => attribute !== 'demandKind').map(columnName),
  ];
  const kept = new Set(factCounters);
  const sums = countersIn(counts)
    .filter((counter) => kept.has(counter))
    .map((counter) => `sum(${columnName(counter)})`);
  const latency =
    name === 'pair' ? countersIn('call').filter((counter) => counter.startsWith('latency')) : [];
  const all = [...keys, ...sums, ...latency.map((counter) => `sum(${columnName(counter)})`), 'max(weight)'];
  return `by_${columnName(name)} (SELECT ${all.join(', ')} GROUP BY ${keys.join(', ')})`;
}

/** A row's installation. The default names the table's only one: whoever made it, or first migrated it. */
const installationColumn = (installation: string) =>
  `installation LowCardinality(String) DEFAULT '${installation}'`;

const keptFor = (days: number) => `toDateTime(time) + toIntervalDay(${days})`;

export interface WantedTable {
  readonly keptDays: number;
  /** Letters and digits. */
  readonly installation: string;
}

/** Creates absent tables. Sums are projections: they come and go with their rows, and the engine finds them. */
export function tableStatements({ keptDays, installation }: WantedTable): readonly string[] {
  const columns = [
    `time DateTime64(3, 'UTC') CODEC(Delta, ZSTD)`,
    ...Object.entries(factColumns).map(([name, type]) => `${name} ${type}`),
    `event ${low}`,
    'auction_id String CODEC(ZSTD)',
    'weight UInt32 DEFAULT 1',
    'lot UInt64',
    ...counterColumns.map((name) => `${name} Int64`),
    installationColumn(installation),
    'quarter UInt32 MATERIALIZED intDiv(toUnixTimestamp(time), 900)',
    'hour UInt32 MATERIALIZED intDiv(toUnixTimestamp(time), 3600)',
    'day UInt32 MATERIALIZED intDiv(toUnixTimestamp(time), 86400)',
    ...summed.map((name) => `PROJECTION ${projectionOf(name)}`),
  ];
  return [
    `CREATE TABLE IF NOT EXISTS ${factTable} (${columns.join(',\n')})
      ENGINE = MergeTree PARTITION BY toYYYYMM(time)
      ORDER BY (team_id, quarter, supply_kind, supply_id, demand_kind, demand_id)
      TTL ${keptFor(keptDays)}
      SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1`,
    `CREATE TABLE IF NOT EXISTS ${startTable} (start_ms UInt64) ENGINE = MergeTree ORDER BY start_ms`,
    `CREATE TABLE IF NOT EXISTS ${sentTable} (source String, until_ms UInt64)
      ENGINE = ReplacingMergeTree(until_ms) ORDER BY source`,
  ];
}

/** Its columns, how long rows stay, and the default that names its installation. */
export interface FoundTable {
  readonly columns: readonly string[];
  readonly engine: string;
  readonly owner: string;
}

export const foundQuery = `SELECT
  (SELECT groupArray(name) FROM system.columns WHERE database = currentDatabase() AND table = '${factTable}'),
  (SELECT any(engine_full) FROM system.tables WHERE database = currentDatabase() AND name = '${factTable}'),
  (SELECT any(default_expression) FROM system.columns
    WHERE database = currentDatabase() AND table = '${factTable}' AND name = 'installation')`;

/** `""` = nobody's yet. */
export const installationOf = ({ owner }: FoundTable): string => owner.replaceAll("'", '');

/** Claims a table that is nobody's yet; of several at once, the first gets it. */
export const claimStatement = ({ installation }: WantedTable): string =>
  `ALTER TABLE ${factTable} ADD COLUMN IF NOT EXISTS ${installationColumn(installation)}`;

/** Brings a table of another program version or setting to the wanted form. */
export function tableChanges(
  { columns, engine }: FoundTable,
  { keptDays }: Pick<WantedTable, 'keptDays'>,
): readonly string[] {
  const wanted = [...Object.entries(factColumns), ...counterColumns.map((name) => [name, 'Int64'] as const)];
  const missing = wanted.filter(([name]) => !columns.includes(name));
  const isYounger = (name: CubeName) =>
    cubes[name].attributes.some((attribute) => missing.some(([column]) => column === columnName(attribute)));
  const changes = [
    ...missing.map(([name, type]) => `ADD COLUMN IF NOT EXISTS ${name} ${type}`),
    ...summed.filter(isYounger).map((name) => `ADD PROJECTION IF NOT EXISTS ${projectionOf(name)}`),
    ...(engine.includes(`toIntervalDay(${keptDays})`) ? [] : [`MODIFY TTL ${keptFor(keptDays)}`]),
  ];
  return changes.map((change) => `ALTER TABLE ${factTable} ${change}`);
}
