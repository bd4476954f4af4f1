import { mkdtempSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.ts';
import type { Measure } from '../measure.ts';
import type { Figure } from '../row.ts';
import { bourseCommand } from '../servers/bourse.ts';
import { startServer } from '../servers/server-process.ts';
import { median } from '../speed.ts';

const askEveryMs = 2;
const giveUpMs = 30_000;

function isServing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/healthz', agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });
}

/** Milliseconds from the command to the first 200 of /healthz, on the database in `folder`. */
async function startMs(folder: string): Promise<number> {
  const port = await freePort();
  const beginMs = performance.now();
  const starting = startServer(bourseCommand(folder, { port }), folder);
  while (!(await isServing(port)) && performance.now() - beginMs < giveUpMs) await delay(askEveryMs);
  const tookMs = performance.now() - beginMs;
  await using _server = await starting;
  return tookMs;
}

/** Time from `node bin/bourse.js serve` to the first 200 of /healthz: without a database yet, then again with it. */
export const start: Measure = {
  name: 'start',
  run: async ({ folder, rounds }) => {
    const firstMs: number[] = [];
    const againMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const own = mkdtempSync(join(folder, 'start-'));
      firstMs.push(await startMs(own));
      againMs.push(await startMs(own));
    }
    const figure = (what: string, values: number[]): Figure => ({
      what,
      value: median(values),
      unit: 'milliseconds',
    });
    return [
      {
        title: 'Start to the first 200',
        targets: [
          { ...figure('first', firstMs), atMost: 1000 },
          { ...figure('again', againMs), atMost: 1000 },
        ],
        details: [{ ...figure('slowest', [Math.max(...firstMs, ...againMs)]) }],
      },
    ];
  },
};
