import type { Finding } from './finding.ts';
import type { Import, Source } from './source.ts';

/**
 * A room's name to what its files may import: rooms (`fields`), parts of them (`store/interface.ts`), only
 * their types (`type statistics`), all but a part (`not store/dialects`), or everything (`*`). A name such as
 * `store/objects` is a part of a room, a folder in it: its row says which other parts it may import, named without
 * the room. Files beside the folders are free to import and to be imported within the room, as are all of a room
 * without rows for parts. Outside the house only types are imported, where a row names the folder (`type sdk`).
 */
export type ImportTable = Readonly<Record<string, readonly string[]>>;

/** Imports against the table, files of rooms and parts without a row, and imports that leave the house. */
export const strayImports = (sources: readonly Source[], table: ImportTable): Finding[] => {
  const divided = new Set(
    Object.keys(table).flatMap((name) => (name.includes('/') ? roomOf(`src/${name}`) : [])),
  );
  return sources.flatMap((source) => {
    const room = roomOf(source.path);
    if (room === undefined) return [];
    const part = partOf(source.path);
    const homes = divided.has(room) && part !== undefined ? [room, part] : [room];
    const lost = homes.find((home) => table[home] === undefined);
    if (lost !== undefined)
      return [{ file: source.path, line: 1, rule: `${lost} has no row in the import tables` }];
    return source.imports.flatMap((imported) => {
      const fault = homes
        .map((home) => faultOf(home, table[home] ?? [], imported))
        .find((text) => text !== undefined);
      return fault === undefined ? [] : [{ file: source.path, line: imported.line, rule: fault }];
    });
  });
};

/** `src/fields/text.ts` is in `fields`, `src/main.ts` in `main`; files outside src and console in no room. */
export const roomOf = (path: string): string | undefined =>
  placeOf(path)
    ?.split('/')[0]
    ?.replace(/\.[jt]s$/, '');

/** `src/store/objects/edges.ts` is in `store/objects`; a file beside the folders of a room in no part. */
const partOf = (path: string): string | undefined => /^[^/]+\/[^/]+(?=\/)/.exec(placeOf(path) ?? '')?.[0];

const placeOf = (path: string) => (path.startsWith('console/') ? path : /^src\/(.*)/.exec(path)?.[1]);

/** Where an import leads, as rows name it: from a room anywhere, from a part elsewhere in its room. */
function destinationOf(home: string, target: string): string | undefined {
  const [room, part] = home.split('/');
  if (part === undefined) return roomOf(target) === room ? undefined : (placeOf(target) ?? target);
  const to = partOf(target);
  return roomOf(target) !== room || to === undefined || to === home ? undefined : to.slice(`${room}/`.length);
}

function faultOf(home: string, row: readonly string[], { target, typeOnly }: Import): string | undefined {
  const place = target && destinationOf(home, target);
  if (target === undefined || place === undefined) return undefined;
  const isType = typeOnly && row.some((entry) => entry === `type ${target.split('/', 1)[0]}`);
  if (placeOf(target) === undefined && !isType)
    return `${home} may not import ${target}, which is outside the house`;
  const names = (prefix: string) =>
    row.some((entry) => entry.startsWith(prefix) && covers(entry.slice(prefix.length), place));
  if (names('not ')) return `${home} may not import ${place}`;
  if (names('') || (typeOnly && names('type '))) return undefined;
  return names('type ') ? `${home} may import only types of ${place}` : `${home} may not import ${place}`;
}

const covers = (entry: string, place: string) =>
  entry === '*' || place === entry || place === `${entry}.ts` || place.startsWith(`${entry}/`);
