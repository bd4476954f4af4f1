import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';

const root = dirname(dirname(import.meta.dirname));
/** What a server needs to start. */
const copied = ['assets', 'bin', 'package.json', 'src'];

/** What an engineer would write: a text right behind another one, which the file has exactly once. */
export interface Alteration {
  readonly file: string;
  readonly behind: string;
  readonly insert: string;
}

function alter(folder: string, { file, behind, insert }: Alteration): void {
  const path = join(folder, file);
  const parts = readFileSync(path, 'utf8').split(behind);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${behind}`);
  writeFileSync(path, parts.join(`${behind}${insert}`));
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-altered-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/**
 * The folder of a copy of the program with alterations; it goes when the test file ends. Throws where a place to alter
 * is not found.
 */
export function alteredProgram(alterations: readonly Alteration[]): string {
  const folder = newFolder();
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const alteration of alterations) alter(folder, alteration);
  return folder;
}

/** Likewise, as of a commit or tag; undefined where its history is not here, as in an archive of the sources. */
export function programAt(commit: string): string | undefined {
  const archive = spawnSync('git', ['-C', root, 'archive', commit, ...copied], { maxBuffer: 1 << 30 });
  if (archive.status !== 0) return undefined;
  const folder = newFolder();
  execFileSync('tar', ['-x', '-C', folder], { input: archive.stdout });
  return folder;
}
