import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lostCitations, outsideCitations, pointsOf } from './cited-pages.ts';
import { deadFiles } from './dead-files.ts';
import { emptyComments } from './empty-comments.ts';
import { emptyNames } from './file-names.ts';
import { type Finding, inLines } from './finding.ts';
import { forbiddenPackages } from './forbidden-packages.ts';
import { importCycles } from './import-cycles.ts';
import { strayImports } from './import-directions.ts';
import { importTablesOf } from './import-tables.ts';
import { longFiles, longFunctions } from './lengths.ts';
import { namesThatIndex, programOf } from './names-that-index.ts';
import { parseSource, type Source } from './source.ts';
import { uncheckedCasts } from './unchecked-casts.ts';

type Files = Readonly<Record<string, string>>;

interface Case {
  readonly name: string;
  readonly check: (sources: readonly Source[]) => Finding[];
  readonly files: Files;
  /** The findings, a line each; empty where the files keep the rule. */
  readonly finds: string;
}

const table = {
  fields: [],
  store: ['fields'],
  identity: ['store/interface'],
  management: ['store', 'not store/dialects'],
  exchange: ['type store'],
  cli: ['*'],
  console: ['type sdk'],
  news: [],
  'news/desk': ['wire', 'type archive'],
  'news/wire': [],
};
const directions = (sources: readonly Source[]) => strayImports(sources, table);
const bans = [
  { rooms: ['fields'], packages: ['node:'], because: 'browser' },
  { rooms: ['exchange'], packages: ['pg'], because: 'no database' },
];
const packages = (sources: readonly Source[]) => forbiddenPackages(sources, bans);
const bounds = { fileStatementsMax: 4, functionStatementsMax: 2 };
const names = (sources: readonly Source[]) => emptyNames(sources, /^(.*-)?utils$|^types$/);
const dead = (sources: readonly Source[]) => deadFiles(sources, ['src/cli/main.ts']);

const directionCases: readonly Case[] = [
  {
    name: 'a room imports itself and what its row names',
    check: directions,
    files: { 'src/store/a.ts': `import './b.ts';\nimport { x } from '../fields/x.ts';\nimport 'fastify';` },
    finds: '',
  },
  {
    name: 'a room imports what its row does not name, in any form',
    check: directions,
    files: {
      'src/fields/a.ts': [
        `import { x } from '../store/x.ts';`,
        `import type { X } from '../store/x.ts';`,
        `export { x } from '../store/x.ts';`,
        `const lazy = () => import('../store/x.ts');`,
        `let named: import('../store/x.ts').X;`,
        `new Worker(new URL('../store/x.ts', import.meta.url));`,
      ].join('\n'),
    },
    finds: [1, 2, 3, 4, 5, 6]
      .map((line) => `src/fields/a.ts:${line} fields may not import store/x.ts`)
      .join('\n'),
  },
  {
    name: 'a room of which only a part is open',
    check: directions,
    files: { 'src/identity/a.ts': `import '../store/interface.ts';\nimport '../store/tables.ts';` },
    finds: 'src/identity/a.ts:2 identity may not import store/tables.ts',
  },
  {
    name: 'a room of which a part is closed',
    check: directions,
    files: { 'src/management/a.ts': `import '../store/tables.ts';\nimport '../store/dialects/sqlite.ts';` },
    finds: 'src/management/a.ts:2 management may not import store/dialects/sqlite.ts',
  },
  {
    name: 'a room that gives its types only; an inline type still loads the module',
    check: directions,
    files: {
      'src/exchange/a.ts': `import type { A } from '../store/a.ts';\nimport { type A } from '../store/a.ts';`,
    },
    finds: 'src/exchange/a.ts:2 exchange may import only types of store/a.ts',
  },
  {
    name: 'a room that may import all, but not what is outside the house',
    check: directions,
    files: { 'src/cli/main.ts': `import '../main.ts';\nimport data from '../../package.json';` },
    finds: 'src/cli/main.ts:2 cli may not import package.json, which is outside the house',
  },
  {
    name: 'a room that may import types from outside the house',
    check: directions,
    files: {
      'console/a.ts': `import type { A } from '../sdk/generated/a.d.ts';\nimport { A } from '../sdk/a.ts';\nimport type { B } from '../test/b.ts';`,
    },
    finds: `console/a.ts:2 console may not import sdk/a.ts, which is outside the house
console/a.ts:3 console may not import test/b.ts, which is outside the house`,
  },
  {
    name: 'a room without a row',
    check: directions,
    files: { 'src/attic/a.ts': '', 'test/a.ts': '' },
    finds: 'src/attic/a.ts:1 attic has no row in the import tables',
  },
];

const partCases: readonly Case[] = [
  {
    name: 'a part imports itself, what its row names, and files beside the parts, which import any',
    check: directions,
    files: {
      'src/news/desk/a.ts': `import './b.ts';\nimport '../wire/b.ts';\nimport type { A } from '../archive/a.ts';\nimport '../paper.ts';`,
      'src/news/paper.ts': `import './desk/a.ts';\nimport './wire/a.ts';`,
    },
    finds: '',
  },
  {
    name: 'a part imports what its row or that of its room does not name',
    check: directions,
    files: {
      'src/news/wire/a.ts': `import type { A } from '../desk/a.ts';\nimport '../../fields/a.ts';`,
      'src/news/desk/a.ts': `import '../archive/a.ts';`,
    },
    finds: [
      'src/news/wire/a.ts:1 news/wire may not import desk',
      'src/news/wire/a.ts:2 news may not import fields/a.ts',
      'src/news/desk/a.ts:1 news/desk may import only types of archive',
    ].join('\n'),
  },
  {
    name: 'a part without a row in a room that has rows for others',
    check: directions,
    files: { 'src/news/attic/a.ts': '', 'src/store/attic/a.ts': '' },
    finds: 'src/news/attic/a.ts:1 news/attic has no row in the import tables',
  },
];

const otherCases: readonly Case[] = [
  {
    name: "packages and Node's own modules that a ban names",
    check: packages,
    files: {
      'src/fields/a.ts': `import 'node:fs';\nimport 'path';\nimport 'pg';`,
      'src/exchange/a.ts': `import 'node:fs';\nimport type { Pool } from 'pg/lib';\nimport 'pgvector';`,
    },
    finds: [
      'src/fields/a.ts:1 may not import node:fs: browser',
      'src/fields/a.ts:2 may not import path: browser',
      'src/exchange/a.ts:2 may not import pg/lib: no database',
    ].join('\n'),
  },
  {
    name: 'a cycle of three, types included, is found once',
    check: importCycles,
    files: {
      'src/a.ts': `import './b.ts';`,
      'src/b.ts': `import './d.ts';\nimport type { C } from './c.ts';`,
      'src/c.ts': `import './a.ts';`,
      'src/d.ts': '',
    },
    finds: 'src/c.ts:1 closes an import cycle: src/a.ts → src/b.ts → src/c.ts → src/a.ts',
  },
  {
    name: 'a file that imports itself',
    check: importCycles,
    files: { 'src/a.ts': `import './a.ts';` },
    finds: 'src/a.ts:1 closes an import cycle: src/a.ts → src/a.ts',
  },
  {
    name: 'two ways to one file are no cycle',
    check: importCycles,
    files: {
      'src/a.ts': `import './b.ts';\nimport './c.ts';`,
      'src/b.ts': `import './c.ts';`,
      'src/c.ts': '',
    },
    finds: '',
  },
  {
    name: 'a file at the bound, one above, and a generated one',
    check: (sources) => longFiles(sources, bounds),
    files: {
      'src/a.ts': 'a();\n\n\nif (b) {\n  c();\n}\nd();',
      'src/b.ts': 'a(); if (b) { c(); } d(() => e);',
      'sdk/schema.ts': '/** This file was auto-generated by a tool. */\na(); b(); c(); d(); e();',
    },
    finds: 'src/b.ts:1 the file has 5 statements, more than 4: split it by concept',
  },
  {
    name: 'functions of every kind, at the bound and above, in however many lines',
    check: (sources) => longFunctions(sources, { ...bounds, fileStatementsMax: 99 }),
    files: {
      'src/a.ts':
        'function fits() {\n  a();\n\n\n  b();\n}\nfunction grown() { a(); b(); c(); }\nconst arrow = () => { a(); b(() => c); };',
      'src/b.ts':
        'class A {\n  constructor() { a(); b(); c(); }\n  method() { a(); b(); c(); }\n}\nrun(() => { a(); b(); c(); });',
    },
    finds: [
      'src/a.ts:7 grown has 3 statements, more than 2',
      'src/a.ts:8 arrow has 3 statements, more than 2',
      'src/b.ts:2 constructor has 3 statements, more than 2',
      'src/b.ts:3 method has 3 statements, more than 2',
      'src/b.ts:5 the function has 3 statements, more than 2',
    ].join('\n'),
  },
  {
    name: 'a test may be long, a named function next to it may not',
    check: (sources) => longFunctions(sources, bounds),
    files: {
      'test/a.test.ts': `test('long', () => { a(); b(); c(); });\nfunction grown() { a(); b(); c(); }`,
    },
    finds: 'test/a.test.ts:2 grown has 3 statements, more than 2',
  },
  {
    name: 'comments that repeat a name, and such as say more',
    check: emptyComments,
    files: {
      'src/a.ts': [
        '/** One row of the history. */',
        'export interface HistoryRow {',
        '  /** The name. */',
        '  name: string;',
        '  /** In UTC. */',
        '  time: number;',
        '}',
        '/** Counts a click of a visitor. */',
        'export const countClick = (visitor: Visitor) => 1;',
        '/** Counts a click; rejects where the disk is full. */',
        'export function count(click: Click) {}',
        '/** 0 or 1. */',
        'export const bit = 1;',
        '// Of no doc comment.',
        'export const comment = 1;',
      ].join('\n'),
      'sdk/schema.ts': '/** This file was auto-generated by a tool. */\n\n/** A. */\nexport type A = 1;',
    },
    finds: ['HistoryRow', 'name', 'countClick']
      .map(
        (name, index) =>
          `src/a.ts:${[2, 4, 9][index]} the comment on ${name} only repeats its name: say what the name cannot, or leave it out`,
      )
      .join('\n'),
  },
  {
    name: 'names that say nothing, of files and folders',
    check: names,
    files: { 'src/types.ts': '', 'src/date-utils.ts': '', 'test/utils/a.test.ts': '', 'src/ad-types.ts': '' },
    finds: [
      'src/types.ts:1 types is no name: say what is in it',
      'src/date-utils.ts:1 date-utils is no name: say what is in it',
      'test/utils/a.test.ts:1 utils is no name: say what is in it',
    ].join('\n'),
  },
  {
    name: 'a file of src that nothing imports; entries and other folders need no importer',
    check: dead,
    files: {
      'src/cli/main.ts': `import('./serve.ts');`,
      'src/cli/serve.ts': '',
      'src/old.ts': '',
      'sdk/generate.ts': '',
    },
    finds: 'src/old.ts:1 nothing imports this file',
  },
];

describe('each tidy check finds what breaks its rule, and nothing else', () => {
  for (const { name, check, files, finds } of [...directionCases, ...partCases, ...otherCases]) {
    test(name, () => {
      const sources = Object.entries(files).map(([path, text]) => parseSource(path, text));
      assert.equal(inLines(check(sources)), finds);
    });
  }
});

const page =
  '# Values\n\n| Field | What |\n|---|---|\n| `Os`, `Browsers` | families |\n| W4 | wrapper |\n\n- **W5 unknown field.** 406.\n';
const cites = (what: string) => `const a = 1;\n/** Held (${what}). */`;

describe('a comment may cite what docs/reference and docs/decisions have, and nothing else', () => {
  const pages = { points: new Set(pointsOf(page)), decisions: new Set(['0007']) };
  const cases: readonly (readonly [what: string, finds: readonly string[]])[] = [
    ['reference, W4 to W5', []],
    ['reference, "unknown field"', []],
    ['reference,\n * W5', []],
    ['reference, "Values" and W4', []],
    ['reference, "`Os`,\n * `Browsers`"', []],
    ['a file of reference/wire.ts, W9', []],
    [
      'reference, "Every value" and W9',
      ['docs/reference has no point "Every value"', 'docs/reference has no point "W9"'],
    ],
    ['decisions/0007', []],
    ['decisions/0008', ['docs/decisions has no number 0008']],
    ['decisions W5', ['cite docs/reference, or a page of docs/decisions by its number, not "decisions W5"']],
  ];
  for (const [what, finds] of cases) {
    test(what.replace(/\s+/g, ' '), () => {
      assert.deepEqual(
        lostCitations('src/a.ts', cites(what), pages).map(
          ({ file, line, rule }) => `${file}:${line} ${rule}`,
        ),
        finds.map((rule) => `src/a.ts:2 ${rule}`),
      );
    });
  }
});

describe('citations of documents that readers do not have', () => {
  const cases: readonly (readonly [text: string, isFound: boolean])[] = [
    ['/** As arrays have it (specification 2.9). */', true],
    ['/** A line (delivery, "The doors"). */', true],
    ['/**\n * A long line (specification\n * 2.4), and more. */', true],
    ['/** An object (specification, wire convention 3). */', true],
    ['// The order of Specification 2.10', true],
    ["/** From the specification's table 2.4. */", true],
    ['/** Delivery asks no database; `delivery: "progressive"`. */', false],
    ['/** Decisions W5; OpenRTB 2.6 section 3.2.4; RFC 9110. */', false],
  ];
  for (const [text, isFound] of cases) {
    test(text.replace(/\s+/g, ' '), () => {
      assert.equal(outsideCitations('src/a.ts', text).length, isFound ? 1 : 0);
    });
  }
});

describe('names that index plain objects', () => {
  const table = 'const table: Record<string, number> = {};';
  const cases: readonly (readonly [text: string, isFound: boolean])[] = [
    [`${table} export const f = (name: string) => table[name];`, true],
    [`${table} export const f = (name?: string) => table[name ?? ''];`, true],
    [`${table} export const f = (name: string) => table[\`x-\${name}\`];`, true],
    [`${table} export const f = (name: string) => (table[name] = 1);`, true],
    [`${table} export const f = (name: string) => name in table;`, true],
    [`${table} export const f = (url: { readonly protocol: string }) => table[url.protocol];`, true],
    ['export const f = (value: any, name: any) => value[name];', true],
    [`${table} export const f = (name: string) => Object.hasOwn(table, name) && table[name];`, false],
    [`${table} export const f = (name: string) => Object.hasOwn({}, name) && table[name];`, true],
    [`${table} export const f = () => { for (const name in table) table[name] = 1; };`, false],
    [`${table} export const f = () => { for (const name in { a: 1 }) table[name] = 1; };`, true],
    ["export const f = (name: 'a' | 'b') => ({ a: 1, b: 2 })[name];", false],
    ['export const f = <T extends object>(value: T, name: keyof T) => value[name];', false],
    ['export const f = (list: readonly string[], at: number) => list[at];', false],
    ['export const f = (map: Map<string, number>, name: string) => map.get(name);', false],
  ];
  for (const [text, isFound] of cases) {
    test(text, () => {
      const found = namesThatIndex(programOf(process.cwd(), 'src/a.ts', text), process.cwd(), 'src');
      assert.equal(found.length, isFound ? 1 : 0);
    });
  }
});

describe('casts of what has no type', () => {
  for (const [isFound, text] of [
    [true, 'export const f = (data: unknown) => data as string;'],
    [true, 'export const f = (text: string) => JSON.parse(text) as { a: number };'],
    [false, 'export const f = (text: string) => JSON.parse(text) as unknown;'],
    [false, "export const f = (text: string) => text as 'a' | 'b';"],
  ] as const) {
    test(text, () => {
      const root = process.cwd();
      const found = uncheckedCasts(
        programOf(root, 'console/a.ts', text),
        root,
        (path) => path === 'console/a.ts',
      );
      assert.equal(found.length, isFound ? 1 : 0);
    });
  }
});

test('the tables of imports are those of the section, whatever else is in it', () => {
  const tables = `# A\n| \`x\` | y |\n## Who may import whom\n\n| room | may import |\n|---|---|
| \`a\`, \`b\` | nothing |\n| \`c\` | a, type b/d, not b |\n\nMore.\n\n| part | may import |\n|---|---|
| \`c/e\` | all |\n\n## Next\n\n| \`z\` | a |\n`;
  assert.deepEqual(importTablesOf(tables), { a: [], b: [], c: ['a', 'type b/d', 'not b'], 'c/e': ['*'] });
});
