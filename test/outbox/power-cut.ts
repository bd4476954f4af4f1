import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join, sep } from 'node:path';

/** Which syncs reach the disk. */
export type Syncs = 'all' | 'of files' | 'of folders';

/** Files below a folder that is on the disk itself, as a power cut would leave them. */
export interface WatchedDisk {
  /** Writes them to another folder: files as they were last synced, under names whose folder was synced. */
  leaveIn(target: string): void;
  /** The next sync of a folder of this name fails. */
  failFolder(name: string): void;
  close(): void;
}

/** Numbers of files are given again; with its birth, one names one file. */
function entryOf(path: string) {
  const found = statSync(path, { bigint: true });
  return { identity: `${found.ino}.${found.birthtimeNs}`, isFolder: found.isDirectory() };
}

/**
 * Follows what `node:fs/promises` syncs below a folder; everything is still done as it is asked for. `onSync` is called
 * after each sync, before whoever waits for it goes on.
 */
export function watchDisk(root: string, syncs: Syncs, onSync: () => void): WatchedDisk {
  const contents = new Map<string, Buffer>();
  const names = new Map<string, ReadonlyMap<string, ReturnType<typeof entryOf>>>();
  let failing: string | undefined;
  const { open } = promises;

  /** What the sync that begins now makes durable. */
  const taken = (path: string): (() => void) => {
    const { identity, isFolder } = entryOf(path);
    if (!isFolder) {
      const bytes = readFileSync(path);
      return () => void (syncs === 'of folders' || contents.set(identity, bytes));
    }
    if (basename(path) === failing) {
      failing = undefined;
      throw new Error('the disk failed');
    }
    const entries = new Map(readdirSync(path).map((name) => [name, entryOf(join(path, name))]));
    return () => void (syncs === 'of files' || names.set(identity, entries));
  };
  const watch = (handle: FileHandle, path: string): FileHandle => {
    for (const name of ['sync', 'datasync'] as const) {
      const sync = handle[name].bind(handle);
      handle[name] = async () => {
        const keep = taken(path);
        await sync();
        keep();
        onSync();
      };
    }
    return handle;
  };
  promises.open = async (path, ...rest) => {
    const handle = await open(path, ...rest);
    return `${path}${sep}`.startsWith(`${root}${sep}`) ? watch(handle, String(path)) : handle;
  };
  syncBuiltinESMExports();

  const leave = (folder: string, target: string): void => {
    mkdirSync(target, { recursive: true });
    for (const [name, { identity, isFolder }] of names.get(folder) ?? []) {
      if (isFolder) leave(identity, join(target, name));
      else writeFileSync(join(target, name), contents.get(identity) ?? '');
    }
  };
  return {
    leaveIn: (target) => leave(entryOf(root).identity, target),
    failFolder(name) {
      failing = name;
    },
    close() {
      promises.open = open;
      syncBuiltinESMExports();
    },
  };
}
