import { accessSync, closeSync, constants, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Refusal } from '../../fields/fault.ts';

const ownerOnly = 0o600;
const megabyte = 1_048_576;
/** A commit may need as much. */
const freeBytesMin = megabyte;
/** How long a failed write is remembered: quotas do not show in the disk's free space. */
const fullMs = 10_000;

const codes = { readOnly: 8, input: 10, full: 13, cannotOpen: 14 } as const;
const codesOfDisks: ReadonlySet<number> = new Set(Object.values(codes));

const texts = {
  readOnly: 'The disk of the database is read-only',
  full: 'The disk of the database is full',
} as const;

const readOnlyText = (path: string) => `the disk of ${path} is read-only`;

/** Such as `EROFS`. */
const systemCodeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

/**
 * For its owner only; SQLite gives its other files the same mode. Never opens an existing file, which would end this
 * process's locks on it (sqlite.org/howtocorrupt.html).
 */
export function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', ownerOnly));
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'EEXIST') return;
    throw new Error(code === 'EROFS' ? readOnlyText(path) : `the file ${path} cannot be created: ${code}`);
  }
}

function isReadOnly(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return systemCodeOf(error) === 'EROFS';
  }
}

/** For this user. Some file systems do not count their blocks. */
function isFull(path: string): boolean {
  const { blocks, bsize, bavail, bfree } = statfsSync(path);
  const free = process.getuid?.() === 0 ? bfree : bavail;
  return blocks > 0 && free * bsize < freeBytesMin;
}

/** Undefined if nothing is known. */
function troubleOf(folder: string): string | undefined {
  try {
    if (isReadOnly(folder)) return texts.readOnly;
    return isFull(folder) ? texts.full : undefined;
  } catch {
    return undefined;
  }
}

/** Says that the disk is read-only, if that is the cause. */
export function openingError(error: unknown, path: string): unknown {
  return codesOfDisks.has(codeOf(error)) && isReadOnly(dirname(path)) ? new Error(readOnlyText(path)) : error;
}

export interface Disk {
  /** A refusal with `unavailable` if only the disk is its cause. */
  translate(error: unknown): unknown;
  /** As far as is known. */
  trouble(): string | undefined;
}

/** `now` never goes back. */
export function watchDisk(path: string, now: () => number): Disk {
  const folder = dirname(path);
  let fullAtMs = Number.NEGATIVE_INFINITY;
  return {
    translate(error) {
      const code = codeOf(error);
      if (code === codes.full) fullAtMs = now();
      const reason = code === codes.full ? texts.full : codesOfDisks.has(code) && troubleOf(folder);
      if (!reason) return error;
      const refusal = new Refusal('unavailable', `${reason}; try again later`, { retryAfterSeconds: 5 });
      refusal.cause = error;
      return refusal;
    },
    trouble: () => (now() - fullAtMs < fullMs ? texts.full : troubleOf(folder)),
  };
}
