import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { publisher } from '../data/publisher.ts';
import type { Bench, Measure } from '../measure.ts';
import { cpuShareOf, type Figure, type Row, shareOf, speedFigures } from '../row.ts';
import { type BourseServer, startBourse } from '../servers/bourse.ts';
import { startLimit } from '../servers/references.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { inTurn, type Request, speedOf } from '../speed.ts';

const by = 'answersPerSecond';
/** Requests at a time. With few, a thread often waits and has to be woken for few requests; with many, seldom. */
const readers = [10, 64] as const;

async function serving(folder: string, threads: number): Promise<BourseServer> {
  return startBourse(mkdtempSync(join(folder, 'threads-')), { threads });
}

/** A server to be measured, and its API, whose token requests carry. */
interface Contestant {
  readonly server: ServerProcess;
  readonly api?: BourseServer['api'];
}

type Pair = Readonly<Record<'one' | 'two', Contestant>>;

/** One request, to be sent with the token that the server gave. */
type Asked = Omit<Request, 'headers'>;

/** The share of one thread's speed that two threads must reach. */
type Bound = Pick<Figure, 'atLeast'>;

async function compare(
  title: string,
  { load, rounds, seconds }: Bench,
  pair: Pair,
  asked: Asked,
  bound: Bound,
) {
  const run = ({ server, api }: Contestant) =>
    speedOf(load, server, { ...asked, headers: api?.headers ?? {} }, { seconds });
  const { one, two } = await inTurn({ one: () => run(pair.one), two: () => run(pair.two) }, rounds);
  const row: Row = {
    title: `${title}, two threads`,
    targets: [{ ...shareOf('one thread', { bourse: two, reference: one, by }), ...bound }],
    details: [
      ...speedFigures('two', two, by),
      ...speedFigures('one', one, by),
      cpuShareOf('one thread', two, one),
    ],
  };
  return row;
}

/** Reads from both, and from bare `node:http` with one thread and two: what that loses by threads is the machine's. */
async function rowsOfReading(bench: Bench, pair: Readonly<Record<'one' | 'two', BourseServer>>) {
  const path = '/api/publisher/get?Id=1';
  const body = await pair.one.api.get(path);
  await using one = await startLimit(bench.folder, body);
  await using two = await startLimit(bench.folder, body, 2);
  const limit = { one: { server: one }, two: { server: two } };
  const rows: Row[] = [];
  for (const connections of readers) {
    const asked: Asked = { paths: [path], method: 'GET', connections };
    rows.push(
      await compare(`GET one publisher, ${connections} at a time`, bench, pair, asked, { atLeast: 1 }),
      await compare(`the limit, ${connections} at a time`, bench, limit, asked, {}),
    );
  }
  return rows;
}

/** Two threads compared to one, on databases with one publisher at first. Two must not be slower. */
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
    const add: Asked = { paths: ['/api/publisher/add'], method: 'POST', body, connections: 64 };
    return [
      ...(await rowsOfReading(bench, pair)),
      await compare('POST publisher/add, 64 at a time', bench, pair, add, { atLeast: 1 }),
    ];
  },
};
