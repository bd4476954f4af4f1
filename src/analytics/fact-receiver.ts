import { Readable } from 'node:stream';
import type { Delivery, Receiver } from '../outbox/receiver.ts';
import { type ClickHouse, isAboutValues } from './clickhouse-client.ts';
import { type FactRecord, readFactRecord } from './fact-record.ts';
import { factTable } from './fact-table.ts';

export interface FactReceiverOptions {
  readonly client: ClickHouse;
  /** Resolves once the tables exist. */
  readonly prepared: () => Promise<void>;
  /** For a row whose values ClickHouse refuses. */
  readonly setAside: (row: string, error: unknown) => void;
}

const lineEnd = 10;

async function presentLots(client: ClickHouse, records: readonly FactRecord[]): Promise<Set<string>> {
  const answer = await client.query({
    query: `SELECT DISTINCT toString(lot) FROM ${factTable}
      WHERE toYYYYMM(time) IN {months:Array(UInt32)} AND lot IN {lots:Array(UInt64)}`,
    query_params: {
      months: [...new Set(records.map(({ month }) => month))],
      lots: records.map(({ lot }) => Number(lot)),
    },
    format: 'JSONCompactEachRow',
  });
  const rows = await answer.json<[string]>();
  return new Set(rows.map(([lot]) => lot));
}

/** Rows of one month go into one part of the table, whole or not at all. */
async function insertRows(client: ClickHouse, rows: readonly Buffer[], token: string): Promise<void> {
  const { stream } = await client.exec({
    query: `INSERT INTO ${factTable} FORMAT JSONEachRow`,
    values: Readable.from([Buffer.concat(rows)], { objectMode: false }),
    clickhouse_settings: {
      // Makes one of an insertion repeated after a lost answer.
      insert_deduplication_token: token,
      insert_deduplicate: 1,
      async_insert: 0,
      input_format_parallel_parsing: 0,
      input_format_skip_unknown_fields: 1,
    },
  });
  for await (const _ of stream);
}

function linesOf(rows: readonly Buffer[]): Buffer[] {
  return rows.flatMap((bytes) => {
    const lines: Buffer[] = [];
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(lineEnd, from) + 1 || bytes.length;
      lines.push(bytes.subarray(from, end));
      from = end;
    }
    return lines;
  });
}

/** Splits rows of which some are refused, until the bad ones are alone. */
async function insertGood(
  options: FactReceiverOptions,
  lines: readonly Buffer[],
  token: string,
): Promise<void> {
  try {
    await insertRows(options.client, lines, token);
  } catch (error) {
    if (!isAboutValues(error)) throw error;
    if (lines.length < 2) return options.setAside(lines.join(''), error);
    const half = Math.ceil(lines.length / 2);
    await insertGood(options, lines.slice(0, half), `${token}<`);
    await insertGood(options, lines.slice(half), `${token}>`);
  }
}

/** Takes each record once, by its lot: doubtful ones are looked up first, and insertions have a token. */
export function createFactReceiver(options: FactReceiverOptions): Receiver {
  const { client, prepared } = options;
  return {
    name: 'clickhouse',
    async receive({ key, records, isRepeated }: Delivery) {
      await prepared();
      const read = [...new Map(records.map(readFactRecord).map((record) => [record.lot, record])).values()];
      const doubtful = read.filter(({ isDoubtful }) => isRepeated || isDoubtful);
      const present = doubtful.length > 0 ? await presentLots(client, doubtful) : new Set<string>();
      const missing = read.filter(({ lot }) => !present.has(lot));
      for (const [month, some] of Map.groupBy(missing, (record) => record.month)) {
        const rows = some.map((record) => record.rows);
        const token = `${key}/${month}`;
        try {
          await insertRows(client, rows, token);
        } catch (error) {
          if (!isAboutValues(error)) throw error;
          await insertGood(options, linesOf(rows), `${token}/`);
        }
      }
    },
  };
}
