import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Entity } from '../../entities/entity.ts';
import { listTextOf } from '../../entities/list-text-of.ts';
import type { LineKeys } from '../../fields/line-keys.ts';
import { finishHash, stableHash } from '../../shared/hash.ts';
import { cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { tableName } from '../database/tables.ts';
import type { FoundLine, TextParts } from '../interface.ts';
import { type List, readPart, textRevision } from './list-texts.ts';

/** About; a bucket's row then fits into a page of the database. */
const linesPerBucket = 256;
/** Bounds lines with the same key. */
const linesPerBucketMax = 16 * linesPerBucket;
/** Hash of the line's key (32 bits), and part of the text (16 bits). */
const bytesPerLine = 6;
const linesPerTurn = 2000;
const rowsPerInsert = 64;
const listsPerLook = 200;
/** Parts of a list's text that are read for the line itself. */
const partsMax = 8;

const hashOf = (key: string) => finishHash(stableHash(key)) >>> 0;
const bucketOf = (hash: number, buckets: number) => Math.floor((hash * buckets) / 2 ** 32);

interface Bucket {
  bytes: Uint8Array;
  used: number;
}

function put(bucket: Bucket, hash: number, part: number): void {
  if (bucket.used >= linesPerBucketMax * bytesPerLine) return;
  if (bucket.used === bucket.bytes.length) {
    const { bytes } = bucket;
    bucket.bytes = new Uint8Array(bytes.length * 2);
    bucket.bytes.set(bytes);
  }
  const { bytes, used } = bucket;
  bytes[used] = hash >>> 24;
  bytes[used + 1] = hash >>> 16;
  bytes[used + 2] = hash >>> 8;
  bytes[used + 3] = hash;
  bytes[used + 4] = part >>> 8;
  bytes[used + 5] = part;
  bucket.used += bytesPerLine;
}

function lineCount(parts: TextParts): number {
  let count = 0;
  for (const text of parts) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  }
  return count + parts.length;
}

/** Sorted into buckets; with ticks between. */
async function fileLines(parts: TextParts, keys: LineKeys): Promise<readonly Bucket[]> {
  const atFirst = 16 * bytesPerLine;
  const buckets = Array.from(
    { length: Math.ceil(lineCount(parts) / linesPerBucket) },
    (): Bucket => ({ bytes: new Uint8Array(atFirst), used: 0 }),
  );
  for (const [part, text] of parts.entries()) {
    for (const [at, line] of text.split('\n').entries()) {
      if (line === '') continue;
      if (at % linesPerTurn === 0) await turn();
      const hash = hashOf(keys.of(line));
      put(buckets[bucketOf(hash, buckets.length)] as Bucket, hash, part);
    }
  }
  return buckets;
}

/** Replaces those of the earlier text. */
export async function writeLines(
  connection: Kysely<Schema>,
  entity: Entity,
  id: number,
  parts: TextParts,
): Promise<void> {
  const codec = listTextOf(entity)?.codec;
  if (!codec) return;
  const list = { entity: entity.key, entity_id: id };
  await connection
    .deleteFrom('list_line')
    .where('entity', '=', entity.key)
    .where('entity_id', '=', id)
    .execute();
  const filed = await fileLines(parts, codec.keys);
  const rows = filed.map(({ bytes, used }, bucket) => ({
    ...list,
    bucket,
    buckets: filed.length,
    lines: bytes.subarray(0, used),
  }));
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    await connection
      .insertInto('list_line')
      .values(rows.slice(from, from + rowsPerInsert))
      .execute();
    await turn();
  }
}

/** Keys with hashes, the nearest first. */
interface Wanted {
  readonly text: string;
  readonly keys: LineKeys;
  readonly hashes: ReadonlyMap<number, { readonly key: string; readonly rank: number }>;
}

interface Place {
  readonly rank: number;
  readonly key: string;
  readonly part: number;
}

/** Places of lines that may match. */
function placesIn(lines: Uint8Array, { hashes }: Wanted): Place[] {
  const view = new DataView(lines.buffer, lines.byteOffset, lines.byteLength);
  const places: Place[] = [];
  for (let at = 0; at < lines.byteLength; at += bytesPerLine) {
    const found = hashes.get(view.getUint32(at));
    if (found) places.push({ ...found, part: view.getUint16(at + 4) });
  }
  return places;
}

async function lineAt(
  connection: Kysely<Schema>,
  list: List,
  places: readonly Place[],
  { text, keys }: Wanted,
): Promise<string | undefined> {
  const revision = await textRevision(connection, list);
  if (revision === undefined) return undefined;
  const nearest = places.toSorted((one, other) => one.rank - other.rank);
  const read = new Map<number, readonly string[]>();
  for (const { key, part } of nearest) {
    if (!read.has(part) && read.size >= partsMax) continue;
    const lines = read.get(part) ?? (await readPart(connection, list, revision, part))?.split('\n') ?? [];
    read.set(part, lines);
    const line = lines.find((of) => keys.of(of) === key && (keys.isHeld?.(text, of) ?? true));
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Lists of a kind with a line that holds a text, and that line; in order of ID. */
export async function findLines(
  database: Database,
  entity: Entity,
  teamId: number,
  text: string,
  limit: number,
): Promise<FoundLine[]> {
  const { reader, rowsIn } = database;
  const keys = listTextOf(entity)?.codec.keys;
  const looked = keys?.holding(text) ?? [];
  if (!keys || looked.length === 0) return [];
  const hashes = new Map(looked.map((key, rank) => [hashOf(key), { key, rank }]));
  const found: FoundLine[] = [];
  for (let afterId = 0; found.length < limit; ) {
    const { rows: lists } = await sql<{ id: number; buckets: number }>`select e.id, l.buckets
      from ${sql.table(tableName(entity.key))} e
      join list_line l on l.entity = ${entity.key} and l.entity_id = e.id and l.bucket = 0
      where e.team_id = ${teamId} and e.id > ${afterId} order by e.id limit ${listsPerLook}`.execute(reader);
    const wanted = lists.flatMap(({ id, buckets }) =>
      [...new Set([...hashes.keys()].map((hash) => bucketOf(hash, buckets)))].map((bucket) => [id, bucket]),
    );
    // The rows first: each leads to one row of the table by its key.
    const { rows } = await sql<{ id: number; lines: Uint8Array }>`select l.entity_id as id, l.lines
      from ${rowsIn(JSON.stringify(wanted))} cross join list_line l
      where l.entity = ${entity.key} and l.entity_id = ${cell(0, 'bigint')} and l.bucket = ${cell(1, 'bigint')}
      order by 1`.execute(reader);
    const places = Map.groupBy(
      rows.flatMap(({ id, lines }) =>
        placesIn(lines, { text, keys, hashes }).map((place) => ({ ...place, id })),
      ),
      ({ id }) => id,
    );
    for (const [id, ofList] of places) {
      if (found.length >= limit) break;
      const line = await lineAt(reader, { entity: entity.key, id }, ofList, { text, keys, hashes });
      if (line !== undefined) found.push({ id, line });
    }
    if (lists.length < listsPerLook) break;
    afterId = lists.at(-1)?.id ?? 0;
    await turn();
  }
  return found;
}
