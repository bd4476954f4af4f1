import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { bourseProcess } from './bourse-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-config-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'exchange.yaml');
const first = bourseProcess();
const second = bourseProcess();
type Run = typeof first.run;

/** What a command prints, which must succeed. */
async function printed(run: Run, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return stdout;
}

function written(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

// It warns that no server shows the demonstration, as none runs here.
assert.equal((await first.run(['demo'])).code, 0);
await printed(second.run, 'team', 'add', '--name', 'Second');

describe('a team as a file', () => {
  test('export writes YAML, the same each time', async () => {
    assert.equal(await printed(first.run, 'export', '--mail', 'admin@localhost', '--output', file), '');
    const text = readFileSync(file, 'utf8');
    assert.equal(await printed(first.run, 'export', '--mail', 'admin@localhost'), text);
    assert.match(
      text,
      /^# .*bourse apply FILE`\.\n\nVersion: 1\n\nPublisher:\n {2}- Name: Nordlicht Media\n/,
    );
    assert.match(text, /\n {4}ListText: \|-\n {6}gambling\n {6}miracle cure\n/);
    assert.match(text, /\n {4}Country: "NO"\n/, 'which is no truth value');
    assert.doesNotMatch(text, /AccManager/);
    assert.match(await printed(first.run, 'export'), /AccManager: admin@localhost/);
  });

  test('plan and apply bring an empty team to it, and then change nothing', async () => {
    const text = readFileSync(file, 'utf8');
    const plan = await printed(second.run, 'plan', file);
    assert.match(plan, /^add {9}Publisher "Nordlicht Media"\n/);
    assert.match(plan, /\n29 to add\n$/);
    assert.equal(
      await printed(second.run, 'export'),
      '# The configuration of a team of Bourse. To change it, use `bourse plan FILE` and `bourse apply FILE`.\n\nVersion: 1\n',
    );
    assert.match(await printed(second.run, 'apply', file), /\n29 added\n$/);
    assert.equal(await printed(second.run, 'apply', file), 'Nothing was changed\n');
    assert.equal(await printed(second.run, 'export'), text);
  });

  test('a changed file shows what it changes, and what it leaves alone', async () => {
    const text = readFileSync(file, 'utf8')
      .replace('Bidfloor: 2.5', 'Bidfloor: 3 # as agreed')
      .replace('  - Name: Trial\n', '  - Name: Trial\n    Status: Inactive\n')
      .replace(/ {2}- Name: Unsafe keywords\n(?: {4}.*\n)+/, '  []\n');
    const changed = written('changed.yaml', text.replace(/KeywordBlacklists:\n.*\n/, 'JsCheck: 1\n'));
    const lines = [
      'update      VastTag "Nordlicht pre-roll"',
      '    Bidfloor: 2.5 → 3',
      'update      PopFeed "Nordlicht search pop"',
      '    KeywordBlacklists: ["Unsafe keywords"] → []',
      '    JsCheck: 0 → 1',
      'deactivate  Tag "Trial"',
    ];
    const left = 'unmanaged   KeywordList "Unsafe keywords" (not in the file, left alone)';
    const plan = [...lines, left, '2 to update, 1 to deactivate', ''];
    assert.equal(await printed(second.run, 'plan', changed), plan.join('\n'));
    const all = [...lines, 'deactivate  KeywordList "Unsafe keywords"', '2 updated, 2 deactivated', ''];
    assert.equal(await printed(second.run, 'apply', changed, '--deactivate-missing'), all.join('\n'));
  });
});

/** A few lines that stand for ten thousand values. */
const multiplied = ['a: &a [x]', 'b: &b', 'c: &c', 'd: &d', 'e:']
  .map((line, index) =>
    index === 0
      ? line
      : `${line} [${Array(10)
          .fill(`*${'abcd'[index - 1]}`)
          .join(', ')}]`,
  )
  .join('\n');

describe('a refusal is readable, and changes nothing', () => {
  const cases: readonly (readonly [what: string, text: string | Uint8Array, says: RegExp])[] = [
    ['no YAML', 'Version: 1\nTag:\n  - Name: a\n Color: b\n', /^\S+ .*at line 4, column 1:\n/],
    ['a member twice', 'Version: 1\nTag:\n  - Name: a\n    Name: b\n', /must be unique at line 4/],
    ['an alias of nothing', 'Version: 1\nTag: *tags\n', /^\S+wrong\.yaml: .*\btags\n$/],
    ['aliases that multiply', multiplied, /^\S+wrong\.yaml: Excessive alias count .*\n$/],
    ['an alias of itself', 'Version: 1\nTag: &a [*a]\n', /^Tag\[0\] must be an object\n$/],
    [
      'no UTF-8',
      Buffer.from('Version: 1\nTag:\n  - Name: \xff\n', 'latin1'),
      /^\S+wrong\.yaml is not UTF-8 text\n$/,
    ],
    ['nothing', '', /^\S+wrong\.yaml contains no configuration; .*\n$/],
    ['a list', '- Name: a\n', /^\S+wrong\.yaml contains no configuration; .*\n$/],
    [
      'faults, one a line',
      'Version: 1\nTag:\n  - Name: a\n    Colour: b\n  - Name: 5\n',
      /^Tag\[a\]\.Colour is not a known field; .*\nTag\[1\]\.Name must be a string, not an integer\n$/,
    ],
  ];
  for (const [index, [what, text, says]] of cases.entries()) {
    // Both read a file by the same code.
    const step = index % 2 === 0 ? 'plan' : 'apply';
    test(`${what}, by ${step}`, async () => {
      const { code, stdout, stderr } = await second.run([step, written('wrong.yaml', text)]);
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
      assert.match(stderr.replaceAll('\r', ''), says);
    });
  }

  test('a file that is not there', async () => {
    const { code, stderr } = await second.run(['apply', join(folder, 'nothing.yaml')]);
    assert.equal(code, 1);
    assert.match(stderr, /^ENOENT.*nothing\.yaml'\n$/);
  });
});

describe('which team is meant', () => {
  test('must be said where there are several', async () => {
    const { run } = bourseProcess();
    await printed(run, 'migrate');
    assert.match((await run(['export'])).stderr, /^There is no team yet/);
    await printed(run, 'team', 'add', '--name', 'One');
    await printed(run, 'team', 'add', '--name', 'Two');
    const mail = ['--mail', 'ada@example.com'];
    await printed(run, 'user', 'add', '--team', '2', ...mail, '--password', 'long enough');
    assert.match((await run(['export'])).stderr, /^There are 2 teams; choose one with --team <id>\n$/);
    assert.match((await run(['export', '--team', '3'])).stderr, /^Team 3 is not found/);
    assert.match(
      (await run(['export', '--team', '1', ...mail])).stderr,
      /ada@example.com is not a user of team 1/,
    );
    assert.match(
      (await run(['export', '--mail', 'eve@example.com'])).stderr,
      /eve@example.com is not the mail address of a user/,
    );
    const tags = written('tags.yaml', 'Version: 1\nTag: [{ Name: a }]\n');
    await printed(run, 'apply', tags, '--team', '2');
    assert.match(await printed(run, 'export', ...mail), /Tag:\n {2}- Name: a\n$/);
    assert.doesNotMatch(await printed(run, 'export', '--team', '1'), /Tag/);
  });
});
