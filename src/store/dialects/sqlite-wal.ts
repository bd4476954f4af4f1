import { type FileHandle, open } from 'node:fs/promises';

/**
 * What `synchronous = FULL` does within a commit, but without holding the thread meanwhile: with `NORMAL`, a commit in
 * WAL mode has written its frames, and is durable once the file is synced (SQLite, PRAGMA synchronous). Opening this
 * file ends no lock: SQLite holds none on it.
 */
export function createWalSync(path: string) {
  let file: Promise<FileHandle> | undefined;
  return {
    /** Resolves once all commits until now are durable. */
    async sync(): Promise<void> {
      file ??= open(`${path}-wal`, 'r+');
      try {
        await (await file).datasync();
      } catch (error) {
        file = undefined;
        throw error;
      }
    },
    async close(): Promise<void> {
      await (await file)?.close();
    },
  };
}
