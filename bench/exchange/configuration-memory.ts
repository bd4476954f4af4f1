import { mkdtempSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { threadServesText } from '../../src/threads/threads.ts';
import { writeConfiguration } from '../data/write-configuration.ts';
import type { Measure, Tools } from '../measure.ts';
import type { Figure, Row } from '../row.ts';
import { startBourse } from '../servers/bourse.ts';

const demandObjects = 100_000;
const listLines = 1_000_000;
const megabytesMax = 1000;
const settleMs = 5000;
const pollMs = 50;

interface Cost {
  readonly megabytes: number;
  readonly startMs: number;
}

/** Starts a Bourse on the configuration, and waits until all of its threads serve. */
async function costOf(databaseUrl: string, threads: number, checkout: string, folder: string): Promise<Cost> {
  const own = mkdtempSync(join(folder, 'memory-'));
  const startMs = performance.now();
  const { server } = await startBourse(own, { threads, databaseUrl, checkout });
  await using _server = server;
  const serving = () => readFileSync(join(own, 'bourse.log'), 'utf8').split(threadServesText).length - 1;
  while (serving() < threads - 1) await delay(pollMs);
  const tookMs = performance.now() - startMs;
  await delay(settleMs);
  return { megabytes: server.residentBytes() / 1e6, startMs: tookMs };
}

async function rowOf(databaseUrl: string, threads: number, { folder, against }: Tools): Promise<Row> {
  const now = await costOf(databaseUrl, threads, resolve(import.meta.dirname, '../..'), folder);
  const before = against && (await costOf(databaseUrl, threads, resolve(against), folder));
  const details: Figure[] = [{ what: 'until all threads serve', value: now.startMs, unit: 'milliseconds' }];
  if (before) {
    details.push(
      { what: 'before', value: before.megabytes, unit: 'megabytes' },
      { what: 'before, until all threads serve', value: before.startMs, unit: 'milliseconds' },
    );
  }
  return {
    title: `100,000 DSP VAST Tags, 1,000,000 lines, threads: ${threads}`,
    targets: [{ what: '', value: now.megabytes, unit: 'megabytes', atMost: megabytesMax }],
    details,
  };
}

/** Memory of a serving process with 100,000 demand objects, and lists of a million lines. */
export const configurationMemory: Measure<Tools> = {
  name: 'memory',
  async run(tools) {
    const path = join(mkdtempSync(join(tools.folder, 'memory-')), 'bourse.db');
    await writeConfiguration(path, { demandObjects, listLines });
    return [await rowOf(`sqlite:${path}`, 1, tools), await rowOf(`sqlite:${path}`, 4, tools)];
  },
};
