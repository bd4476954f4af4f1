import { addEndpoint, addZone } from '../data/zone.ts';
import type { Measure, Tools } from '../measure.ts';
import { cpuShareOf, type Row, shareOf, speedFigures } from '../row.ts';
import { type BourseServer, startBourse } from '../servers/bourse.ts';
import { startFanOut, startMockDsps } from '../servers/references.ts';
import { inTurn, type Request, speedOf, warmUp } from '../speed.ts';
import { startBefore } from './with-checkout.ts';

const by = 'answersPerSecond';

/** Sets up a door with DSPs at these URLs: gives the request to send to it, and what it answered. */
type Open = (
  bourse: BourseServer,
  urls: readonly string[],
) => Promise<{ readonly request: Pick<Request, 'paths' | 'method' | 'body'>; readonly answer: string }>;

const openVast: Open = async (bourse, urls) => {
  const { path, answer } = await addZone(bourse, urls);
  return { request: { paths: [path], method: 'GET' }, answer };
};

const openRtb: Open = async (bourse, urls) => {
  const { path, body, answer } = await addEndpoint(bourse, urls);
  return { request: { paths: [path], method: 'POST', body }, answer };
};

async function rowFor(door: string, open: Open, dsps: number, tools: Tools): Promise<Row> {
  const { folder, load, rounds, seconds } = tools;
  await using mocks = await startMockDsps(folder);
  const bourse = await startBourse(folder, { threads: 1, allowPrivateDemand: true });
  await using server = bourse.server;
  const urls = Array.from({ length: dsps }, (_, index) => `${mocks.url}/dsp/${index}`);
  const { request: sent, answer } = await open(bourse, urls);
  const body = await (await fetch(`${mocks.url}/last`)).text();
  await using bare = await startFanOut(folder, { urls, body, answer });
  const request: Request = { ...sent, headers: {}, connections: 10 };
  await using before = await startBefore(tools, { threads: 1, allowPrivateDemand: true }, async (one) => ({
    ...request,
    ...(await open(one, urls)).request,
  }));
  for (const contestant of [bare, server]) await warmUp(load, contestant, request);
  const speeds = await inTurn(
    {
      bare: () => speedOf(load, bare, request, { seconds }),
      bourse: () => speedOf(load, server, request, { seconds }),
      ...before.contestants,
    },
    rounds,
  );
  const share = shareOf('bare fan-out', { bourse: speeds.bourse, reference: speeds.bare, by });
  return {
    title: `${door} with ${dsps} DSP RTB EP${dsps === 1 ? '' : 's'}`,
    targets: [{ ...share, atLeast: 0.7 }],
    details: [
      ...speedFigures('bourse', speeds.bourse, by),
      ...speedFigures('bare', speeds.bare, by),
      cpuShareOf('bare', speeds.bourse, speeds.bare),
      ...before.figures(speeds),
    ],
  };
}

/** Compares a door, with DSPs in another process, to a program that only makes the same calls. */
function measureOf(name: string, door: string, open: Open, numbers: readonly number[]): Measure<Tools> {
  return {
    name,
    async run(tools) {
      const rows: Row[] = [];
      for (const dsps of numbers) rows.push(await rowFor(door, open, dsps, tools));
      return rows;
    },
  };
}

/** `/vast` and `/rtb` with DSPs behind them, each compared to a bare fan-out. */
export const askingDsps = [
  measureOf('vast-dsps', '/vast', openVast, [1, 10]),
  measureOf('rtb-dsps', '/rtb', openRtb, [1, 5, 10, 20]),
];
