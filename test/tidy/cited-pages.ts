import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';

const point = String.raw`(?:[A-Z]\d+[a-z]?\b|"[^"]+")`;
const citation = new RegExp(
  String.raw`\breference,[\s*]+(${point}(?:(?:,| and| to)[\s*]+${point})*)|\bdecisions/(\d{4})\b|\b([Dd]ecisions,?[\s*]+${point}|docs/decisions\.md)`,
  'g',
);

/** What can be cited: the points of `docs/reference/`, by number or name, and the numbers of `docs/decisions/`. */
export interface CitedPages {
  readonly points: ReadonlySet<string>;
  readonly decisions: ReadonlySet<string>;
}

/** Headings, first cells of rows, and bold beginnings of list items (`- **W5 unknown field.**`: both W5 and the name). */
export function pointsOf(page: string): string[] {
  const items = page.matchAll(/^- \*\*(?:([A-Z]\d+[a-z]?)\b ?)?(.*?)[.:]?\*\*/gm);
  const lines = page.matchAll(/^(?:#+ (.+)|\| (.+?) \|)/gm);
  return [...items, ...lines].flatMap(([, ...names]) => names.filter((name) => name));
}

/** Reads the pages of a repository. */
function readCitedPages(root: string): CitedPages {
  const texts = globSync('docs/reference/*.md', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const numbers = globSync('docs/decisions/[0-9]*.md', { cwd: root }).map(
    (path) => /(\d{4})-/.exec(path)?.[1] ?? '',
  );
  return { points: new Set(texts.flatMap(pointsOf)), decisions: new Set(numbers) };
}

/** Citations in the text of one file that lead nowhere. */
export function lostCitations(file: string, text: string, pages: CitedPages): Finding[] {
  return [...text.matchAll(citation)].flatMap(({ index, 1: cited = '', 2: number, 3: former }) => {
    const names = (cited.match(new RegExp(point, 'g')) ?? []).map((name) =>
      name.replaceAll('"', '').replace(/\s*\n[\s*]*/g, ' '),
    );
    const rules = [
      ...names
        .filter((name) => !pages.points.has(name))
        .map((name) => `docs/reference has no point "${name}"`),
      ...(number && !pages.decisions.has(number) ? [`docs/decisions has no number ${number}`] : []),
      ...(former ? [`cite docs/reference, or a page of docs/decisions by its number, not "${former}"`] : []),
    ];
    return rules.map((rule) => ({ file, line: text.slice(0, index).split('\n').length, rule }));
  });
}

const outside =
  /\b(?:specification|delivery)(?:,?[\s*]+|['’]s[\s*]+(?:table|section)[\s*]+)(?:\d|"|wire convention)/gi;

/** Citations of documents that a reader of this repository does not have. */
export function outsideCitations(file: string, text: string): Finding[] {
  return [...text.matchAll(outside)].map(({ index, 0: cited }) => ({
    file,
    line: text.slice(0, index).split('\n').length,
    rule: `cites a document that readers do not have ("${cited.replace(/[\s*]+/g, ' ')}…"); cite docs/reference, docs/decisions or a standard`,
  }));
}

const pathsIn = (root: string, folders: readonly string[]) =>
  globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: root, exclude: (path) => /node_modules|dist/.test(path) },
  ).map((path) => path.replaceAll('\\', '/'));

/** Such citations in all TypeScript files of some folders. */
export const outsideCitationsIn = (root: string, folders: readonly string[]): Finding[] =>
  pathsIn(root, folders).flatMap((path) => outsideCitations(path, readFileSync(join(root, path), 'utf8')));

/** Citations that lead nowhere in all TypeScript files of some folders. */
export function lostCitationsIn(root: string, folders: readonly string[]): Finding[] {
  const pages = readCitedPages(root);
  return pathsIn(root, folders)
    .filter((path) => path !== 'test/tidy/checks.test.ts')
    .flatMap((path) => lostCitations(path, readFileSync(join(root, path), 'utf8'), pages));
}
