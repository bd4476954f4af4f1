import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A process's part of the outbox: one at a time has it, as the operating system's locks say, also after `kill -9`. */
export interface Slot {
  readonly folder: string;
  /** Stays the same, whichever process has it. */
  readonly id: string;
  /** Where folders of rows are: one for each writer. */
  writers(): readonly string[];
  release(): void;
}

const slotsMax = 1000;

/** Locks a folder by a lock on a file in it, until this process ends it; undefined where another process has it. */
export function lockFolder(folder: string): (() => void) | undefined {
  const database = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    // Nothing is ever written: the lock alone is wanted, which ends with the process.
    database.exec('pragma locking_mode = exclusive; begin exclusive');
    return () => database.close();
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return undefined;
    throw error;
  }
}

/** The folders of rows in a part: one for each writer. */
export function foldersIn(part: string): string[] {
  return readdirSync(part, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(part, entry.name)] : [],
  );
}

function idOf(folder: string): string {
  const path = join(folder, 'id');
  if (!existsSync(path)) writeFileSync(path, randomUUID(), { flush: true });
  return readFileSync(path, 'utf8').trim();
}

/** Takes a slot by its number, if no process has it. Throws where the folder cannot be made or written to. */
function takeSlot(root: string, number: number): Slot | undefined {
  const folder = join(root, String(number));
  mkdirSync(folder, { recursive: true });
  const release = lockFolder(folder);
  if (!release) return undefined;
  return { folder, id: idOf(folder), writers: () => foldersIn(folder), release };
}

/** Takes the first slot of an outbox that no process has. Throws where the folder cannot be written to. */
export function takeFirstSlot(root: string): Slot {
  for (let number = 0; number < slotsMax; number += 1) {
    const slot = takeSlot(root, number);
    if (slot) return slot;
  }
  throw new Error(`${slotsMax} processes have a part of ${root}`);
}

/** Takes those slots that a process has left behind, so that what is in them is sent. */
export function takeAbandonedSlots(root: string): Slot[] {
  const numbers = readdirSync(root).flatMap((name) => (/^\d{1,3}$/.test(name) ? [Number(name)] : []));
  return numbers.map((number) => takeSlot(root, number)).filter((slot) => slot !== undefined);
}
