import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Syncs of files in this process, which wait until they are let through. */
export interface HeldSyncs {
  /** Resolves once a sync waits. */
  begun(): Promise<void>;
  /** Lets those that wait, and all later ones, end. */
  release(): void;
  /** Fails those that wait, and the later ones. */
  fail(error: Error): void;
  /** Syncs are as before. */
  end(): void;
}

/** Holds all syncs of file handles, as a slow disk does. */
export async function holdSyncs(): Promise<HeldSyncs> {
  const path = join(tmpdir(), `bourse-sync-${randomUUID()}`);
  const handle = await open(path, 'w');
  await handle.close();
  rmSync(path);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  const { datasync } = prototype;
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  gate.promise.catch(() => undefined);
  prototype.datasync = async function held(this: FileHandle) {
    begun.resolve();
    await gate.promise;
    await datasync.call(this);
  };
  return {
    begun: () => begun.promise,
    release: gate.resolve,
    fail: gate.reject,
    end() {
      prototype.datasync = datasync;
    },
  };
}
