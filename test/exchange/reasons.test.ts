import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { reasons } from '../../src/exchange/reasons.ts';

test('every reason is given somewhere', () => {
  const room = new URL('../../src/exchange/', import.meta.url);
  const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && file !== 'reasons.ts',
  );
  const source = files.map((file) => readFileSync(new URL(file, room), 'utf8')).join('\n');
  assert.deepEqual(
    Object.keys(reasons).filter((name) => !source.includes(`'${name}'`)),
    [],
  );
});
