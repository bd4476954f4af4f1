import { publisher } from '../data/publisher.ts';
import type { Bench, Measure } from '../measure.ts';
import { type Row, shareOf, speedFigures } from '../row.ts';
import { startMinimum } from '../servers/references.ts';
import { inTurn, type Request, speedOf } from '../speed.ts';

async function rowAt(connections: number, bench: Bench): Promise<Row> {
  const { exchange, folder, load, rounds, seconds } = bench;
  const { server, api } = await exchange();
  await using minimum = await startMinimum(folder, []);
  const body = JSON.stringify({ Publisher: publisher('[<id>]') });
  const request: Request = {
    paths: ['/api/publisher/add'],
    method: 'POST',
    headers: { ...api.headers, 'content-type': 'application/json' },
    body,
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
  const by = 'answersPerSecond';
  return {
    title: `POST publisher/add, ${connections} at a time`,
    targets: [{ ...shareOf('minimum', { bourse, reference, by }), atLeast: 0.5 }],
    details: [...speedFigures('bourse', bourse, by), ...speedFigures('minimum', reference, by)],
  };
}

/** POST publisher/add, each synced to disk before its answer, compared to the same at the minimum. */
export const addPublisher: Measure = {
  name: 'add-publisher',
  run: async (bench) => {
    const rows: Row[] = [];
    for (const connections of [1, 10, 64]) rows.push(await rowAt(connections, bench));
    return rows;
  },
};
