import type { Bench, Exchange, Measure } from '../measure.ts';
import { type Figure, type Row, shareOf, speedFigures } from '../row.ts';
import { type BenchPostgres, startBenchPostgres } from '../servers/on-postgres.ts';
import { inTurn, type Request, speedOf } from '../speed.ts';

const connections = 10;
const manyIds = 500;
const documents = 10_000;
const by = 'answersPerSecond';

/** What is requested, at Bourse and at the minimum: one path in every request, or several in turn. */
interface Asked {
  readonly title: string;
  readonly paths: readonly string[];
  readonly documents: readonly string[];
  readonly minimumIds: readonly number[];
  readonly atLeast?: number;
}

async function rowOf(
  asked: Asked,
  { load, rounds, seconds }: Bench,
  postgres: BenchPostgres,
  bourse: Exchange,
): Promise<Row> {
  await using minimum = await postgres.minimum(asked.documents);
  const request: Request = { paths: asked.paths, method: 'GET', headers: bourse.api.headers, connections };
  const paths = asked.minimumIds.map((id) => `/document?Id=${id}`);
  const speeds = await inTurn(
    {
      minimum: () =>
        speedOf(load, minimum.server, { ...request, paths, headers: minimum.headers }, { seconds }),
      bourse: () => speedOf(load, bourse.server, request, { seconds }),
    },
    rounds,
  );
  const share: Figure = shareOf('minimum', { bourse: speeds.bourse, reference: speeds.minimum, by });
  const { title, atLeast } = asked;
  return {
    title: `PostgreSQL: ${title}`,
    targets: [atLeast === undefined ? share : { ...share, atLeast }],
    details: [...speedFigures('bourse', speeds.bourse, by), ...speedFigures('minimum', speeds.minimum, by)],
  };
}

/** GET of full DSP VAST Tags on PostgreSQL: the same one again and again, then others in turn. */
export const postgresGetOne: Measure = {
  name: 'postgres-get-one',
  run: async (bench) => {
    await using postgres = await startBenchPostgres(bench.folder);
    await using bourse = await postgres.bourse();
    const paths = bourse.tagIds.slice(0, manyIds).map((id) => `/api/ortb/dspvasttag/get?Id=${id}`);
    const bodies = await Promise.all(paths.map((path) => bourse.api.get(path)));
    const [path = '', body = ''] = [paths.at(-1), bodies.at(-1)];
    const one: Asked = {
      title: 'GET one DSP VAST Tag',
      paths: [path],
      documents: Array<string>(documents).fill(body),
      minimumIds: [documents / 2],
      atLeast: 0.65,
    };
    const many: Asked = {
      title: `GET ${manyIds} in turn`,
      paths,
      documents: bodies,
      minimumIds: bodies.map((_, index) => index + 1),
    };
    return [await rowOf(one, bench, postgres, bourse), await rowOf(many, bench, postgres, bourse)];
  },
};
