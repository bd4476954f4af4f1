import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { readConfigFile } from '../../src/cli/config/config-file.ts';
import { configText } from '../../src/management/config/config-text.ts';
import { seeded } from '../support/seed.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-yaml-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'config.yaml');

const awkward = [
  'NO',
  '~',
  '~1',
  '1',
  '1e3',
  '0x1',
  'null',
  '=',
  '<<',
  '- x',
  '# x',
  'a: b',
  '\r\n',
  'a\rb',
  '\ufeffa',
];
const more = [
  '\n\n a\n',
  'a \n',
  '\u2028',
  '\u0085',
  '\x07',
  '"',
  "'",
  '|',
  '&a',
  '*a',
  '!t',
  '2027-01-01',
  'é\n#',
  '%',
  '...',
];
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...awkward, ...more));
const values = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.double({ noNaN: true }), fc.array(text)));

test('any text and number is read as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(values), async (objects) => {
      const config = { Version: 1, Tag: objects };
      writeFileSync(file, configText(config));
      assert.deepEqual(JSON.stringify(await readConfigFile(file)), JSON.stringify(config));
    }),
    seeded(500),
  );
});

test('JSON is read too', async () => {
  const config = { Version: 1, Tag: [{ Name: 'a\n"b"' }] };
  writeFileSync(file, JSON.stringify(config, null, '\t'));
  assert.deepEqual(await readConfigFile(file), config);
});

const unknownToMost = [
  ['a tag of another program', 'Name: !secret mine', 'Unresolved tag: !secret'],
  ['bytes', 'Name: !!binary aGVsbG8=', 'Unresolved tag: tag:yaml.org,2002:binary'],
  ['a set for an object', 'CustomParams: !!set { imp.tagid }', 'Unresolved tag: tag:yaml.org,2002:set'],
] as const;
for (const [what, line, says] of unknownToMost) {
  test(`${what} is refused, where it would be read as something else`, async () => {
    writeFileSync(file, `Version: 1\nTag:\n  - ${line}\n`);
    await assert.rejects(readConfigFile(file), ({ message }: Error) => {
      assert.ok(message.startsWith(`${file}: ${says} at line 3, column `), message);
      return true;
    });
  });
}

test('lines may end as on Windows', async () => {
  const lines = [
    'Version: 1',
    'DomainList:',
    '  - Name: l',
    '    ListText: |-',
    '      a.example',
    '      b.example',
    '',
  ];
  writeFileSync(file, lines.join('\r\n'));
  const DomainList = [{ Name: 'l', ListText: 'a.example\nb.example' }];
  assert.deepEqual(await readConfigFile(file), { Version: 1, DomainList });
});
