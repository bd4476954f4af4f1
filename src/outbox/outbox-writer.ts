import { open, rm } from 'node:fs/promises';
import { frameOf, recordBytesMax } from './frames.ts';
import { bytesIn, makeFolder, segmentPath, segmentsIn, syncFolder } from './segments.ts';

const segmentBytesMax = 16 * 1024 * 1024;
/** How often to measure what receivers have freed. */
const measureEveryMs = 10_000;

export interface WriterOptions {
  /** No other writer may have it. */
  readonly folder: string;
  /** Beyond it nothing is taken until receivers have freed space. */
  readonly bytesMax: number;
  /** Counts towards `bytesMax`; absent = the folder's bytes. */
  readonly bytesNow?: () => Promise<number>;
  /** Never goes back. */
  readonly now?: () => number;
}

export interface OutboxWriter {
  /**
   * True once the record is synced, together with others waiting; false, with nothing written, if the outbox is full.
   * Rejects if the disk fails.
   */
  append(record: Uint8Array): Promise<boolean>;
  close(): Promise<void>;
}

interface Waiting {
  readonly frame: Buffer;
  readonly done: PromiseWithResolvers<boolean>;
}

type File = Awaited<ReturnType<typeof open>>;

interface Segment {
  readonly path: string;
  readonly file: File;
  /** Acknowledged. */
  bytes: number;
}

/** A new file once it is long or has failed. */
function createSegments(folder: string) {
  let current: Segment | undefined;
  let isMade = false;
  let emptied: string | undefined;
  const end = async () => {
    const file = current?.file;
    current = undefined;
    await file?.close();
  };
  const begin = async () => {
    if (!isMade) await makeFolder(folder);
    isMade = true;
    // Earlier processes' files stay as they are: tails may be torn, and readers are in them.
    const path = segmentPath(folder, ((await segmentsIn(folder)).at(-1) ?? 0) + 1);
    current = { path, file: await open(path, 'ax'), bytes: 0 };
    await syncFolder(folder);
    // Only now: the number of a file that somebody may have read in is never given again.
    if (emptied !== undefined) await rm(emptied, { force: true });
    emptied = undefined;
    return current;
  };
  /** What was refused is not there to be taken for lost. */
  const cutBack = async ({ path, file, bytes }: Segment) => {
    await file.truncate(bytes);
    if (bytes === 0) emptied = path;
  };
  return {
    end,
    async write(frames: readonly Buffer[]): Promise<void> {
      try {
        if (current && current.bytes >= segmentBytesMax) await end();
        const segment = current ?? (await begin());
        const bytes = Buffer.concat(frames);
        await segment.file.appendFile(bytes);
        await segment.file.datasync();
        segment.bytes += bytes.length;
      } catch (error) {
        isMade = false;
        if (current) await cutBack(current).catch(() => undefined);
        await end().catch(() => undefined);
        throw error;
      }
    },
  };
}

/** How full the folder is: measured now and then, added up meanwhile. */
function createFilling({ folder, bytesMax, bytesNow, now = () => performance.now() }: WriterOptions) {
  let bytes = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  return async (more: number): Promise<boolean> => {
    if (now() - measuredAt > measureEveryMs) {
      bytes = await (bytesNow?.() ?? bytesIn(folder));
      measuredAt = now();
    }
    const hasRoom = bytes + more <= bytesMax;
    if (hasRoom) bytes += more;
    return hasRoom;
  };
}

/** Creates the folder with the first record. */
export function createOutboxWriter(options: WriterOptions): OutboxWriter {
  const segments = createSegments(options.folder);
  const hasRoomFor = createFilling(options);
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  const writeGroup = async (group: readonly Waiting[]) => {
    try {
      const bytes = group.reduce((sum, { frame }) => sum + frame.length, 0);
      const hasRoom = await hasRoomFor(bytes);
      if (hasRoom) await segments.write(group.map(({ frame }) => frame));
      for (const { done } of group) done.resolve(hasRoom);
    } catch (error) {
      for (const { done } of group) done.reject(error);
    }
  };
  const run = async () => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await writeGroup(group);
    }
    running = undefined;
  };
  return {
    append(record) {
      if (record.length > recordBytesMax) return Promise.reject(new RangeError('the record is too long'));
      const done = Promise.withResolvers<boolean>();
      waiting.push({ frame: frameOf(record), done });
      running ??= run();
      return done.promise;
    },
    async close() {
      await running;
      await segments.end();
    },
  };
}
