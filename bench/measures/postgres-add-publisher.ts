import { publisher } from '../data/publisher.ts';
import type { Bench, Exchange, Measure } from '../measure.ts';
import { type Figure, type Row, shareOf, speedFigures } from '../row.ts';
import { startBenchPostgres } from '../servers/on-postgres.ts';
import type { Minimum } from '../servers/references.ts';
import { inTurn, type Request, speedOf } from '../speed.ts';

const by = 'answersPerSecond';

/** Adds at a time, and the share of the minimum's speed that must be reached there. */
const loads: readonly { readonly connections: number; readonly atLeast?: number }[] = [
  { connections: 1 },
  { connections: 10, atLeast: 0.5 },
  { connections: 64 },
];

async function rowAt(
  { connections, atLeast }: (typeof loads)[number],
  { load, rounds, seconds }: Bench,
  { server, api }: Exchange,
  minimum: Minimum,
): Promise<Row> {
  const request: Request = {
    paths: ['/api/publisher/add'],
    method: 'POST',
    headers: { ...api.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ Publisher: publisher('[<id>]') }),
    connections,
  };
  const ofMinimum = { ...request, paths: ['/document'], headers: { ...request.headers, ...minimum.headers } };
  const { bourse, minimum: reference } = await inTurn(
    {
      minimum: () => speedOf(load, minimum.server, ofMinimum, { seconds }),
      bourse: () => speedOf(load, server, request, { seconds }),
    },
    rounds,
  );
  const share: Figure = shareOf('minimum', { bourse, reference, by });
  return {
    title: `PostgreSQL: add publisher, ${connections} at a time`,
    targets: [atLeast === undefined ? share : { ...share, atLeast }],
    details: [...speedFigures('bourse', bourse, by), ...speedFigures('minimum', reference, by)],
  };
}

/** POST publisher/add on PostgreSQL, each synced to disk before its answer, compared to the same at the minimum. */
export const postgresAddPublisher: Measure = {
  name: 'postgres-add-publisher',
  run: async (bench) => {
    await using postgres = await startBenchPostgres(bench.folder);
    await using bourse = await postgres.bourse();
    await using minimum = await postgres.minimum([]);
    const rows: Row[] = [];
    for (const each of loads) rows.push(await rowAt(each, bench, bourse, minimum));
    return rows;
  },
};
