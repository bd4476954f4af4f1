import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../compare.ts';
import { addZone } from '../data/zone.ts';
import type { Measure, Tools } from '../measure.ts';
import type { Row } from '../row.ts';
import { type BourseServer, startBourse } from '../servers/bourse.ts';
import { startLimit } from '../servers/references.ts';
import { warmUp } from '../speed.ts';
import { startBefore } from './with-checkout.ts';

/** Of the processor time of an answer before; see docs/performance.md. */
const cpuAtMost = 0.85;

/** How many connected campaigns there are, of which one is admitted. */
const connected = [1, 10, 200] as const;

async function rowOf(tools: Tools, campaigns: number): Promise<Row> {
  const folder = join(tools.folder, `${campaigns}`);
  mkdirSync(folder, { recursive: true });
  const bourse = await startBourse(folder, { threads: 1 });
  await using server = bourse.server;
  const open = (other: BourseServer) => addZone(other, 'campaign', campaigns - 1);
  const { request: sent, answer } = await open(bourse);
  await using limit = await startLimit(folder, answer);
  const request = { ...sent, connections: 10 };
  await using before = await startBefore({ ...tools, folder }, { threads: 1 }, open, {
    connections: request.connections,
    cpuAtMost,
  });
  for (const contestant of [limit, server]) await warmUp(tools.load, contestant, request);
  const among = campaigns === 1 ? 'a campaign' : `one of ${campaigns} connected campaigns`;
  const title = `/vast filled by ${among}, ${Buffer.byteLength(answer)} bytes`;
  const references = [{ name: 'bare node:http', server: limit, request }, ...before.references];
  // The servers end with this function: not before it has been measured.
  return await compare(tools, title, { server, request }, references);
}

/** `/vast` filled by a campaign, without outbound calls, compared to bare `node:http` that answers as many bytes. */
export const filledByCampaign: Measure<Tools> = {
  name: 'campaign',
  async run(tools) {
    const rows: Row[] = [];
    for (const campaigns of connected) rows.push(await rowOf(tools, campaigns));
    return rows;
  },
};
