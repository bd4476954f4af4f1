import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/**
 * Makes a folder and those above it that are missing. Throws where the system makes none. Not by `mkdir`'s own
 * recursion, which never ends where the system says that the folder above is missing though it is there: /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(path)) throw new Error(`the folder ${path} cannot be made: ${codeOf(error)}`);
  }
}
