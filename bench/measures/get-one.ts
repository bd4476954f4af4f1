import { compare, type Reference } from '../compare.ts';
import type { Bench, Exchange, Measure } from '../measure.ts';
import type { Row } from '../row.ts';
import { startBenchPostgres } from '../servers/on-postgres.ts';
import { type Minimum, startLimit, startMinimum } from '../servers/references.ts';
import type { Request } from '../speed.ts';

const documents = 10_000;
const manyIds = 500;

/** A server, and an object of it as it answers. */
type One = Exchange & { readonly path: string; readonly body: string };

type StartMinimum = (documents: readonly string[]) => Promise<Minimum>;

const get = (paths: readonly string[], headers: Request['headers']): Request => ({
  paths,
  method: 'GET',
  headers,
  connections: 10,
});

async function rowOfOne(
  title: string,
  bench: Bench,
  { server, api, path, body }: One,
  startMinimumWith: StartMinimum,
  limit: readonly Reference[] = [],
): Promise<Row> {
  await using minimum = await startMinimumWith(Array<string>(documents).fill(body));
  const request = get([`/document?Id=${documents / 2}`], minimum.headers);
  const reference = { name: 'minimum', server: minimum.server, request, atLeast: 0.65 };
  return await compare(bench, title, { server, request: get([path], api.headers) }, [...limit, reference]);
}

/** Another object in each request, which shows what a cache of answers hides. */
async function rowOfMany(
  title: string,
  bench: Bench,
  { server, api, tagIds }: Exchange,
  startMinimumWith: StartMinimum,
): Promise<Row> {
  const paths = tagIds.slice(0, manyIds).map(pathOf);
  const bodies = await Promise.all(paths.map((path) => api.get(path)));
  await using minimum = await startMinimumWith(bodies);
  const minimumPaths = bodies.map((_, index) => `/document?Id=${index + 1}`);
  const request = get(minimumPaths, minimum.headers);
  const references = [{ name: 'minimum', server: minimum.server, request }];
  return await compare(bench, title, { server, request: get(paths, api.headers) }, references);
}

const pathOf = (id: number) => `/api/ortb/dspvasttag/get?Id=${id}`;

async function oneOf(exchange: Exchange): Promise<One> {
  const path = pathOf(exchange.tagIds[exchange.tagIds.length >> 1] ?? 0);
  return { ...exchange, path, body: await exchange.api.get(path) };
}

/** GET of full DSP VAST Tags. */
export const getOne: Measure = {
  name: 'get-one',
  async run(bench) {
    const exchange = await bench.exchange();
    const one = await oneOf(exchange);
    const { path, body } = one;
    await using server = await startLimit(bench.folder, body);
    const limit = { name: 'limit', server, request: get([path], exchange.api.headers), atLeast: 0.4 };
    const start: StartMinimum = (documents) => startMinimum(bench.folder, documents);
    const title = `GET one DSP VAST Tag, ${Buffer.byteLength(body)} bytes`;
    return [
      await rowOfOne(title, bench, one, start, [limit]),
      await rowOfMany(`GET ${manyIds} DSP VAST Tags in turn`, bench, exchange, start),
    ];
  },
};

export const postgresGetOne: Measure = {
  name: 'postgres-get-one',
  async run(bench) {
    await using postgres = await startBenchPostgres(bench.folder);
    await using bourse = await postgres.bourse();
    const one = await oneOf(bourse);
    return [
      await rowOfOne('PostgreSQL: GET one DSP VAST Tag', bench, one, postgres.minimum),
      await rowOfMany(`PostgreSQL: GET ${manyIds} in turn`, bench, bourse, postgres.minimum),
    ];
  },
};
