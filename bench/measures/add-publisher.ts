import { compare } from '../compare.ts';
import { publisher } from '../data/publisher.ts';
import type { Bench, Exchange, Measure } from '../measure.ts';
import type { Row } from '../row.ts';
import { startBenchPostgres } from '../servers/on-postgres.ts';
import { type Minimum, startMinimum } from '../servers/references.ts';
import type { Request } from '../speed.ts';

/** Adds at a time, and the share of the minimum's speed that must be reached there. */
type Loads = readonly { readonly connections: number; readonly atLeast?: number }[];

const body = JSON.stringify({ Publisher: publisher('[<id>]') });

async function rowsOf(
  title: string,
  bench: Bench,
  { server, api }: Pick<Exchange, 'server' | 'api'>,
  minimum: Minimum,
  loads: Loads,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { connections, atLeast } of loads) {
    const add = (path: string, headers: Request['headers']): Request => ({
      paths: [path],
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      connections,
    });
    const own = { server, request: add('/api/publisher/add', api.headers) };
    const reference = { server: minimum.server, request: add('/document', minimum.headers) };
    const references = [{ name: 'minimum', ...reference, atLeast }];
    rows.push(await compare(bench, `${title}, ${connections} at a time`, own, references));
  }
  return rows;
}

/** POST publisher/add, each synced to disk before its answer, compared to the same at the minimum. */
export const addPublisher: Measure = {
  name: 'add-publisher',
  async run(bench) {
    await using minimum = await startMinimum(bench.folder, []);
    const loads = [1, 10, 64].map((connections) => ({
      connections,
      atLeast: connections === 1 ? 0.35 : 0.5,
    }));
    return await rowsOf('POST publisher/add', bench, await bench.exchange(), minimum, loads);
  },
};

export const postgresAddPublisher: Measure = {
  name: 'postgres-add-publisher',
  async run(bench) {
    await using postgres = await startBenchPostgres(bench.folder);
    await using bourse = await postgres.bourse();
    await using minimum = await postgres.minimum([]);
    const loads: Loads = [{ connections: 1 }, { connections: 10, atLeast: 0.5 }, { connections: 64 }];
    return await rowsOf('PostgreSQL: add publisher', bench, bourse, minimum, loads);
  },
};
