import { addZone } from '../data/zone.ts';
import type { Measure, Tools } from '../measure.ts';
import { cpuShareOf, type Row, shareOf, speedFigures } from '../row.ts';
import { startBourse } from '../servers/bourse.ts';
import { startFanOut, startMockDsps } from '../servers/references.ts';
import { inTurn, type Request, speedOf, warmUp } from '../speed.ts';

const by = 'answersPerSecond';

async function rowFor(dsps: number, { folder, load, rounds, seconds }: Tools): Promise<Row> {
  await using mocks = await startMockDsps(folder);
  const bourse = await startBourse(folder, { threads: 1, allowPrivateDemand: true });
  await using server = bourse.server;
  const urls = Array.from({ length: dsps }, (_, index) => `${mocks.url}/dsp/${index}`);
  const { path, answer } = await addZone(bourse, urls);
  const body = await (await fetch(`${mocks.url}/last`)).text();
  await using bare = await startFanOut(folder, { urls, body, answer });
  const request: Request = { paths: [path], method: 'GET', headers: {}, connections: 10 };
  await warmUp(load, server, request);
  const speeds = await inTurn(
    {
      bare: () => speedOf(load, bare, request, { seconds }),
      bourse: () => speedOf(load, server, request, { seconds }),
    },
    rounds,
  );
  const share = shareOf('bare fan-out', { bourse: speeds.bourse, reference: speeds.bare, by });
  return {
    title: `/vast with ${dsps} DSP RTB EPs`,
    judged: [{ ...share, atLeast: 0.7 }],
    beside: [
      ...speedFigures('bourse', speeds.bourse, by),
      ...speedFigures('bare', speeds.bare, by),
      cpuShareOf('bare', speeds.bourse, speeds.bare),
    ],
  };
}

/** `/vast` with DSPs in another process: beside a program that only makes the same calls. */
export const askingDsps: Measure<Tools> = {
  name: 'dsps',
  async run(tools) {
    const rows: Row[] = [];
    for (const dsps of [1, 10]) rows.push(await rowFor(dsps, tools));
    return rows;
  },
};
