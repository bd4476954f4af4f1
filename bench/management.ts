import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDspVastTags, addSurroundings } from './data/fill-exchange.ts';
import { startGenerator } from './load/generator.ts';
import type { Exchange, Measure } from './measure.ts';
import { addPublisher } from './measures/add-publisher.ts';
import { arrayMemory } from './measures/array-memory.ts';
import { bookkeeping } from './measures/bookkeeping.ts';
import { getArray } from './measures/get-array.ts';
import { getOne } from './measures/get-one.ts';
import { postgresAddPublisher } from './measures/postgres-add-publisher.ts';
import { postgresGetOne } from './measures/postgres-get-one.ts';
import { residentMemory } from './measures/resident-memory.ts';
import { start } from './measures/start.ts';
import { threads } from './measures/threads.ts';
import { waitBehindArray } from './measures/wait-behind-array.ts';
import { type Options, readOptions } from './options.ts';
import { isReached, type Row, rowText } from './row.ts';
import { startBourse } from './servers/bourse.ts';

/** In this order; memory comes after all the work on the exchange. The measures behind it have servers of their own. */
const measures: readonly Measure[] = [
  start,
  getOne,
  getArray,
  waitBehindArray,
  addPublisher,
  arrayMemory,
  residentMemory,
  postgresGetOne,
  postgresAddPublisher,
  threads,
  bookkeeping,
];

const tags = 10_000;

/** As many as the references have; what more of them do is a measure of its own. */
const servingThreads = 1;

async function fillExchange(folder: string, { profile }: Options): Promise<Exchange> {
  const nodeOptions = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const { server, api } = await startBourse(folder, { nodeOptions, threads: servingThreads });
  const around = await addSurroundings(api);
  return { server, api, around, tagIds: await addDspVastTags(api, around, tags) };
}

async function runMeasures(folder: string, options: Options): Promise<Row[]> {
  const { rounds, seconds, only } = options;
  using load = startGenerator();
  let exchange: Promise<Exchange> | undefined;
  const bench = {
    folder,
    rounds,
    seconds,
    load,
    exchange: () => {
      exchange ??= fillExchange(folder, options);
      return exchange;
    },
  };
  const rows: Row[] = [];
  for (const measure of measures.filter(({ name }) => only === undefined || name === only)) {
    for (const row of await measure.run(bench)) {
      rows.push(row);
      console.log(rowText(row));
    }
  }
  await (await exchange)?.server[Symbol.asyncDispose]();
  return rows;
}

function summary(rows: readonly Row[]): string {
  const judged = rows
    .flatMap((row) => row.judged)
    .filter(({ atLeast, atMost }) => atLeast !== undefined || atMost !== undefined);
  return `${judged.filter(isReached).length} of ${judged.length} figures reach what is asked of them`;
}

async function main(): Promise<void> {
  const options = readOptions(measures.map(({ name }) => name));
  const folder = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const machine = { node: process.version, cores: availableParallelism() };
  console.log(`Node ${machine.node}, ${machine.cores} cores; ${options.rounds} rounds in turn, medians`);
  const rows = await runMeasures(folder, options);
  console.log(summary(rows));
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ machine, options, rows }, null, 2)}\n`);
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
