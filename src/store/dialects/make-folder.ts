import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/**
 * Makes a folder and the missing folders above it, for their owner alone; throws where the system refuses. It does
 * without `mkdir`'s own recursion, which never ends where the system says that an existing parent is missing, as in
 * /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (existsSync(path)) return;
    const reason = codeOf(error) === 'EROFS' ? 'its disk is read-only' : codeOf(error);
    throw new Error(`the folder ${path} cannot be made: ${reason}`);
  }
}
