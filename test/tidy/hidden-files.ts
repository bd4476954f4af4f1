import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';

/** Files in our rooms that .gitignore keeps out of commits: whoever clones the project lacks them. */
export function hiddenFiles(root: string, rooms: readonly string[]): Finding[] {
  if (!existsSync(join(root, '.git'))) return [];
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--', ...rooms],
    { cwd: root, encoding: 'utf8' },
  );
  const files = listed.split('\0').filter((file) => file !== '');
  return files.map((file) => ({ file, line: 1, rule: 'would be left out of commits by .gitignore' }));
}
