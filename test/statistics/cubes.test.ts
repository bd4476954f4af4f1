import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Cube, cubeRows } from '../../src/reference/cubes.ts';
import { answerableFrom } from '../../src/statistics/asking/plan-report.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';

function row([name, { help, grains, named }]: readonly [string, Cube]): string {
  const kept = Object.entries(grains).map(([grain, for_]) => `${grain} (${for_})`);
  const bound = named ? `${named.most} values of a ${named.of} object` : 'combinations that occur';
  return `| \`${name}\` | ${help} | ${kept.join(', ')} | ${bound} |`;
}

test('where single events are kept, any of their dimensions can be asked for together, from then on', () => {
  const fromMs = 5 * 86_400_000;
  const now = { nowMs: 40 * 86_400_000, keptDays: standardKeptDays, starts: new Map<string, number>() };
  const names = ['Supply', 'Demand', 'Country', 'Os', 'Site', 'SubId'] as const;
  const ableIn = (all: ReturnType<typeof answerableFrom>) =>
    all.filter(({ dimensions }) => names.every((name) => dimensions.includes(name)));
  assert.deepEqual(ableIn(answerableFrom(now)), []);
  const [facts] = ableIn(answerableFrom(now, fromMs));
  assert.deepEqual(
    facts?.steps,
    ['day', 'hour', 'quarter'].map((grain) => ({ grain, sinceMs: fromMs })),
  );
});

test('operations.md lists every cube with its key, its steps of time, how long it is kept, and its bound', () => {
  const text = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const shown = text.split('<!-- cubes -->')[1]?.split('<!-- /cubes -->')[0]?.trim();
  const head = ['| Cube | Counts | Steps of time (kept) | Rows a day, at most |', '|---|---|---|---|'];
  assert.equal(shown, [...head, ...cubeRows.map(row)].join('\n'));
});
