import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/**
 * For their owner only, missing parents included; throws if the system refuses. Not by `mkdir`'s recursion, which never
 * ends if the system denies an existing parent, as in /proc.
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
    throw new Error(`the folder ${path} cannot be created: ${reason}`);
  }
}
