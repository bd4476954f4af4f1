import { readBidRequest } from '../../src/protocols/openrtb/read-bid-request.ts';
import { bidRequest } from '../data/bid-request.ts';
import { addEndpoint } from '../data/zone.ts';
import type { Measure, Tools } from '../measure.ts';
import type { Row } from '../row.ts';
import { startBourse } from '../servers/bourse.ts';
import { startMockDsps } from '../servers/references.ts';
import { median, microsecondsOf, speedOf, warmUp } from '../speed.ts';

const timesEach = 20_000;

function reading(): Row {
  const body = Buffer.from(JSON.stringify(bidRequest));
  if ('fault' in readBidRequest(body)) throw new Error('the example is no bid request');
  return {
    title: `Reading a bid request of ${body.length} bytes`,
    targets: [
      {
        what: '',
        value: microsecondsOf(() => readBidRequest(body), timesEach),
        unit: 'cpuMicroseconds',
        atMost: 15,
      },
    ],
    details: [
      {
        what: 'JSON.parse alone',
        value: microsecondsOf(() => JSON.parse(body.toString()), timesEach),
        unit: 'cpuMicroseconds',
      },
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

/** What bid requests cost before any demand is asked. */
export const bidRequests: Measure<Tools> = {
  name: 'bid-requests',
  run: async (tools) => [reading(), await refusing(tools)],
};
