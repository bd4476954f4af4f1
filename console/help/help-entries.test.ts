import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readGuide } from '../build/read-guide.ts';
import { helpEntries } from './help-entries.ts';

const glossary = readGuide(
  'glossary.md',
  readFileSync(new URL('../../docs/guide/glossary.md', import.meta.url), 'utf8'),
);

test('a guide is found by its title, its headings and the names in its tables', () => {
  const entries = helpEntries([glossary]);
  const found = (hash: string) => entries.find((entry) => entry.hash === hash);
  assert.deepEqual(entries[0], { page: 'glossary', hash: '', title: 'Glossary', text: 'Guide' });
  assert.deepEqual(found('figures'), {
    page: 'glossary',
    hash: 'figures',
    title: 'Figures',
    text: 'In the guide “Glossary”',
  });
  assert.equal(new Set(entries.map(({ hash }) => hash)).size, entries.length);
  assert.deepEqual(found('Requests'), {
    page: 'glossary',
    hash: 'Requests',
    title: 'Requests',
    text: 'Glossary: Requests',
  });
});
