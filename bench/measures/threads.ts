import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../compare.ts';
import { publisher } from '../data/publisher.ts';
import type { Bench, Measure } from '../measure.ts';
import type { Row } from '../row.ts';
import { startBourse } from '../servers/bourse.ts';
import { startLimit } from '../servers/references.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import type { Request } from '../speed.ts';

/** Requests at a time. With few, a thread often waits and has to be woken for few requests; with many, seldom. */
const readers = [10, 64] as const;

/** A server with one thread and one with two; requests carry the tokens that they gave. */
type Pair = Readonly<Record<'one' | 'two', { server: ServerProcess; headers?: Request['headers'] }>>;

function compareThreads(
  bench: Bench,
  title: string,
  { one, two }: Pair,
  request: Omit<Request, 'headers'>,
  atLeast?: number,
): Promise<Row> {
  const contestant = ({ server, headers = {} }: Pair['one']) => ({
    server,
    request: { ...request, headers },
  });
  const own = { name: 'two threads', ...contestant(two) };
  const reference = { name: 'one thread', ...contestant(one), atLeast };
  return compare(bench, `${title}, ${request.connections} at a time, two threads`, own, [reference]);
}

/** Reads from both, and from bare `node:http` with one thread and two: what that loses by threads is the machine's. */
async function rowsOfReading(bench: Bench, pair: Pair, path: string, body: string): Promise<Row[]> {
  await using one = await startLimit(bench.folder, body);
  await using two = await startLimit(bench.folder, body, 2);
  const limit = { one: { server: one }, two: { server: two } };
  const rows: Row[] = [];
  for (const connections of readers) {
    const request = { paths: [path], method: 'GET', connections } as const;
    rows.push(await compareThreads(bench, 'GET one publisher', pair, request, 1));
    rows.push(await compareThreads(bench, 'the limit', limit, request));
  }
  return rows;
}

/** Two threads compared to one, on databases with one publisher at first. Two must not be slower. */
export const threads: Measure = {
  name: 'threads',
  async run(bench) {
    const start = (count: number) =>
      startBourse(mkdtempSync(join(bench.folder, 'threads-')), { threads: count });
    const { server: one, api } = await start(1);
    const { server: two, api: apiOfTwo } = await start(2);
    await using _one = one;
    await using _two = two;
    const pair = { one: { server: one, ...api }, two: { server: two, ...apiOfTwo } };
    for (const { add } of [api, apiOfTwo]) await add('publisher', 'Publisher', publisher('first'));
    const path = '/api/publisher/get?Id=1';
    const body = JSON.stringify({ Publisher: publisher('[<id>]') });
    const add = { paths: ['/api/publisher/add'], method: 'POST', body, connections: 64 } as const;
    return [
      ...(await rowsOfReading(bench, pair, path, await api.get(path))),
      await compareThreads(bench, 'POST publisher/add', pair, add, 1),
    ];
  },
};
