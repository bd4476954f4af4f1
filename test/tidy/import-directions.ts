import type { Finding } from './finding.ts';
import type { Import, Source } from './source.ts';

/**
 * A room's name to what its files may import: rooms (`fields`), parts of them (`store/interface.ts`), only
 * their types (`type statistics`), all but a part (`not store/dialects`), or everything (`*`).
 */
export type ImportTable = Readonly<Record<string, readonly string[]>>;

/** Imports against the table, files of rooms without a row, and imports that leave the house. */
export const strayImports = (sources: readonly Source[], table: ImportTable): Finding[] =>
  sources.flatMap((source) => {
    const room = roomOf(source.path);
    if (room === undefined) return [];
    const row = table[room];
    if (row === undefined)
      return [{ file: source.path, line: 1, rule: `the room ${room} has no row in the import table` }];
    return source.imports.flatMap((imported) => {
      const fault = faultOf(room, row, imported);
      return fault === undefined ? [] : [{ file: source.path, line: imported.line, rule: fault }];
    });
  });

/** `src/fields/text.ts` is in `fields`, `src/main.ts` in `main`; files outside src and console in no room. */
export const roomOf = (path: string): string | undefined =>
  placeOf(path)
    ?.split('/')[0]
    ?.replace(/\.[jt]s$/, '');

const placeOf = (path: string) => (path.startsWith('console/') ? path : /^src\/(.*)/.exec(path)?.[1]);

function faultOf(room: string, row: readonly string[], { target, typeOnly }: Import): string | undefined {
  if (target === undefined || roomOf(target) === room) return undefined;
  const place = placeOf(target);
  if (place === undefined) return `${room} may not import ${target}, which is outside the house`;
  const names = (prefix: string) =>
    row.some((entry) => entry.startsWith(prefix) && covers(entry.slice(prefix.length), place));
  if (names('not ')) return `${room} may not import ${place}`;
  if (names('') || (typeOnly && names('type '))) return undefined;
  return names('type ') ? `${room} may import only types of ${place}` : `${room} may not import ${place}`;
}

const covers = (entry: string, place: string) =>
  entry === '*' || place === entry || place === `${entry}.ts` || place.startsWith(`${entry}/`);
