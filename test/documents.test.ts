import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import type { Command } from 'commander';
import { withTables } from '../scripts/guide-tables.ts';
import { createProgram } from '../src/cli/program.ts';

const root = dirname(import.meta.dirname);
const pages = globSync(['*.md', 'docs/**/*.md', 'sdk/*.md'], { cwd: root }).map((page) =>
  page.replaceAll('\\', '/'),
);
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };

/** Words at most. */
const wordsMax: readonly (readonly [page: string, words: number])[] = [
  ['README.md', 500],
  ['ARCHITECTURE.md', 2500],
];

const fence = /^```.*?^```/gms;
const prose = (text: string) => text.replace(fence, '');

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, title = ''] of prose(text).matchAll(/^#+ (.+)$/gm)) {
    const words = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let nth = 1; anchors.has(anchor); nth += 1) anchor = `${slug}-${nth}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** What of a page's code could be typed into a shell: code spans, and the lines of blocks. */
function commandsIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(?:sh|text|console)?\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.replaceAll('\\\n', ' ').split('\n'),
  );
  return [...blocks, ...[...prose(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)];
}

/** Every command of `bourse` by its words, as "user add", with its options. */
function optionsByCommand(command: Command, words: readonly string[] = []): [string, readonly string[]][] {
  const options = command.options.flatMap(({ long, short }) => [long ?? '', short ?? '']);
  return [
    [words.join(' '), [...options, '--help', '-h']],
    ...command.commands.flatMap((inner) => optionsByCommand(inner, [...words, inner.name()])),
  ];
}

const ours = new Map(optionsByCommand(createProgram()));
const groups = new Set(
  [...ours.keys()].filter((name) => name.includes(' ')).map((name) => name.split(' ')[0]),
);
const optionsIn = (words: string) => words.match(/(?<=^|\s)--[a-z][a-z-]*/g) ?? [];

/** What is wrong with a call of `bourse`, given by the words behind its name. */
function faultsOfBourse(rest: string): string[] {
  const [first = '', second = ''] = rest.split(/\s+/);
  if (!/^[a-z-]+$/.test(first) || first === 'help') return [];
  const name = groups.has(first) && /^[a-z]/.test(second) ? `${first} ${second}` : first;
  const options = ours.get(name);
  if (!options) return [`there is no command "bourse ${name}"`];
  return optionsIn(rest)
    .filter((option) => !options.includes(option))
    .map((option) => `"bourse ${name}" has no option ${option}`);
}

/** The source of a program of ours, with the files beside it that it reads its options by. */
const sourceOf = (path: string) =>
  globSync(`${dirname(path)}/*.ts`, { cwd: root })
    .map(read)
    .join('\n');

function faultsOfOptions(path: string, rest: string): string[] {
  const source = sourceOf(path);
  return optionsIn(rest)
    .filter((option) => !new RegExp(`\\b${option.slice(2)}\\b`).test(source))
    .map((option) => `${path} knows no option ${option}`);
}

function faultsOfScript(name: string, rest: string): string[] {
  const script = scripts[name];
  if (!script) return [`package.json has no script "${name}"`];
  const path = /\bnode (\S+\.ts)/.exec(script)?.[1];
  return path && !path.includes('run-scripts') ? faultsOfOptions(path, rest) : [];
}

function faultsOf(command: string): string[] {
  const script = /\bnpm run ([\w:-]+)(.*)/.exec(command) ?? /\bnpm (start|test)\b(.*)/.exec(command);
  if (script) return faultsOfScript(script[1] ?? '', script[2] ?? '');
  const program = /^(?:npx )?node ((?:bench|scripts|sdk|test)\/\S+\.ts)(.*)/.exec(command);
  if (program) {
    const [, path = '', rest = ''] = program;
    return existsSync(join(root, path)) ? faultsOfOptions(path, rest) : [`there is no ${path}`];
  }
  const call = /^(?:[A-Z_]+=\S* )*(?:npx )?bourse (.+)/.exec(command.trim());
  return call ? faultsOfBourse(call[1] ?? '') : [];
}

/** Paths of files in code spans; they are named from the root, or from a folder that everything is in. */
const lostPaths = (page: string, text: string) =>
  [...prose(text).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|md|json|yaml|yml|conf))`/g)]
    .map(([, path = '']) => path)
    .filter(
      (path) =>
        !['', 'src', 'console', 'docs', dirname(page)].some((folder) => existsSync(join(root, folder, path))),
    );

for (const page of pages) {
  describe(page, () => {
    const text = read(page);

    test('has links that lead somewhere', () => {
      for (const [, link = ''] of prose(text).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
        const [path = '', hash] = link.split('#');
        const target = path === '' ? page : join(dirname(page), path);
        assert.ok(existsSync(join(root, target)), `${link} leads nowhere`);
        if (hash !== undefined) assert.ok(anchorsOf(read(target)).has(hash), `${link}: no such heading`);
      }
    });

    test('has its tables as the code has them; `node scripts/guide-tables.ts <page>` writes them', () => {
      assert.equal(text, withTables(text));
    });

    test('names only commands and options that exist', () => {
      assert.deepEqual(commandsIn(text).flatMap(faultsOf), []);
    });

    test('names only files that exist', () => {
      assert.deepEqual(lostPaths(page, text), []);
    });
  });
}

for (const [page, max] of wordsMax) {
  test(`${page} has at most ${max} words`, () => {
    assert.ok(read(page).split(/\s+/).length <= max);
  });
}

describe('decisions', () => {
  const decisions = pages.filter((page) => /^docs\/decisions\/\d/.test(page)).toSorted();

  test('are at most forty, numbered without a gap', () => {
    assert.ok(decisions.length <= 40);
    const numbers = decisions.map((page) => Number(page.slice('docs/decisions/'.length).split('-')[0]));
    assert.deepEqual(
      numbers,
      numbers.map((_number, index) => index + 1),
    );
  });

  for (const page of decisions) {
    test(`${page} has a date, its four parts, and room on one page`, () => {
      const text = read(page);
      assert.match(text, /^# \d{4} .+\n\n\d{4}-\d\d-\d\d\n/);
      const parts = [...text.matchAll(/^## (.+)$/gm)].map(([, part]) => part);
      assert.deepEqual(parts, ['Context', 'Choice', 'Refused', 'Consequences']);
      assert.ok(text.split(/\s+/).length <= 400);
    });
  }
});

test('every page is linked to from another one', () => {
  const linked = new Set(
    pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link = '']) =>
        join(dirname(page), link).replaceAll('\\', '/'),
      ),
    ),
  );
  const lone = pages.filter((page) => page !== 'README.md' && !linked.has(page));
  assert.deepEqual(lone, []);
});

test('a command, an option or a script that does not exist is found', () => {
  const cases: readonly (readonly [command: string, faults: readonly string[]])[] = [
    ['npx bourse user add --mail a@b.example', []],
    ['BOURSE_EDGE_KEY=… bourse serve --edge URL', []],
    ['bourse user remove', ['there is no command "bourse user remove"']],
    ['bourse serve --fast', ['"bourse serve" has no option --fast']],
    ['npm run no-such', ['package.json has no script "no-such"']],
    ['npm run capacity -- --write', []],
    ['npm run capacity -- --loud', ['scripts/capacity.ts knows no option --loud']],
    ['node scripts/none.ts', ['there is no scripts/none.ts']],
  ];
  for (const [command, faults] of cases) assert.deepEqual(faultsOf(command), faults);
});

test('the example of CONTRIBUTING is a case that is played', () => {
  const [, path = '', example = ''] =
    /`(test\/cases\/\S+\.yaml)`:\n\n```yaml\n(.*?)```/s.exec(read('CONTRIBUTING.md')) ?? [];
  assert.equal(example, read(path));
});

test("the program's own texts name only commands that exist", () => {
  const named = globSync('{src,console}/**/*.{ts,tsx}', { cwd: root, exclude: ['console/dist/**'] }).flatMap(
    (file) =>
      [...read(file).matchAll(/\\?`(bourse [^`\\$]+)\\?`/g)].map(
        ([, command = '']) => [file, command] as const,
      ),
  );
  assert.ok(named.length > 5);
  assert.deepEqual(
    named.flatMap(([file, command]) => faultsOf(command).map((fault) => `${file}: ${fault}`)),
    [],
  );
});
