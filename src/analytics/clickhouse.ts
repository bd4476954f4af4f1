import type { Receiver } from '../outbox/receiver.ts';
import type { ClickHouseAddress } from '../reference/clickhouse-address.ts';
import type { Analytics, CubeRow, FactQuestion, FactRange } from '../store/statistics/interface.ts';
import { type ClickHouse, clientOf, UnusableClickHouse, unavailableRefusal } from './clickhouse-client.ts';
import { factQuery } from './fact-query.ts';
import { createFactReceiver } from './fact-receiver.ts';
import {
  claimStatement,
  type FoundTable,
  foundQuery,
  installationOf,
  sentTable,
  startTable,
  tableChanges,
  tableStatements,
  type WantedTable,
} from './fact-table.ts';

const dayMs = 86_400_000;
/** How long what is known of the tables is cached. */
const keptForMs = 5000;
/** A server silent for this long is no longer waited for. */
const sourceForgottenMs = dayMs;
const questionSeconds = 60;

export interface ClickHouseOptions extends WantedTable {
  readonly address: ClickHouseAddress;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether the store has counted before, so that its first rows are not the earliest facts. */
  readonly hasCounted: () => Promise<boolean>;
  readonly setAside: (row: string, error: unknown) => void;
}

export interface ClickHouseEngine {
  /** Creates absent tables. Rejects while ClickHouse is away, for a wrong setting, or for another's database. */
  prepare(): Promise<void>;
  readonly receiver: Receiver;
  readonly analytics: Analytics;
  noteSent(source: string, untilMs: number): Promise<void>;
  close(): Promise<void>;
}

async function firstRow<T extends readonly unknown[]>(client: ClickHouse, query: string, parameters = {}) {
  const answer = await client.query({ query, query_params: parameters, format: 'JSONCompactEachRow' });
  const [row] = await answer.json<T>();
  return row;
}

async function readTable(client: ClickHouse): Promise<FoundTable> {
  const [columns = [], engine = '', owner = ''] =
    (await firstRow<[string[], string, string]>(client, foundQuery)) ?? [];
  return { columns, engine, owner };
}

/** Rejects with `UnusableClickHouse` if the table is another installation's. */
async function ownTable(
  client: ClickHouse,
  { address, ...wanted }: ClickHouseOptions,
  run: (query: string) => Promise<unknown>,
): Promise<FoundTable> {
  let found = await readTable(client);
  if (installationOf(found) === '') {
    await run(claimStatement(wanted));
    found = await readTable(client);
  }
  const [owner, own] = [installationOf(found), wanted.installation];
  if (owner === own) return found;
  throw new UnusableClickHouse(
    `the database "${address.database}" belongs to another installation (${owner}; this one is ${own}); use another database`,
  );
}

async function makeTables(client: ClickHouse, options: ClickHouseOptions): Promise<void> {
  const { now, hasCounted } = options;
  const run = (query: string) =>
    client.command({ query, clickhouse_settings: { materialize_ttl_after_modify: 0 } });
  for (const query of tableStatements(options)) await run(query);
  const found = await ownTable(client, options, run);
  for (const query of tableChanges(found, options)) await run(query);
  const [starts = 0] =
    (await firstRow<[number]>(client, `SELECT toUInt32(count()) FROM ${startTable}`)) ?? [];
  if (Number(starts) > 0) return;
  const startMs = (await hasCounted()) ? now() : 0;
  await client.insert({ table: startTable, values: [{ start_ms: String(startMs) }], format: 'JSONEachRow' });
}

/** At most every few seconds. */
function createFactRangeReader(
  client: ClickHouse,
  prepared: () => Promise<void>,
  { now, keptDays }: ClickHouseOptions,
) {
  let known: { readonly atMs: number; readonly kept: Promise<FactRange> } | undefined;
  const read = async (): Promise<FactRange> => {
    await prepared();
    const nowMs = now();
    const [start, until] =
      (await firstRow<[number, number]>(
        client,
        `SELECT (SELECT toFloat64(min(start_ms)) FROM ${startTable}),
          (SELECT toFloat64(min(latest)) FROM (SELECT max(until_ms) AS latest FROM ${sentTable} GROUP BY source)
            WHERE latest > {since:UInt64})`,
        { since: nowMs - sourceForgottenMs },
      )) ?? [];
    // Nobody has sent anything yet, so nothing is known to be there.
    const untilMs = Number(until) || 0;
    return { fromMs: Math.max(Number(start), nowMs - keptDays * dayMs), untilMs };
  };
  return (): Promise<FactRange> => {
    if (known && now() - known.atMs < keptForMs) return known.kept;
    const kept = read().catch((error) => {
      known = undefined;
      throw unavailableRefusal(error);
    });
    known = { atMs: now(), kept };
    return kept;
  };
}

async function* askFacts(client: ClickHouse, question: FactQuestion): AsyncGenerator<readonly CubeRow[]> {
  const { text, parameters } = factQuery(question);
  try {
    const answer = await client.query({
      query: text,
      query_params: parameters,
      format: 'JSONCompactEachRow',
      clickhouse_settings: {
        max_execution_time: questionSeconds,
        output_format_json_quote_64bit_integers: 0,
      },
    });
    for await (const rows of answer.stream<CubeRow>()) yield rows.map((row) => row.json());
  } catch (error) {
    throw unavailableRefusal(error);
  }
}

export function createClickHouse(options: ClickHouseOptions): ClickHouseEngine {
  const client = clientOf(options.address);
  let prepared: Promise<void> | undefined;
  const prepare = () => {
    prepared ??= makeTables(client, options).catch((error) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };
  return {
    prepare,
    receiver: createFactReceiver({ client, prepared: prepare, setAside: options.setAside }),
    analytics: {
      range: createFactRangeReader(client, prepare, options),
      ask: (question) => askFacts(client, question),
    },
    async noteSent(source, untilMs) {
      await prepare();
      const values = [{ source, until_ms: String(Math.floor(untilMs)) }];
      await client.insert({ table: sentTable, values, format: 'JSONEachRow' });
    },
    close: () => client.close(),
  };
}
