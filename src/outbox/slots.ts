import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface OutboxPart {
  readonly folder: string;
  /** The same whichever process has it. */
  readonly id: string;
}

/** A process's part of the outbox, held by a lock of the operating system, so that `kill -9` frees it. */
export interface Slot extends OutboxPart {
  /** One folder per writer. */
  writers(): readonly string[];
  release(): void;
}

const slotsMax = 1000;

/** By a file in it, until the process ends; undefined if another process has it. */
export function lockFolder(folder: string): (() => void) | undefined {
  const database = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    // Nothing is ever written: only the lock matters, which ends with the process.
    database.exec('pragma locking_mode = exclusive; begin exclusive');
    return () => {
      if (database.isOpen) database.close();
    };
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return undefined;
    throw error;
  }
}

/** One per writer. */
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

/** Undefined if another process has it. Throws if the folder cannot be made or written. */
function takeSlot(root: string, number: number): Slot | undefined {
  const folder = join(root, String(number));
  mkdirSync(folder, { recursive: true });
  const release = lockFolder(folder);
  if (!release) return undefined;
  return { folder, id: idOf(folder), writers: () => foldersIn(folder), release };
}

/** The first free one. Throws if the folder cannot be written. */
export function takeFirstSlot(root: string): Slot {
  for (let number = 0; number < slotsMax; number += 1) {
    const slot = takeSlot(root, number);
    if (slot) return slot;
  }
  throw new Error(`${slotsMax} processes have a part of ${root}`);
}

/** So that what dead processes left is sent. */
export function takeAbandonedSlots(root: string): Slot[] {
  const numbers = readdirSync(root).flatMap((name) => (/^\d{1,3}$/.test(name) ? [Number(name)] : []));
  return numbers.map((number) => takeSlot(root, number)).filter((slot) => slot !== undefined);
}
