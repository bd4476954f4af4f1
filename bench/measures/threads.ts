import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { publisher } from '../data/publisher.ts';
import type { Bench, Measure } from '../measure.ts';
import { cpuShareOf, type Row, shareOf, speedFigures } from '../row.ts';
import { type BourseServer, startBourse } from '../servers/bourse.ts';
import { inTurn, type Request, speedOf } from '../speed.ts';

const by = 'answersPerSecond';

async function serving(folder: string, threads: number): Promise<BourseServer> {
  return startBourse(mkdtempSync(join(folder, 'threads-')), { threads });
}

type Pair = Readonly<Record<'one' | 'two', BourseServer>>;

/** One request, to be sent with the token that the server gave. */
type Asked = Omit<Request, 'headers'>;

async function compare(title: string, { load, rounds, seconds }: Bench, pair: Pair, asked: Asked) {
  const run = ({ server, api }: BourseServer) =>
    speedOf(load, server, { ...asked, headers: api.headers }, { seconds });
  const { one, two } = await inTurn({ one: () => run(pair.one), two: () => run(pair.two) }, rounds);
  const row: Row = {
    title: `${title}, two threads`,
    judged: [{ ...shareOf('one thread', { bourse: two, reference: one, by }), atLeast: 1 }],
    beside: [
      ...speedFigures('two', two, by),
      ...speedFigures('one', one, by),
      cpuShareOf('one thread', two, one),
    ],
  };
  return row;
}

/** Two threads against one, on databases that hold one publisher at first: never slower. */
export const threads: Measure = {
  name: 'threads',
  run: async (bench) => {
    const one = await serving(bench.folder, 1);
    const two = await serving(bench.folder, 2);
    await using _one = one.server;
    await using _two = two.server;
    const pair = { one, two };
    for (const { api } of [one, two]) await api.add('publisher', 'Publisher', publisher('first'));
    const body = JSON.stringify({ Publisher: publisher('[<id>]') });
    const get = { paths: ['/api/publisher/get?Id=1'], method: 'GET', connections: 10 } as const;
    const add = { paths: ['/api/publisher/add'], method: 'POST', body, connections: 64 } as const;
    return [
      await compare('GET one publisher', bench, pair, get),
      await compare('POST publisher/add, 64 at a time', bench, pair, add),
    ];
  },
};
