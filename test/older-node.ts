import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { decide } from '../bin/launch.js';

/** A Node of this machine, outside any project, that is too old for Bourse; undefined where there is none. */
export const olderNode = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((file) => existsSync(file) && isTooOld(file));

function isTooOld(file: string): boolean {
  const version = execFileSync(file, ['--version'], { encoding: 'utf8' }).trim().slice(1);
  return decide({ version, ownNode: undefined, relaunched: false }) === 'refuse';
}
