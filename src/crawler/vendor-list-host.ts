import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import {
  listFile,
  newestList,
  type VendorListResult,
  type VendorListSubject,
} from '../exchange/vendor-lists.ts';
import { createTimedWork } from '../shared/timed-work.ts';

/** As threads hold. */
const listsMax = 32;
const lookEveryMs = 60_000;
/** Whoever sends strings that name many versions makes us fetch no more. */
const versionsHourly = 6;
const hourMs = 3_600_000;

const without =
  'no Global Vendor List is known: of the TCF only consent counts, and no legitimate interest; let this server reach vendor-list.consensu.org, or set BOURSE_GVL_FILE';

/** A file, or the last ones of a folder by number, with when each was written. Rejects if there is none. */
async function filesAt(path: string): Promise<VendorListSubject[]> {
  const isFolder = (await stat(path)).isDirectory();
  const names = isFolder ? (await readdir(path)).filter((name) => name.endsWith('.json')) : [''];
  const byNumber = new Intl.Collator('en', { numeric: true });
  const last = names.sort(byNumber.compare).slice(-listsMax);
  if (last.length === 0) throw new Error(`${path} has no file *.json`);
  return Promise.all(
    last.map(async (name) => {
      const file = name === '' ? path : join(path, name);
      return listFile(file, (await stat(file)).mtimeMs);
    }),
  );
}

export interface VendorListHostOptions {
  /** Reads it in the crawler's thread. */
  readonly read: (subject: VendorListSubject) => void;
  readonly file: string | undefined;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly now: () => number;
}

/** In the first thread: decides what is fetched or read for all, and remembers what came for threads that start later. */
export function createVendorListHost({ read, file, logger, now }: VendorListHostOptions) {
  /** By version. */
  const found = new Map<number, VendorListResult>();
  let fetchedAtMs: readonly number[] = [];
  /** Files as they were when they were read. */
  let done: ReadonlySet<VendorListSubject> = new Set();
  let [isKnown, lastFault] = [false, ''];

  const noteFault = (fault: string) => {
    if (fault === lastFault) return;
    lastFault = fault;
    const text = isKnown ? 'a Global Vendor List could not be read; the last good one stays' : without;
    logger.warn({ fault }, text);
  };
  const mayFetch = (subject: VendorListSubject): boolean => {
    if (subject === newestList) return true;
    fetchedAtMs = fetchedAtMs.filter((atMs) => atMs > now() - hourMs);
    if (fetchedAtMs.length >= versionsHourly) return false;
    fetchedAtMs = [...fetchedAtMs, now()];
    return true;
  };
  /** Reads what was written since. */
  const look = async () => {
    if (file === undefined) return;
    try {
      const files = await filesAt(file);
      done = done.intersection(new Set(files));
      for (const subject of files) if (!done.has(subject)) read(subject);
    } catch (error) {
      noteFault(`BOURSE_GVL_FILE: ${error instanceof Error ? error.message : error}`);
    }
  };
  const watching = createTimedWork(lookEveryMs, look);
  if (file !== undefined) watching.start(0);
  return {
    look,
    ask(subject: VendorListSubject): void {
      if (file === undefined && mayFetch(subject)) read(subject);
    },
    note(result: VendorListResult): void {
      done = done.union(new Set([result.subject]));
      if ('fault' in result)
        return void noteFault(file === undefined ? result.fault : `BOURSE_GVL_FILE: ${result.fault}`);
      [isKnown, lastFault] = [true, ''];
      const { version, vendors } = result.list;
      logger.info({ version, vendors }, 'a Global Vendor List was read');
      found.set(version, result);
      if (found.size > listsMax) found.delete(Math.min(...found.keys()));
    },
    known: () => [...found.values()],
    close: watching.close,
  };
}
