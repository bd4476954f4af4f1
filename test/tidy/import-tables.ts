import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportTable } from './import-directions.ts';

const words: Readonly<Record<string, string>> = { all: '*', nothing: '' };

/**
 * The tables of a page's section "Who may import whom": rooms, and parts of rooms (`store/objects`), to what they may
 * import.
 */
export function importTablesOf(page: string): ImportTable {
  const section = /^## Who may import whom$(.*?)(?=^## )/ms.exec(`${page}\n## `)?.[1] ?? '';
  const rows = [...section.matchAll(/^\| (`.+?) \| (.+) \|$/gm)];
  return Object.fromEntries(
    rows.flatMap(([, names = '', cell = '']) => {
      const entries = cell.split(', ').flatMap((entry) => (words[entry] ?? entry) || []);
      return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, entries]);
    }),
  );
}

/** The tables of ARCHITECTURE.md. */
export const readImportTables = (root: string): ImportTable =>
  importTablesOf(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'));
