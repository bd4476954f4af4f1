import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGenerator } from './load/generator.ts';
import type { Measure, Tools } from './measure.ts';
import { type Options, readOptions } from './options.ts';
import { isReached, type Row, rowText } from './row.ts';

function summary(rows: readonly Row[]): string {
  const judged = rows
    .flatMap((row) => row.targets)
    .filter(({ atLeast, atMost }) => atLeast !== undefined || atMost !== undefined);
  return `${judged.filter(isReached).length} of ${judged.length} figures reach what is asked of them`;
}

/** What a bench is made of: its npm script, its measures, and `prepare`, which adds to the tools what they need. */
export interface BenchPlan<B extends Tools> {
  readonly script: string;
  readonly measures: readonly Measure<B>[];
  readonly prepare: (tools: Tools, options: Options) => B & Partial<AsyncDisposable>;
}

async function run<B extends Tools>({ script, measures, prepare }: BenchPlan<B>): Promise<void> {
  const options = readOptions(
    script,
    measures.map(({ name }) => name),
  );
  const folder = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const machine = { node: process.version, cores: availableParallelism() };
  const { rounds, seconds, only, json, against } = options;
  console.log(`Node ${machine.node}, ${machine.cores} cores; ${rounds} rounds in turn, medians`);
  using load = startGenerator();
  const bench = prepare({ folder, rounds, seconds, load, against }, options);
  const rows: Row[] = [];
  for (const measure of measures.filter(({ name }) => only === undefined || name === only)) {
    for (const row of await measure.run(bench)) {
      rows.push(row);
      console.log(rowText(row));
    }
  }
  await bench[Symbol.asyncDispose]?.();
  console.log(summary(rows));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, options, rows }, null, 2)}\n`);
}

/** Runs the measures that the command line asks for, and prints a row for each; a failure ends the process with 1. */
export async function runMeasures<B extends Tools>(plan: BenchPlan<B>): Promise<void> {
  try {
    await run(plan);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
