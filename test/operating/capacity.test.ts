import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readFigures } from '../../bench/capacity/figures.ts';
import { carried, carriedByOneDatabase, planLines, planText, standard } from '../../bench/capacity/plan.ts';

const root = dirname(dirname(import.meta.dirname));
const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const measured = readFigures();

test('the page has the tables that `npm run capacity -- --write` makes', () => {
  const [, table] = /<!-- capacity -->\n(.*?)\n<!-- \/capacity -->/s.exec(page) ?? [];
  assert.equal(table, planText(measured, standard, [10_000, 100_000, 1_000_000]));
});

test('what is needed follows from the figures', () => {
  const values = {
    auctionMicros: 100,
    callMicros: 50,
    pairMicros: 100,
    eventMicros: 1000,
    reportMicros: 10_000,
    limitMicros: 100,
    factMicros: 10,
    factBytes: 20,
  };
  const figures = { ...measured.figures };
  for (const [name, value] of Object.entries(values) as [keyof typeof values, number][])
    figures[name] = { ...figures[name], value };
  const assumed = {
    ...standard,
    calls: 9,
    cores: 10,
    load: 0.5,
    pairs: 100,
    limits: 300,
    events: 0.2,
    sample: 5,
  };
  const need = (part: string, rate: number) =>
    planLines({ ...measured, figures }, assumed)
      .find(({ what }) => what.includes(part))
      ?.of(rate) ?? assert.fail(part);
  // An auction takes 500 µs: a machine of which five cores are used carries 10,000.
  assert.equal(carried({ ...measured, figures }, assumed), 10_000);
  assert.equal(need('cores that are busy', 40_000), 20);
  assert.equal(need('machines of', 40_000), 5);
  // 50 threads with 100 pairs of 100 µs, 8,000 events of 1,000 µs.
  assert.ok(Math.abs(need('PostgreSQL: cores', 40_000) - 8.5) < 1e-9);
  // Five machines with a report of 10 ms, and 300 limits of 100 µs in each.
  assert.ok(Math.abs(need('with limits', 40_000) - 0.2) < 1e-9);
  assert.equal(need('PostgreSQL: installations', 40_000), 2);
  const oneCarries = (limits: number) =>
    carriedByOneDatabase({ ...measured, figures }, { ...assumed, limits });
  // Of ten cores five are used: four machines take 0.56, and 22,200 auctions with 4,440 events the rest.
  assert.ok(Math.abs(oneCarries(300) - 22_200) <= 1);
  // Half of a core for limits is used: two machines take 0.42, a third one is needed beyond 10,000.
  assert.equal(oneCarries(2000), 10_000);
  // Ten rows of one auction in five, and the events.
  assert.equal(need('rows a second', 40_000), 88_000);
  assert.ok(Math.abs(need('ClickHouse: cores', 40_000) - 0.88) < 1e-9);
});

test('the command calculates for other exchanges, and names what it cannot take', () => {
  const capacity = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/capacity.ts'), ...args], { encoding: 'utf8' });
  const { status, stdout } = capacity('--auctions', '500', '--calls', '20', '--cores', '4');
  assert.equal(status, 0);
  assert.match(stdout, /20 demand objects asked.*machines of 4 cores/);
  assert.match(stdout, /^\| auctions a second \| 500 \| formula \|$/m);
  const refused = capacity('--calls', 'many');
  assert.deepEqual([refused.status, refused.stderr], [1, '--calls must be a number above 0; it is "many"\n']);
});
