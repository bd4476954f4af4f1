import { join, resolve } from 'node:path';
import { readBidRequest } from '../../src/protocols/openrtb/read-bid-request.ts';
import { bidRequest } from '../data/bid-request.ts';
import { addEndpoint } from '../data/zone.ts';
import type { Measure, Tools } from '../measure.ts';
import type { Row } from '../row.ts';
import { startBourse } from '../servers/bourse.ts';
import { startMockDsps } from '../servers/references.ts';
import { inTurn, median, microsecondsOf, speedOf, warmUp } from '../speed.ts';

const timesEach = 20_000;

type Read = typeof readBidRequest;

async function readerOf(checkout: string): Promise<Read> {
  const file = join(resolve(checkout), 'src/protocols/openrtb/read-bid-request.ts');
  return ((await import(file)) as { readBidRequest: Read }).readBidRequest;
}

async function reading({ against, rounds }: Tools): Promise<Row> {
  const body = Buffer.from(JSON.stringify(bidRequest));
  if ('fault' in readBidRequest(body)) throw new Error('the example is no bid request');
  const before = against === undefined ? undefined : await readerOf(against);
  const cost = (read: (body: Buffer) => unknown) => () =>
    Promise.resolve(microsecondsOf(() => read(body), timesEach));
  const costs = await inTurn<string, number>(
    {
      own: cost(readBidRequest),
      json: cost((bytes) => JSON.parse(bytes.toString())),
      ...(before && { before: cost(before) }),
    },
    rounds,
  );
  const { own = [], json = [] } = costs;
  const shares = costs.before?.map((us, round) => (own[round] ?? Number.NaN) / us);
  return {
    title: `Reading a bid request of ${body.length} bytes`,
    targets: [{ what: '', value: median(own), unit: 'cpuMicroseconds', atMost: 15 }],
    details: [
      { what: 'JSON.parse alone', value: median(json), unit: 'cpuMicroseconds' },
      ...(shares ? [{ what: 'of the CPU of before', value: median(shares), unit: 'share' } as const] : []),
    ],
  };
}

async function refusing({ folder, load, rounds, seconds }: Tools): Promise<Row> {
  await using mocks = await startMockDsps(folder);
  const bourse = await startBourse(folder, { threads: 1, allowPrivateDemand: true });
  await using server = bourse.server;
  const { id, request: sent } = await addEndpoint(bourse, [`${mocks.url}/dsp`]);
  await bourse.api.deactivate('ortb/rtbep', 'RtbEp', id);
  while ((await fetch(server.url + sent.paths[0], sent)).status !== 204);
  const request = { ...sent, connections: 10 };
  await warmUp(load, server, request);
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    costs.push((await speedOf(load, server, request, { seconds })).cpuUs);
  }
  return {
    title: '/rtb, refused at the door',
    targets: [{ what: '', value: median(costs), unit: 'cpuMicrosecondsEach', atMost: 60 }],
    details: [],
  };
}

/** What reading them takes in a loop; with `--against`, by turns with another checkout's. */
export const readingRequests: Measure<Tools> = {
  name: 'reading',
  run: async (tools) => [await reading(tools)],
};

/** What bid requests cost before any demand is asked. */
export const bidRequests: Measure<Tools> = {
  name: 'bid-requests',
  run: async (tools) => [await refusing(tools)],
};
