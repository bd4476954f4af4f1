import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

/** Files of `src/` that no given source imports and that are no entry. Give no tests: they keep nothing alive. */
export function deadFiles(sources: readonly Source[], entries: readonly string[]): Finding[] {
  const imported = new Set(sources.flatMap(({ imports }) => imports.map(({ target }) => target)));
  return sources
    .filter(({ path }) => path.startsWith('src/') && !imported.has(path) && !entries.includes(path))
    .map(({ path }) => ({ file: path, line: 1, rule: 'nothing imports this file' }));
}
