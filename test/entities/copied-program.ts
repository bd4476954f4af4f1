import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { type Ending, runToEnd, type SpawnedServer, spawnServer } from '../spawned-server.ts';
import { tokenOf } from '../support/server.ts';

const root = join(import.meta.dirname, '..', '..');
const mail = 'ada@example.com';
const password = 'correct horse battery';

/** A line that is added to a file of the program. */
export interface AddedLine {
  readonly file: string;
  /** The line before it, which the file must have once. */
  readonly after: string;
  readonly line: string;
}

/** A copy of the program, to which a test adds files and lines. */
export interface CopiedProgram {
  addFile(path: string, text: string): void;
  addLine(added: AddedLine): void;
  /** Builds the copy's console from the copy's sources. Rejects with the output where that fails. */
  buildConsole(): Promise<void>;
  /** Checks the types of the copy's `src`. */
  checkTypes(): Promise<Ending>;
  /** The SQLite file that it serves from. */
  readonly databasePath: string;
  /** Serves the copy. The test ends it. */
  serve(): Promise<SpawnedServer & { readonly token: string }>;
}

const pathIn = (file: string) => join(root, 'node_modules', ...file.split('/'));

/** Copies what the program starts with. The copy goes when the test file ends. */
export function copiedProgram(): CopiedProgram {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-copy-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['src', 'bin', 'assets', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  writeFileSync(
    join(folder, 'tsconfig.src.json'),
    JSON.stringify({ extends: './tsconfig.json', include: ['src'] }),
  );
  const databasePath = join(folder, 'bourse.db');
  const env = {
    ...process.env,
    BOURSE_DATABASE_URL: `sqlite:${databasePath}`,
    BOURSE_HOST: '127.0.0.1',
    BOURSE_PORT: '0',
    BOURSE_ADMIN_MAIL: mail,
    BOURSE_ADMIN_PASSWORD: password,
  };
  return {
    databasePath,
    addFile(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: 'wx' });
    },
    addLine({ file, after: before, line }) {
      const lines = readFileSync(join(folder, file), 'utf8').split('\n');
      const places = lines.flatMap((text, index) => (text === before ? [index + 1] : []));
      assert.equal(places.length, 1, `${file} has the line ${before} ${places.length} times`);
      writeFileSync(join(folder, file), lines.toSpliced(places[0] ?? 0, 0, line).join('\n'));
    },
    async buildConsole() {
      for (const part of ['console', 'package-lock.json']) {
        const filter = (path: string) => path !== join(root, 'console', 'dist');
        cpSync(join(root, part), join(folder, part), { recursive: true, filter });
      }
      const args = [join(folder, 'console', 'build', 'build.ts')];
      const { output } = await runToEnd(process.execPath, args, { cwd: folder });
      assert.ok(existsSync(join(folder, 'console', 'dist')), output);
      assert.doesNotMatch(output, /could not be built/);
    },
    checkTypes: () =>
      runToEnd(process.execPath, [pathIn('typescript/bin/tsc'), '-p', 'tsconfig.src.json'], { cwd: folder }),
    async serve() {
      const args = [join(folder, 'bin', 'bourse.js'), 'serve', '--threads', '1'];
      const server = await spawnServer(process.execPath, args, { cwd: folder, env });
      return { ...server, token: await tokenOf(server.url, mail, password) };
    },
  };
}
