import { finishHash, randomSeed, seededHash } from '../shared/hash.ts';

export interface LineSet {
  /** True if it is new. */
  add(line: string): boolean;
  /** In order: chunks of 10,000 lines, joined by new lines. */
  parts(): readonly string[];
}

const linesPerPart = 10_000;
/** So many tables that none takes long to grow. */
const shards = 256;
const shardShift = 24;
const placesAtFirst = 16;

/** The finished lines of a part: text, where each line begins, and hashes. */
interface Part {
  readonly hashes: Uint32Array;
  readonly begins: Uint32Array;
  text: string;
}

/** Line numbers from 1 by hash (open addressing); 0 = free. */
interface HashTable {
  places: Uint32Array;
  used: number;
}

function freshHash(): (line: string) => number {
  const seed = randomSeed();
  return (line) => finishHash(seededHash(seed, line)) >>> 0;
}

function placeIn(places: Uint32Array, hash: number, isAt: (number: number) => boolean): number {
  const mask = places.length - 1;
  for (let place = hash & mask; ; place = (place + 1) & mask) {
    const number = places[place] ?? 0;
    if (number === 0 || isAt(number)) return place;
  }
}

export interface LineSetOptions {
  /** 0 to 2³² − 1; tests make lines collide. */
  readonly hashOf?: (line: string) => number;
  /** Lines joined by new lines, unless the caller has that text already. */
  readonly textOf?: (lines: readonly string[]) => string;
}

const joined = (lines: readonly string[]) => lines.join('\n');

/** An eighth of the memory of a `Set` of strings, and no long pauses to grow. */
export function createLineSet({ hashOf = freshHash(), textOf = joined }: LineSetOptions = {}): LineSet {
  const finished: Part[] = [];
  const tables: HashTable[] = Array.from({ length: shards }, () => ({
    places: new Uint32Array(placesAtFirst),
    used: 0,
  }));
  let open: string[] = [];
  let part: Part = freshPart();

  const partOf = (number: number) => finished[Math.trunc((number - 1) / linesPerPart)] ?? part;
  const isLine = (number: number, hash: number, line: string) => {
    const at = (number - 1) % linesPerPart;
    const { hashes, begins, text } = partOf(number);
    if (hashes[at] !== hash) return false;
    if (partOf(number) === part) return open[at] === line;
    const begin = begins[at] ?? 0;
    const end = begin + line.length;
    return (end === text.length || text[end] === '\n') && text.startsWith(line, begin);
  };
  const grow = (table: HashTable) => {
    const places = new Uint32Array(table.places.length * 2);
    for (const number of table.places) {
      if (number === 0) continue;
      const hash = partOf(number).hashes[(number - 1) % linesPerPart] ?? 0;
      places[placeIn(places, hash, () => false)] = number;
    }
    table.places = places;
  };
  const finish = () => {
    let begin = 0;
    for (const [at, line] of open.entries()) {
      part.begins[at] = begin;
      begin += line.length + 1;
    }
    part.text = textOf(open);
    finished.push(part);
    part = freshPart();
    open = [];
  };
  return {
    add(line) {
      const hash = hashOf(line);
      const table = tables[hash >>> shardShift] as HashTable;
      const place = placeIn(table.places, hash, (number) => isLine(number, hash, line));
      if (table.places[place] !== 0) return false;
      part.hashes[open.length] = hash;
      open.push(line);
      table.places[place] = finished.length * linesPerPart + open.length;
      table.used += 1;
      if (table.used * 4 > table.places.length * 3) grow(table);
      if (open.length === linesPerPart) finish();
      return true;
    },
    parts: () => [...finished.map(({ text }) => text), ...(open.length > 0 ? [textOf(open)] : [])],
  };
}

function freshPart(): Part {
  return { hashes: new Uint32Array(linesPerPart), begins: new Uint32Array(linesPerPart), text: '' };
}
