import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type FigureName, readFigures, writeFigures } from '../bench/capacity/figures.ts';
import { measureLeases } from '../bench/capacity/measure-leases.ts';
import { measureStore } from '../bench/capacity/measure-store.ts';
import { type Assumptions, planText, standard } from '../bench/capacity/plan.ts';
import type { Row } from '../bench/row.ts';

/**
 * `npm run capacity`: what auctions need, calculated from `bench/figures.json`. `-- --measure` measures on this machine
 * first; `--write` puts the tables into `docs/operations.md`.
 */

const page = new URL('../docs/operations.md', import.meta.url);
const help = `npm run capacity -- [options]
  --auctions <rates>   auctions a second, with commas between (10000,100000,1000000)
${Object.entries(standard)
  .map(([name, value]) => [`  --${name} <number>`.padEnd(22), `(${value})`].join(' '))
  .join('\n')}
  --measure            measure on this machine first, into bench/figures.json: ten minutes, with nothing else running
  --only-store         of that, only what PostgreSQL takes: a minute
  --write              put the tables into docs/operations.md`;

/** Reads a number above 0. Throws a readable error for anything else. */
function above0(name: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new Error(`--${name} must be a number above 0; it is "${text}"`);
}

const numbers = Object.keys(standard) as (keyof Assumptions)[];
const { values } = parseArgs({
  options: {
    ...(Object.fromEntries(numbers.map((name) => [name, { type: 'string' }])) as Record<
      keyof Assumptions,
      { type: 'string' }
    >),
    auctions: { type: 'string', default: '10000,100000,1000000' },
    measure: { type: 'boolean', default: false },
    'only-store': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Processor time of auctions with one demand object, and of each further one, as `bench:exchange` measures them. */
function measureAuctions(): Readonly<Partial<Record<FigureName, number>>> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-capacity-'));
  const json = join(folder, 'rows.json');
  const args = ['bench/exchange.ts', '--only', 'rtb-dsps', '--rounds', '2', '--seconds', '2', '--json', json];
  execFileSync(process.execPath, args, { cwd: new URL('..', import.meta.url), stdio: 'inherit' });
  const { rows } = JSON.parse(readFileSync(json, 'utf8')) as { readonly rows: readonly Row[] };
  rmSync(folder, { recursive: true, force: true });
  const microsWith = (dsps: number) => {
    const row = rows.find(({ title }) => title.startsWith(`/rtb with ${dsps} DSP`));
    const figure = row?.details.find(({ unit }) => unit === 'cpuMicrosecondsEach');
    if (!figure) throw new Error(`bench:exchange has not measured /rtb with ${dsps} DSPs`);
    return figure.value;
  };
  return { auctionMicros: microsWith(1), callMicros: (microsWith(20) - microsWith(1)) / 19 };
}

async function run(): Promise<void> {
  if (values.help) return console.log(help);
  const given = numbers.map((name) => [
    name,
    values[name] === undefined ? standard[name] : above0(name, values[name]),
  ]);
  const assumed = Object.fromEntries(given) as Record<keyof Assumptions, number>;
  const rates = values.auctions.split(',').map((rate) => above0('auctions', rate));
  let figures = readFigures();
  if (values.measure || values['only-store']) {
    const from = `npm run capacity -- --measure, ${availableParallelism()} cores, ${new Date().toISOString().slice(0, 10)}`;
    const auctions = values.measure ? measureAuctions() : {};
    figures = writeFigures(
      figures,
      { ...auctions, ...(await measureStore()), ...(await measureLeases()) },
      from,
    );
  }
  const text = planText(figures, assumed, rates);
  console.log(text);
  if (!values.write) return;
  const [before, after] = readFileSync(page, 'utf8').split(
    /(?<=<!-- capacity -->\n).*?(?=<!-- \/capacity -->)/s,
  );
  if (after === undefined) throw new Error('docs/operations.md has no place for the tables');
  writeFileSync(page, `${before}${text}\n${after}`);
}

await run().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
