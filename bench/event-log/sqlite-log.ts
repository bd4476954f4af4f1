import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Candidate } from './candidate.ts';
import type { Question, ReadRows, SqliteSettings } from './sqlite-worker.ts';

function openThread(workerData: SqliteSettings) {
  const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), { workerData });
  const asked: PromiseWithResolvers<ReadRows | undefined>[] = [];
  worker.on('message', (answer) => asked.shift()?.resolve(answer));
  worker.on('error', (error) => {
    for (const one of asked) one.reject(error);
  });
  return (question: Question, moved: ArrayBuffer[] = []) => {
    const done = Promise.withResolvers<ReadRows | undefined>();
    asked.push(done);
    worker.postMessage(question, moved);
    return done.promise;
  };
}

/** Commits together what came during the last commit. */
function groupCommits(commit: (bytes: Uint8Array<ArrayBuffer>, ends: Uint32Array) => Promise<unknown>) {
  let waiting: { readonly record: Uint8Array; readonly done: PromiseWithResolvers<void> }[] = [];
  let isRunning = false;
  const run = async () => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const ends = new Uint32Array(group.length);
      let end = 0;
      for (const [index, { record }] of group.entries()) ends[index] = end += record.length;
      const bytes = new Uint8Array(end);
      for (const [index, { record }] of group.entries())
        bytes.set(record, (ends[index] ?? 0) - record.length);
      try {
        await commit(bytes, ends);
        for (const { done } of group) done.resolve();
      } catch (error) {
        for (const { done } of group) done.reject(error);
      }
    }
    isRunning = false;
  };
  return (record: Uint8Array) => {
    const done = Promise.withResolvers<void>();
    waiting.push({ record, done });
    if (!isRunning) {
      isRunning = true;
      setImmediate(run);
    }
    return done.promise;
  };
}

export interface SqliteLogOptions {
  readonly folder: string;
  readonly pragmas: string;
  /** Of a second connection, in a thread of its own, that reads, deletes and checkpoints; absent = there is one. */
  readonly readerPragmas?: string;
}

/** A file of SQLite in a thread of its own. */
export function openSqliteLog({ folder, pragmas, readerPragmas }: SqliteLogOptions): Candidate {
  const path = join(folder, 'log.db');
  const ask = openThread({ path, pragmas });
  let reader = readerPragmas === undefined ? ask : undefined;
  let place = 0;
  return {
    append: groupCommits((bytes, ends) => ask({ kind: 'append', bytes, ends }, [bytes.buffer])),
    async read(bytesMax) {
      reader ??= openThread({ path, pragmas: readerPragmas ?? pragmas });
      const page = await reader({ kind: 'read', from: place, bytesMax });
      if (!page) return [];
      place = page.until;
      return Array.from(page.ends, (end, index) => page.bytes.subarray(page.ends[index - 1] ?? 0, end));
    },
    async drop() {
      await reader?.({ kind: 'drop', until: place });
    },
    async bytes() {
      let bytes = 0;
      for (const end of ['', '-wal', '-journal']) {
        bytes += await stat(path + end).then(
          ({ size }) => size,
          () => 0,
        );
      }
      return bytes;
    },
    async close() {
      if (reader && reader !== ask) await reader({ kind: 'close' });
      await ask({ kind: 'close' });
    },
  };
}
