import type { Bench, Measure } from '../measure.ts';
import { cpuShareOf, type Row, shareOf, speedFigures } from '../row.ts';
import { startLimit, startMinimum } from '../servers/references.ts';
import { inTurn, median, type Request, type Speed, speedOf } from '../speed.ts';

const connections = 10;
const documents = 10_000;
const manyIds = 500;
const by = 'answersPerSecond';

/** The generator's share of a core. Near 1, the generator was the bottleneck, and the server could do more. */
const loadOn = (speeds: readonly Speed[]) => median(speeds.map(({ loadCpuShare }) => loadCpuShare));

const pathOf = (id: number) => `/api/ortb/dspvasttag/get?Id=${id}`;

/** The same object again and again, compared to the same bytes from memory, and from the minimum's database. */
async function rowOfOne({ exchange, folder, load, rounds, seconds }: Bench): Promise<Row> {
  const { server, api, tagIds } = await exchange();
  const path = pathOf(tagIds[tagIds.length >> 1] ?? 0);
  const body = await api.get(path);
  await using limit = await startLimit(folder, body);
  await using minimum = await startMinimum(folder, Array<string>(documents).fill(body));
  const request: Request = { paths: [path], method: 'GET', headers: api.headers, connections };
  const ofMinimum = { ...request, paths: [`/document?Id=${documents / 2}`], headers: minimum.headers };
  const speeds = await inTurn(
    {
      limit: () => speedOf(load, limit, request, { seconds }),
      minimum: () => speedOf(load, minimum.server, ofMinimum, { seconds }),
      bourse: () => speedOf(load, server, request, { seconds }),
    },
    rounds,
  );
  const share = (name: 'limit' | 'minimum') =>
    shareOf(name, { bourse: speeds.bourse, reference: speeds[name], by });
  return {
    title: `GET one DSP VAST Tag, ${Buffer.byteLength(body)} bytes`,
    targets: [
      { ...share('limit'), atLeast: 0.4 },
      { ...share('minimum'), atLeast: 0.65 },
    ],
    details: [
      ...speedFigures('bourse', speeds.bourse, by),
      ...speedFigures('limit', speeds.limit, by),
      ...speedFigures('minimum', speeds.minimum, by),
      cpuShareOf('limit', speeds.bourse, speeds.limit),
      cpuShareOf('minimum', speeds.bourse, speeds.minimum),
      { what: 'of a core for the load on limit', value: loadOn(speeds.limit), unit: 'share' },
    ],
  };
}

/** Another object in each request, which shows what a cache of answers hides. */
async function rowOfMany({ exchange, folder, load, rounds, seconds }: Bench): Promise<Row> {
  const { server, api, tagIds } = await exchange();
  const paths = tagIds.slice(0, manyIds).map(pathOf);
  const bodies = await Promise.all(paths.map((path) => api.get(path)));
  await using minimum = await startMinimum(folder, bodies);
  const request: Request = { paths, method: 'GET', headers: api.headers, connections };
  const pathsOfMinimum = bodies.map((_, index) => `/document?Id=${index + 1}`);
  const ofMinimum = { ...request, paths: pathsOfMinimum, headers: minimum.headers };
  const { bourse, minimum: reference } = await inTurn(
    {
      minimum: () => speedOf(load, minimum.server, ofMinimum, { seconds }),
      bourse: () => speedOf(load, server, request, { seconds }),
    },
    rounds,
  );
  return {
    title: `GET ${manyIds} DSP VAST Tags in turn`,
    targets: [shareOf('minimum', { bourse, reference, by })],
    details: [
      ...speedFigures('bourse', bourse, by),
      ...speedFigures('minimum', reference, by),
      cpuShareOf('minimum', bourse, reference),
    ],
  };
}

/** GET of full DSP VAST Tags. */
export const getOne: Measure = {
  name: 'get-one',
  run: async (bench) => [await rowOfOne(bench), await rowOfMany(bench)],
};
