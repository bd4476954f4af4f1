import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { framesIn, recordBytesMax } from './frames.ts';

/** Behind the record that is meant. */
export interface Place {
  readonly segment: number;
  readonly offset: number;
}

export const firstPlace: Place = { segment: 0, offset: 0 };

const segmentName = (segment: number) => `${String(segment).padStart(10, '0')}.rows`;

export const segmentPath = (folder: string, segment: number): string => join(folder, segmentName(segment));

/** Oldest first; none if the folder is absent. */
export async function segmentsIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => (/^\d{10}\.rows$/.test(name) ? [Number.parseInt(name, 10)] : []))
    .sort((a, b) => a - b);
}

export async function bytesIn(folder: string, from = 0): Promise<number> {
  let bytes = 0;
  for (const segment of await segmentsIn(folder)) {
    if (segment >= from)
      bytes += await stat(segmentPath(folder, segment)).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return bytes;
}

/** Makes changed names durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Errors of folders that were there before: not ours to read, or of file systems that have no such sync. */
const foreign = new Set(['EACCES', 'EPERM', 'EINVAL', 'EROFS']);

/** Durably: a folder's name is in the one above it, up to the root. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let at = resolve(folder); at !== dirname(at); at = dirname(at)) {
    await syncFolder(dirname(at)).catch((error: NodeJS.ErrnoException) => {
      if (!foreign.has(error.code ?? '')) throw error;
    });
  }
}

/** Durably, whole or not at all. */
export async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  const fresh = join(folder, `${name}.new`);
  const handle = await open(fresh, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, join(folder, name));
  await syncFolder(folder);
}

export async function dropBefore(folder: string, { segment: until }: Place): Promise<void> {
  for (const segment of await segmentsIn(folder)) {
    if (segment < until) await rm(segmentPath(folder, segment), { force: true });
  }
}

/** Bounds files, so that a place fits into one whole number (`RecordPage.places`). */
const placesPerSegment = 2 ** 32;

export interface RecordPage {
  readonly records: readonly Buffer[];
  /** Where each record ends, as one number that rises within the folder. */
  readonly places: readonly number[];
  readonly until: Place;
  /** Skipped because unreadable: a torn tail, or the rest of a damaged file. */
  readonly losses: readonly Loss[];
}

export interface Loss {
  readonly path: string;
  readonly from: number;
  readonly bytes: number;
}

export interface RecordRange {
  readonly from: Place;
  readonly until?: Place | undefined;
  readonly bytesMax: number;
}

async function bytesFrom(path: string, offset: number, bytesMax: number): Promise<Buffer> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (!handle) return Buffer.alloc(0);
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.max(0, Math.min(size - offset, bytesMax)));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** `isWhole`: no incomplete record follows. */
async function readSegment(folder: string, { segment, offset }: Place, until: number, bytesMax: number) {
  const room = Math.min(until - offset, bytesMax);
  const path = segmentPath(folder, segment);
  let bytes = await bytesFrom(path, offset, room);
  let frames = framesIn(bytes);
  if (frames.length === 0 && bytes.length > 0) {
    // The first record alone may be longer than what was asked for.
    bytes = await bytesFrom(path, offset, Math.min(until - offset, recordBytesMax + 8));
    frames = framesIn(bytes).slice(0, 1);
  }
  const end = frames.at(-1)?.end ?? 0;
  const left =
    (await stat(path).then(
      ({ size }) => size,
      () => 0,
    )) -
    offset -
    end;
  const places = frames.map((frame) => segment * placesPerSegment + offset + frame.end);
  return { records: frames.map(({ record }) => record), places, end, left: Math.max(0, left) };
}

function boundsIn(segment: number, { from, until }: RecordRange) {
  return {
    at: { segment, offset: segment === from.segment ? from.offset : 0 },
    end: segment === until?.segment ? until.offset : Number.POSITIVE_INFINITY,
  };
}

/**
 * Oldest files first. What follows an incomplete record is skipped: it is a torn write. In the last file it may still
 * be completed, so reading ends there.
 */
export async function readRecords(folder: string, wanted: RecordRange): Promise<RecordPage> {
  const { from, until: last, bytesMax } = wanted;
  const records: Buffer[] = [];
  const places: number[] = [];
  const losses: Loss[] = [];
  let [until, bytes] = [from, 0];
  const lastSegment = last?.segment ?? Number.POSITIVE_INFINITY;
  const all = await segmentsIn(folder);
  for (const segment of all.filter((one) => one >= from.segment && one <= lastSegment)) {
    const { at, end } = boundsIn(segment, wanted);
    const read = await readSegment(folder, at, end, bytesMax - bytes);
    records.push(...read.records);
    places.push(...read.places);
    bytes += read.end;
    until = { segment, offset: at.offset + read.end };
    if (last) continue;
    // After some records it may be one that did not fit; after none, a torn one.
    if (read.left > 0 && read.records.length > 0) break;
    if (bytes >= bytesMax) break;
    if (segment !== all.at(-1) && read.left > 0)
      losses.push({ path: segmentPath(folder, segment), from: until.offset, bytes: read.left });
  }
  return { records, places, until: last ?? until, losses };
}
