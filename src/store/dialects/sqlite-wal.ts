import { close, fdatasync, type NoParamCallback, open } from 'node:fs';

const done = (step: (callback: NoParamCallback) => void) =>
  new Promise<void>((resolve, reject) => step((error) => (error ? reject(error) : resolve())));

const opened = (path: string) =>
  new Promise<number>((resolve, reject) =>
    open(path, 'r+', (error, file) => (error ? reject(error) : resolve(file))),
  );

/**
 * What `synchronous = FULL` does within a commit, but without holding the thread meanwhile: with `NORMAL`, a commit in
 * WAL mode has written its frames, and is durable once the file is synced (SQLite, PRAGMA synchronous). Opening this
 * file ends no lock: SQLite holds none on it.
 */
export async function openWalSync(path: string) {
  let file: Promise<number> | undefined = opened(`${path}-wal`);
  await file;
  return {
    /** Resolves once all commits until now are durable. */
    async sync(): Promise<void> {
      file ??= opened(`${path}-wal`);
      try {
        const descriptor = await file;
        await done((callback) => fdatasync(descriptor, callback));
      } catch (error) {
        file = undefined;
        throw error;
      }
    },
    async close(): Promise<void> {
      const descriptor = await file;
      file = undefined;
      if (descriptor !== undefined) await done((callback) => close(descriptor, callback));
    },
  };
}
