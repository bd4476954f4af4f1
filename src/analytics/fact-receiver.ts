import { Readable } from 'node:stream';
import type { Delivery, Receiver } from '../outbox/receiver.ts';
import { type ClickHouse, isAboutValues } from './clickhouse-client.ts';
import { type FactRecord, readFactRecord } from './fact-record.ts';
import { factTable } from './fact-table.ts';

export interface FactReceiverOptions {
  readonly client: ClickHouse;
  /** Resolves once the tables are there. */
  readonly prepared: () => Promise<void>;
  /** Called with a row that ClickHouse refuses for its values. */
  readonly setAside: (row: string, error: unknown) => void;
}

const lineEnd = 10;

/** The records among these that are in the table, by their lots. */
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

/** Inserts rows of one month: one part of the table, which is there as a whole or not at all. */
async function insertRows(client: ClickHouse, rows: readonly Buffer[], token: string): Promise<void> {
  const { stream } = await client.exec({
    query: `INSERT INTO ${factTable} FORMAT JSONEachRow`,
    values: Readable.from([Buffer.concat(rows)], { objectMode: false }),
    clickhouse_settings: {
      // The same insertion under way twice, as after a lost answer, is one.
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

/** Inserts rows of which some are refused: ever fewer of them, until the bad ones are alone. */
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

/**
 * Takes rows into ClickHouse, each record only once, by its own lot: one that may have come before is asked for first;
 * and insertions have a token, so that one whose answer was lost and that is still under way is not done twice.
 */
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
