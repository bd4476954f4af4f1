import { compare } from '../compare.ts';
import { addEndpoint, addZone, type OpenDoor } from '../data/zone.ts';
import type { Measure, Tools } from '../measure.ts';
import type { Row } from '../row.ts';
import { type BourseServer, startBourse } from '../servers/bourse.ts';
import { startFanOut, startMockDsps, startPlainFanOut } from '../servers/references.ts';
import { warmUp } from '../speed.ts';
import { startBefore } from './with-checkout.ts';

/** For how many DSPs, and the share of the processor time before that an answer may take. */
type Loads = readonly (readonly [dsps: number, cpuAtMost: number])[];

const connections = 10;

async function rowFor(
  door: string,
  open: OpenDoor,
  [dsps, cpuAtMost]: Loads[number],
  tools: Tools,
): Promise<Row> {
  const { folder, load } = tools;
  await using mocks = await startMockDsps(folder);
  const options = { threads: 1, allowPrivateDemand: true };
  const bourse = await startBourse(folder, options);
  await using server = bourse.server;
  const urls = Array.from({ length: dsps }, (_, index) => `${mocks.url}/dsp/${index}`);
  const { request: sent, answer } = await open(bourse, urls);
  const body = await (await fetch(`${mocks.url}/last`)).text();
  const work = { urls, body, answer };
  await using bare = await startFanOut(folder, work);
  await using plain = await startPlainFanOut(folder, work);
  const request = { ...sent, connections };
  const openOther = (other: BourseServer) => open(other, urls);
  await using before = await startBefore(tools, options, openOther, { connections, cpuAtMost });
  for (const contestant of [bare, plain, server]) await warmUp(load, contestant, request);
  const title = `${door} with ${dsps} DSP RTB EP${dsps === 1 ? '' : 's'}`;
  const references = [
    { name: 'bare fan-out', server: bare, request },
    { name: 'fan-out over plain sockets', server: plain, request },
    ...before.references,
  ];
  return await compare(tools, title, { server, request }, references);
}

function measureOf(name: string, door: string, open: OpenDoor, loads: Loads): Measure<Tools> {
  return {
    name,
    async run(tools) {
      const rows: Row[] = [];
      for (const load of loads) rows.push(await rowFor(door, open, load, tools));
      return rows;
    },
  };
}

/** `/vast` and `/rtb` with DSPs behind them, each compared to bare fan-outs, and with `--against` to another checkout. */
export const askingDsps = [
  measureOf('vast-dsps', '/vast', addZone, [
    [1, 0.75],
    [10, 0.6],
  ]),
  measureOf('rtb-dsps', '/rtb', addEndpoint, [
    [1, 0.75],
    [5, 0.65],
    [10, 0.6],
    [20, 0.6],
  ]),
];
