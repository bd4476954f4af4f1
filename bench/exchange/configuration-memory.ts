import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeConfiguration } from '../data/write-configuration.ts';
import type { Measure, Tools } from '../measure.ts';
import { startBourse } from '../servers/bourse.ts';

const demandObjects = 100_000;
const listLines = 1_000_000;
const megabytesMax = 1000;
const settleMs = 3000;

/** Memory of a serving process with 100,000 demand objects, and lists of a million lines. */
export const configurationMemory: Measure<Tools> = {
  name: 'memory',
  async run({ folder }) {
    const own = mkdtempSync(join(folder, 'memory-'));
    await writeConfiguration(join(own, 'bourse.db'), { demandObjects, listLines });
    const startMs = performance.now();
    const { server } = await startBourse(own, { threads: 1 });
    await using _server = server;
    const tookMs = performance.now() - startMs;
    await delay(settleMs);
    return [
      {
        title: '100,000 DSP VAST Tags, 1,000,000 lines',
        targets: [{ what: '', value: server.residentBytes() / 1e6, unit: 'megabytes', atMost: megabytesMax }],
        details: [{ what: 'start', value: tookMs, unit: 'milliseconds' }],
      },
    ];
  },
};
