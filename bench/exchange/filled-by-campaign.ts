import { addZone } from '../data/zone.ts';
import type { Measure, Tools } from '../measure.ts';
import { cpuShareOf, shareOf, speedFigures } from '../row.ts';
import { startBourse } from '../servers/bourse.ts';
import { startLimit } from '../servers/references.ts';
import { inTurn, type Request, speedOf, warmUp } from '../speed.ts';
import { startBefore } from './with-checkout.ts';

const by = 'answersPerSecond';

/** `/vast` filled by a campaign, without outbound calls, compared to bare `node:http` that answers as many bytes. */
export const filledByCampaign: Measure<Tools> = {
  name: 'campaign',
  async run(tools) {
    const { folder, load, rounds, seconds } = tools;
    const bourse = await startBourse(folder, { threads: 1 });
    await using server = bourse.server;
    const { path, answer } = await addZone(bourse, 'campaign');
    await using limit = await startLimit(folder, answer);
    const requestOf = (zone: string): Request => ({
      paths: [zone],
      method: 'GET',
      headers: {},
      connections: 10,
    });
    const request = requestOf(path);
    await using before = await startBefore(tools, { threads: 1 }, async (one) =>
      requestOf((await addZone(one, 'campaign')).path),
    );
    for (const contestant of [limit, server]) await warmUp(load, contestant, request);
    const speeds = await inTurn(
      {
        limit: () => speedOf(load, limit, request, { seconds }),
        bourse: () => speedOf(load, server, request, { seconds }),
        ...before.contestants,
      },
      rounds,
    );
    const share = shareOf('bare node:http', { bourse: speeds.bourse, reference: speeds.limit, by });
    return [
      {
        title: `/vast filled by a campaign, ${Buffer.byteLength(answer)} bytes`,
        targets: [{ ...share, atLeast: 0.4 }],
        details: [
          ...speedFigures('bourse', speeds.bourse, by),
          ...speedFigures('bare', speeds.limit, by),
          cpuShareOf('bare', speeds.bourse, speeds.limit),
          ...before.figures(speeds),
        ],
      },
    ];
  },
};
