import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

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

/** Holds all calls of `fdatasync`, as a slow disk does. */
export function holdSyncs(): HeldSyncs {
  const { fdatasync } = fs;
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  gate.promise.catch(() => undefined);
  const held = (file: number, callback: fs.NoParamCallback) => {
    begun.resolve();
    gate.promise.then(() => fdatasync(file, callback), callback);
  };
  const set = (to: unknown) => {
    Object.assign(fs, { fdatasync: to });
    syncBuiltinESMExports();
  };
  set(held);
  return {
    begun: () => begun.promise,
    release: gate.resolve,
    fail: gate.reject,
    end: () => set(fdatasync),
  };
}
