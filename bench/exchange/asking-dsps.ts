import { compare } from '../compare.ts';
import { addEndpoint, addZone, type OpenDoor } from '../data/zone.ts';
import type { Measure, Tools } from '../measure.ts';
import type { Row } from '../row.ts';
import { startBourse } from '../servers/bourse.ts';
import { startFanOut, startMockDsps } from '../servers/references.ts';
import { warmUp } from '../speed.ts';
import { startBefore } from './with-checkout.ts';

async function rowFor(door: string, open: OpenDoor, dsps: number, tools: Tools): Promise<Row> {
  const { folder, load } = tools;
  await using mocks = await startMockDsps(folder);
  const options = { threads: 1, allowPrivateDemand: true };
  const bourse = await startBourse(folder, options);
  await using server = bourse.server;
  const urls = Array.from({ length: dsps }, (_, index) => `${mocks.url}/dsp/${index}`);
  const { request: sent, answer } = await open(bourse, urls);
  const body = await (await fetch(`${mocks.url}/last`)).text();
  await using bare = await startFanOut(folder, { urls, body, answer });
  const request = { ...sent, connections: 10 };
  await using before = await startBefore(tools, options, (other) => open(other, urls), request.connections);
  for (const contestant of [bare, server]) await warmUp(load, contestant, request);
  const title = `${door} with ${dsps} DSP RTB EP${dsps === 1 ? '' : 's'}`;
  const references = [{ name: 'bare fan-out', server: bare, request, atLeast: 0.7 }, ...before.references];
  return await compare(tools, title, { server, request }, references);
}

function measureOf(name: string, door: string, open: OpenDoor, numbers: readonly number[]): Measure<Tools> {
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
  measureOf('vast-dsps', '/vast', addZone, [1, 10]),
  measureOf('rtb-dsps', '/rtb', addEndpoint, [1, 5, 10, 20]),
];
