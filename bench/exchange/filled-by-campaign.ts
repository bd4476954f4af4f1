import { compare } from '../compare.ts';
import { addZone } from '../data/zone.ts';
import type { Measure, Tools } from '../measure.ts';
import { type BourseServer, startBourse } from '../servers/bourse.ts';
import { startLimit } from '../servers/references.ts';
import { warmUp } from '../speed.ts';
import { startBefore } from './with-checkout.ts';

/** Of the processor time of an answer before; see docs/performance.md. */
const cpuAtMost = 0.85;

/** `/vast` filled by a campaign, without outbound calls, compared to bare `node:http` that answers as many bytes. */
export const filledByCampaign: Measure<Tools> = {
  name: 'campaign',
  async run(tools) {
    const bourse = await startBourse(tools.folder, { threads: 1 });
    await using server = bourse.server;
    const { request: sent, answer } = await addZone(bourse, 'campaign');
    await using limit = await startLimit(tools.folder, answer);
    const request = { ...sent, connections: 10 };
    const openOther = (other: BourseServer) => addZone(other, 'campaign');
    await using before = await startBefore(tools, { threads: 1 }, openOther, {
      connections: request.connections,
      cpuAtMost,
    });
    for (const contestant of [limit, server]) await warmUp(tools.load, contestant, request);
    const title = `/vast filled by a campaign, ${Buffer.byteLength(answer)} bytes`;
    const references = [{ name: 'bare node:http', server: limit, request }, ...before.references];
    return [await compare(tools, title, { server, request }, references)];
  },
};
