import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createTimedWork } from '../shared/timed-work.ts';

const lookEveryMs = 60_000;

/** A file, or the last ones of a folder by number, with when each was written. Rejects if there is none. */
async function filesAt(
  path: string,
  filesMax: number,
): Promise<(readonly [path: string, writtenMs: number])[]> {
  const isFolder = (await stat(path)).isDirectory();
  const names = isFolder ? (await readdir(path)).filter((name) => name.endsWith('.json')) : [''];
  const byNumber = new Intl.Collator('en', { numeric: true });
  const last = names.sort(byNumber.compare).slice(-filesMax);
  if (last.length === 0) throw new Error(`${path} has no file *.json`);
  return Promise.all(
    last.map(async (name) => {
      const file = name === '' ? path : join(path, name);
      return [file, (await stat(file)).mtimeMs] as const;
    }),
  );
}

type ResultOf<Subject> = { readonly subject: Subject } & (object | { readonly fault: string });

export interface HostOptions<Subject> {
  /** Reads it in the crawler's thread. */
  readonly read: (subject: Subject) => void;
  readonly file: string | undefined;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly now: () => number;
}

/** What is published, and how it is told. */
export interface Publication<Subject, Result> {
  /** Names the file. */
  readonly setting: string;
  readonly filesMax: number;
  fileSubject(path: string, writtenMs: number): Subject;
  mayFetch(subject: Subject): boolean;
  /** Texts for a log: of a fault, before and after the first success, and of a success. */
  readonly unknown: string;
  readonly stays: string;
  readonly wasRead: string;
  /** Remembers a success for threads that start later; what the log says of it. */
  keep(result: Exclude<Result, { readonly fault: string }>): object;
  kept(): readonly Result[];
}

/** In the first thread: decides what is fetched or read for all, and remembers what came for threads that start later. */
export function createPublishedHost<Subject extends string, Result extends ResultOf<Subject>>(
  { read, file, logger }: HostOptions<Subject>,
  {
    setting,
    filesMax,
    fileSubject,
    mayFetch,
    unknown,
    stays,
    wasRead,
    keep,
    kept,
  }: Publication<Subject, Result>,
) {
  /** Files as they were when they were read. */
  let done: ReadonlySet<Subject> = new Set();
  let [isKnown, lastFault] = [false, ''];
  const noteFault = (fault: string) => {
    if (fault === lastFault) return;
    lastFault = fault;
    logger.warn({ fault }, isKnown ? stays : unknown);
  };
  /** Reads what was written since. */
  const look = async () => {
    if (file === undefined) return;
    try {
      const files = (await filesAt(file, filesMax)).map(([path, writtenMs]) => fileSubject(path, writtenMs));
      done = done.intersection(new Set(files));
      for (const subject of files) if (!done.has(subject)) read(subject);
    } catch (error) {
      noteFault(`${setting}: ${error instanceof Error ? error.message : error}`);
    }
  };
  const watching = createTimedWork(lookEveryMs, look);
  if (file !== undefined) watching.start(0);
  return {
    look,
    ask(subject: Subject): void {
      if (file === undefined && mayFetch(subject)) read(subject);
    },
    note(result: Result): void {
      done = done.union(new Set([result.subject]));
      if ('fault' in result)
        return void noteFault(file === undefined ? String(result.fault) : `${setting}: ${result.fault}`);
      [isKnown, lastFault] = [true, ''];
      logger.info(keep(result as Exclude<Result, { readonly fault: string }>), wasRead);
    },
    known: kept,
    close: watching.close,
  };
}
