import { addEndpoint, addZone, type OpenDoor } from '../data/zone.ts';
import type { Outcome } from '../load/job.ts';
import type { Measure, Tools } from '../measure.ts';
import type { Figure, Row } from '../row.ts';
import { startBourse } from '../servers/bourse.ts';
import { startFanOut, startLimit, startPunctualDsps } from '../servers/references.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { median, percentile, type Request, warmUp } from '../speed.ts';

/** Few enough that ten calls for each stay below the bound on calls to one origin, and none is refused. */
const connections = 32;
/** Enough for all requests that are under way at once. */
const connectionsAtRate = 256;
const shareOfHighest = 0.7;
const overheadMsMax = 5;
/** How long each DSP takes: long enough that waiting is most of the answer's time. */
const dspMs = 20;
/** Steps of the binary search for the highest rate: enough to find it to a thirtieth. */
const searchSteps = 5;

interface Contestant {
  readonly server: ServerProcess;
  readonly request: Omit<Request, 'connections'>;
  readonly waitMs: number;
}

/** How much longer than demand answers took, at an even rate; counted from the time at which each request was due. */
async function overheadsAt(perSecond: number, { server, request, waitMs }: Contestant, tools: Tools) {
  const { load, seconds } = tools;
  const cpuStart = server.cpuSeconds();
  const outcome: Outcome = await load.run({
    ...request,
    origin: server.url,
    connections: connectionsAtRate,
    perSecond,
    until: { seconds },
  });
  const cores = (server.cpuSeconds() - cpuStart) / outcome.seconds;
  return { overheadsMs: outcome.waitsMs.map((tookMs) => tookMs - waitMs), cores };
}

/** The highest even rate at which half of the answers keep the bound; above it requests queue up. */
async function highestEvenRate(contestant: Contestant, tools: Tools): Promise<number> {
  const { server, request } = contestant;
  const until = { seconds: tools.seconds };
  const { answers, seconds } = await tools.load.run({
    ...request,
    origin: server.url,
    connections,
    until,
  });
  let [sustained, tooHigh] = [0, answers / seconds];
  for (let step = 0; step < searchSteps; step += 1) {
    const perSecond = Math.floor((sustained + tooHigh) / 2);
    const { overheadsMs } = await overheadsAt(perSecond, contestant, tools);
    if (percentile(overheadsMs, 0.5) <= overheadMsMax) sustained = perSecond;
    else tooHigh = perSecond;
  }
  if (sustained > 0) return sustained;
  throw new Error(
    `half of the answers take over ${overheadMsMax} ms at ${tooHigh}/s: the machine is too busy`,
  );
}

/**
 * The 99th percentile at 70 % of the highest even rate, compared to that of a bare server at the same rate, above which
 * it must not be unless `atMost` is given.
 */
async function rowFor(
  title: string,
  bourse: Contestant,
  bare: Contestant,
  tools: Tools,
  atMost?: number,
): Promise<Row> {
  for (const { server, request } of [bourse, bare]) {
    await warmUp(tools.load, server, { ...request, connections });
  }
  const found = {
    p99: [] as number[],
    p999: [] as number[],
    bare: [] as number[],
    at: [] as number[],
    cores: [] as number[],
  };
  for (let round = 0; round < tools.rounds; round += 1) {
    const perSecond = Math.floor((await highestEvenRate(bourse, tools)) * shareOfHighest);
    const ours = await overheadsAt(perSecond, bourse, tools);
    const theirs = await overheadsAt(perSecond, bare, tools);
    found.at.push(perSecond);
    found.cores.push(ours.cores);
    found.p99.push(percentile(ours.overheadsMs, 0.99));
    found.p999.push(percentile(ours.overheadsMs, 0.999));
    found.bare.push(percentile(theirs.overheadsMs, 0.99));
  }
  const details: Figure[] = [
    { what: 'p99.9', value: median(found.p999), unit: 'milliseconds' },
    { what: 'bare p99', value: median(found.bare), unit: 'milliseconds' },
    { what: 'at', value: median(found.at), unit: 'perSecond' },
    { what: 'of a core taken', value: median(found.cores), unit: 'share' },
  ];
  return {
    title,
    targets: [
      { what: 'p99', value: median(found.p99), unit: 'milliseconds', atMost: atMost ?? median(found.bare) },
    ],
    details,
  };
}

async function ofCampaign(tools: Tools): Promise<Row> {
  const bourse = await startBourse(tools.folder, { threads: 1 });
  await using server = bourse.server;
  const { request, answer } = await addZone(bourse, 'campaign');
  await using limit = await startLimit(tools.folder, answer);
  const bare = { server: limit, request, waitMs: 0 };
  return await rowFor(
    'Overhead of /vast, a campaign',
    { server, request, waitMs: 0 },
    bare,
    tools,
    overheadMsMax,
  );
}

async function ofDsps(door: string, open: OpenDoor, tools: Tools): Promise<Row> {
  await using dsps = await startPunctualDsps(tools.folder, dspMs);
  const urls = Array.from({ length: 10 }, (_, index) => `${dsps.url}/dsp/${index}`);
  const bourse = await startBourse(tools.folder, { threads: 1, allowPrivateDemand: true });
  await using server = bourse.server;
  const { request, answer } = await open(bourse, urls);
  const body = await (await fetch(`${dsps.url}/last`)).text();
  await using fanOut = await startFanOut(tools.folder, { urls, body, answer });
  const bare = { server: fanOut, request, waitMs: dspMs };
  const title = `Overhead of ${door}, 10 DSPs of ${dspMs} ms`;
  return await rowFor(title, { server, request, waitMs: dspMs }, bare, tools);
}

/** What the exchange adds to the time that demand takes, at 70 % of the highest even rate. */
export const overhead: Measure<Tools> = {
  name: 'overhead',
  run: async (tools) => [
    await ofCampaign(tools),
    await ofDsps('/vast', addZone, tools),
    await ofDsps('/rtb', addEndpoint, tools),
  ],
};
