import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Cube, cubeRows } from '../../src/reference/cubes.ts';

function row([name, { help, grains, named }]: readonly [string, Cube]): string {
  const kept = Object.entries(grains).map(([grain, for_]) => `${grain} (${for_})`);
  const bound = named ? `${named.most} values of a ${named.of} object` : 'combinations that occur';
  return `| \`${name}\` | ${help} | ${kept.join(', ')} | ${bound} |`;
}

test('operations.md lists every cube with its key, its steps of time, how long it is kept, and its bound', () => {
  const text = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const shown = text.split('<!-- cubes -->')[1]?.split('<!-- /cubes -->')[0]?.trim();
  const head = ['| Cube | Counts | Steps of time (kept) | Rows a day, at most |', '|---|---|---|---|'];
  assert.equal(shown, [...head, ...cubeRows.map(row)].join('\n'));
});
