import { addZone, type ZoneDemand } from '../data/zone.ts';
import type { Measure, Tools } from '../measure.ts';
import type { Row } from '../row.ts';
import { startBourse } from '../servers/bourse.ts';
import { startMockDsps } from '../servers/references.ts';
import { median, percentile, warmUp } from '../speed.ts';

const connections = 64;
/** Enough for all that is under way at once. */
const connectionsAtRate = 256;
const shareOfHighest = 0.7;
const overheadMsMax = 5;
/** How long each DSP takes: long enough that waiting is most of the answer's time. */
const dspMs = 20;

/** The slowest hundredth of answers at 70 % of the highest rate, without the time that demand takes. */
async function rowFor(title: string, demand: ZoneDemand, waitMs: number, tools: Tools): Promise<Row> {
  const { folder, load, rounds, seconds } = tools;
  const bourse = await startBourse(folder, { threads: 1, allowPrivateDemand: true });
  await using server = bourse.server;
  const { path } = await addZone(bourse, demand);
  const request = { paths: [path], method: 'GET', headers: {}, connections } as const;
  const job = { ...request, origin: server.url };
  await warmUp(load, server, request);
  const overheads: number[] = [];
  const rates: number[] = [];
  const cores: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { answers, seconds: took } = await load.run({ ...job, until: { seconds } });
    const perSecond = Math.floor((answers / took) * shareOfHighest);
    const cpuStart = server.cpuSeconds();
    const atRate = await load.run({
      ...job,
      connections: connectionsAtRate,
      perSecond,
      until: { seconds },
    });
    cores.push((server.cpuSeconds() - cpuStart) / atRate.seconds);
    rates.push(perSecond);
    overheads.push(percentile(atRate.waitsMs, 0.99) - waitMs);
  }
  return {
    title,
    judged: [{ what: 'p99', value: median(overheads), unit: 'milliseconds', atMost: overheadMsMax }],
    beside: [
      { what: 'at', value: median(rates), unit: 'perSecond' },
      { what: 'of a core taken', value: median(cores), unit: 'share' },
    ],
  };
}

/** What the exchange adds to the time that demand takes, at 70 % of the highest rate. */
export const overhead: Measure<Tools> = {
  name: 'overhead',
  async run(tools) {
    await using mocks = await startMockDsps(tools.folder);
    const urls = Array.from({ length: 10 }, (_, index) => `${mocks.url}/dsp/${index}?ms=${dspMs}`);
    return [
      await rowFor('Overhead of /vast, a campaign', 'campaign', 0, tools),
      await rowFor(`Overhead of /vast, 10 DSPs of ${dspMs} ms`, urls, dspMs, tools),
    ];
  },
};
