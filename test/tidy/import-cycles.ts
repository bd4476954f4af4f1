import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

/**
 * Each way of imports that comes back to where it began, once. Imports of types count: two files that
 * need each other's types are one concept, or lack a third file.
 */
export function importCycles(sources: readonly Source[]): Finding[] {
  const bySource = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const findings: Finding[] = [];
  const visit = (source: Source, way: readonly string[]): void => {
    if (done.has(source.path)) return;
    for (const { target = '', line } of source.imports) {
      const start = [...way, source.path].indexOf(target);
      if (start !== -1) findings.push(cycle(source.path, line, [...way.slice(start), source.path, target]));
      const next = bySource.get(target);
      if (start === -1 && next !== undefined) visit(next, [...way, source.path]);
    }
    done.add(source.path);
  };
  for (const source of sources) visit(source, []);
  return findings;
}

const cycle = (file: string, line: number, way: readonly string[]): Finding => ({
  file,
  line,
  rule: `closes an import cycle: ${way.join(' → ')}`,
});
