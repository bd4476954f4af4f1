import { readFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Preloaded into each machine: a clock that tests set, by a file of milliseconds, and a slow disk, which loses with a
 * killed process what the outbox has written and not synced, as a power cut would.
 */
const clockFile = process.env.TEST_CLOCK_FILE ?? '';
const readClockEveryMs = 25;
const syncMs = 60;
const writtenBackMs = 5000;

const System = Date;
let aheadMs = 0;
const readClock = () => {
  const read = Number(readFileSync(clockFile, 'utf8') || Number.NaN);
  // The file may just be written.
  if (Number.isFinite(read)) aheadMs = read;
};
readClock();
setInterval(readClock, readClockEveryMs).unref();
const now = () => System.now() + aheadMs;
globalThis.Date = new Proxy(System, {
  construct: (target, values, as) => Reflect.construct(target, values.length === 0 ? [now()] : values, as),
  get: (target, name, as) => (name === 'now' ? now : Reflect.get(target, name, as)),
});

const { open } = files;
type File = Awaited<ReturnType<typeof open>>;

function forgetful(file: File): File {
  const appendFile = file.appendFile.bind(file);
  const [datasync, truncate, close] = [
    file.datasync.bind(file),
    file.truncate.bind(file),
    file.close.bind(file),
  ];
  let unsynced: Uint8Array[] = [];
  const write = async () => {
    const bytes = Buffer.concat(unsynced);
    unsynced = [];
    if (bytes.length > 0) await appendFile(bytes);
  };
  return Object.assign(file, {
    async appendFile(bytes: Uint8Array) {
      unsynced.push(bytes);
      setTimeout(write, writtenBackMs).unref();
    },
    async datasync() {
      await delay(syncMs);
      await write();
      await datasync();
    },
    async truncate(length: number) {
      unsynced = [];
      await truncate(length);
    },
    async close() {
      await write();
      await close();
    },
  });
}

Object.assign(files, {
  async open(...asked: Parameters<typeof open>) {
    const file = await open(...asked);
    return asked[1] === 'ax' && String(asked[0]).endsWith('.rows') ? forgetful(file) : file;
  },
});
syncBuiltinESMExports();
