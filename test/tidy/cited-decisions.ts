import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';

const point = String.raw`(?:[A-Z]\d+|"[^"]+"|[A-Z]\w+)`;
const citation = new RegExp(String.raw`\bdecisions,?[\s*]+(${point}(?:(?:,| and| to) ${point})*)`, 'g');

/** What of docs/decisions.md can be cited: its sections, and the points of its tables. */
function pointsOf(page: string): ReadonlySet<string> {
  const named = [...page.matchAll(/^## (.+)$/gm), ...page.matchAll(/^\| (.+?) \|/gm)];
  return new Set(named.map(([, name = '']) => name));
}

/** Citations of decisions that docs/decisions.md does not have, in the text of one file. */
export function lostCitations(file: string, text: string, page: string): Finding[] {
  const points = pointsOf(page);
  return [...text.matchAll(citation)].flatMap(({ index, 1: cited = '' }) =>
    (cited.match(new RegExp(point, 'g')) ?? [])
      .map((name) => name.replaceAll('"', '').replace(/\s*\n[\s*]*/g, ' '))
      .filter((name) => !points.has(name))
      .map((name) => ({
        file,
        line: text.slice(0, index).split('\n').length,
        rule: `docs/decisions.md has no section or point "${name}"`,
      })),
  );
}

const outside =
  /\b(?:specification|delivery)(?:,?[\s*]+|['’]s[\s*]+(?:table|section)[\s*]+)(?:\d|"|wire convention)/gi;

/** Citations of documents that a reader of this repository does not have. */
export function outsideCitations(file: string, text: string): Finding[] {
  return [...text.matchAll(outside)].map(({ index, 0: cited }) => ({
    file,
    line: text.slice(0, index).split('\n').length,
    rule: `cites a document that readers do not have ("${cited.replace(/[\s*]+/g, ' ')}…"); cite docs/decisions.md or a standard`,
  }));
}

/** The same in all TypeScript files of `src`, but for rooms that are not held to it yet. */
export function outsideCitationsIn(root: string, notYetHeld: readonly string[]): Finding[] {
  return globSync('src/**/*.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !notYetHeld.includes(path.split('/')[1] ?? ''))
    .flatMap((path) => outsideCitations(path, readFileSync(join(root, path), 'utf8')));
}

/** Citations of lost decisions in all TypeScript files of some folders. */
export function lostCitationsIn(root: string, folders: readonly string[]): Finding[] {
  const page = readFileSync(join(root, 'docs/decisions.md'), 'utf8');
  const paths = globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: root },
  );
  return paths
    .map((path) => path.replaceAll('\\', '/'))
    .flatMap((path) => lostCitations(path, readFileSync(join(root, path), 'utf8'), page));
}
