import { setTimeout as delay } from 'node:timers/promises';
import { startGenerator } from '../load/generator.ts';
import type { Job } from '../load/job.ts';
import type { Measure } from '../measure.ts';
import type { Figure } from '../row.ts';
import { percentile } from '../speed.ts';

const headStartMs = 300;
const waitMsMax = 50;

function waitFigures(when: string, waitsMs: readonly number[]): Figure[] {
  return [
    { what: `${when}worst`, value: Math.max(...waitsMs), unit: 'milliseconds' },
    { what: 'p99', value: percentile(waitsMs, 0.99), unit: 'milliseconds' },
  ];
}

/**
 * How long small requests of another connection wait while arrays of 10,000 objects are streamed, one after another.
 */
export const waitBehindArray: Measure = {
  name: 'wait-behind-array',
  run: async ({ exchange, load, rounds, seconds }) => {
    const { server, api, tagIds } = await exchange();
    const base = { origin: server.url, method: 'GET', headers: api.headers, connections: 1 } as const;
    const path = '/api/ortb/dspvasttag/get';
    const small = (until: Job['until']) => load.run({ ...base, paths: [`${path}?Id=${tagIds[0]}`], until });
    using streams = startGenerator();
    const whole = seconds * rounds;
    const alone = await small({ seconds: whole });
    const streaming = streams.run({
      ...base,
      paths: [`${path}?Limit=10000`],
      until: { seconds: whole + (2 * headStartMs) / 1000 },
    });
    await delay(headStartMs);
    const behind = await small({ seconds: whole });
    const { answers } = await streaming;
    return [
      {
        title: `Small GET behind ${answers} arrays of 10,000`,
        targets: waitFigures('', behind.waitsMs).map((figure) => ({ ...figure, atMost: waitMsMax })),
        details: [
          ...waitFigures('with no array: ', alone.waitsMs),
          { what: 'small GETs', value: behind.answers / behind.seconds, unit: 'perSecond' },
        ],
      },
    ];
  },
};
