// Runs on Node 12 and later: no newer syntax, no `node:` imports.
import { spawn } from 'child_process';
import { existsSync } from 'fs';
import * as module from 'module';
import { homedir } from 'os';
import { dirname, join, resolve } from 'path';
import { fileURLToPath, pathToFileURL } from 'url';

/** The oldest Node that has all that Bourse uses: node:sqlite, Argon2 and type stripping. */
const oldest = { major: 24, minor: 7 };

/** Two of these, and a third for large objects, make a thread's young generation. */
const semiSpaceMegabytes = 16;

/** Tells the second process that the first one was too old, so that there is never a third. */
const relaunchedFlag = 'BOURSE_RELAUNCHED';

/**
 * What to do on a Node of this version: `run` here, `relaunch` with the project's own Node, or `refuse`.
 * @param {{ version: string, ownNode: string | undefined, relaunched: boolean }} found
 * @returns {'run' | 'relaunch' | 'refuse'}
 * @internal
 */
export function decide(found) {
  if (!isOld(found.version)) return 'run';
  return found.ownNode !== undefined && !found.relaunched ? 'relaunch' : 'refuse';
}

/** @param {string} version */
function isOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldest.major || (major === oldest.major && minor < oldest.minor);
}

/**
 * The command line's module: the source in a checkout, where a built `dist` may be stale; else the build.
 * @param {string} root the package's folder
 * @param {(path: string) => boolean} exists
 * @internal
 */
export function entryOf(root, exists) {
  const source = join(root, 'src', 'cli', 'main.ts');
  return exists(source) ? source : join(root, 'dist', 'cli', 'main.js');
}

/**
 * The Node of the npm package `node`, in the package's own node_modules or in one above it (hoisted).
 * @param {string} root the package's folder
 * @param {(path: string) => boolean} exists
 * @returns {string | undefined}
 * @internal
 */
export function ownNodeOf(root, exists) {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', 'node', 'bin', file);
    if (exists(candidate)) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * Flags for Node that the command runs with, beside those given: `serve` has a young generation of one small size.
 * Left to itself it begins at 1 MB, collected about every fifty requests, and may grow to 32 in every thread.
 * None where the size is given already.
 * @param {{ command: string | undefined, given: string }} found `given`: the flags that Node was started with
 * @returns {string[]}
 * @internal
 */
export function flagsFor(found) {
  if (found.command !== 'serve' || /--m(ax|in)[-_]semi[-_]space[-_]size/.test(found.given)) return [];
  return [`--min-semi-space-size=${semiSpaceMegabytes}`, `--max-semi-space-size=${semiSpaceMegabytes}`];
}

/**
 * What a user reads whose Node is too old.
 * @param {string} version
 * @internal
 */
export function refusal(version) {
  return [
    `Bourse needs Node ${oldest.major}.${oldest.minor} or later; this is Node ${version}.`,
    'Install it beside Bourse by `npm install node`, or from https://nodejs.org; in a checkout `npm ci` brings it along.',
  ].join('\n');
}

/** Starts the command line in this process, or with the project's own Node, or says what is missing. */
export function launch() {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const ownNode = ownNodeOf(root, existsSync);
  const { version } = process;
  const relaunched = process.env[relaunchedFlag] !== undefined;
  delete process.env[relaunchedFlag];
  const found = { version: version.slice(1), ownNode, relaunched };
  const decision = decide(found);
  if (decision === 'run') run(entryOf(root, existsSync), relaunched);
  else if (decision === 'relaunch' && ownNode !== undefined) relaunch(ownNode);
  else fail(refusal(found.version));
}

/**
 * @param {string} entry
 * @param {boolean} relaunched
 */
function run(entry, relaunched) {
  if (process.argv[2] === 'serve') endOnSignals();
  muteWarnings();
  takeFlags();
  keepCompiledCode();
  if (relaunched) stopWithParent();
  import(pathToFileURL(entry).href).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}

/** Until the server handles signals itself there is nothing to close: told to stop, it ends well from its first line. */
function endOnSignals() {
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(0);
    });
}

/** Node 24 calls node:sqlite and execve experimental on the console, at each start; Node 26 no longer does. */
function muteWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (/** @type {unknown[]} */ ...given) => {
    if (given[1] === 'ExperimentalWarning' && /^(SQLite|process\.execve) is/.test(String(given[0]))) return;
    Reflect.apply(emitWarning, process, given);
  };
}

/** The flags that this Node was started with, in one text. */
function givenFlags() {
  return `${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS || ''}`;
}

/**
 * Begins again with the flags of the command, as the same process: V8 reads them only at its start. Goes on without
 * them where that cannot be (Windows), or where a channel to the parent would be lost.
 */
function takeFlags() {
  const flags = flagsFor({ command: process.argv[2], given: givenFlags() });
  if (flags.length === 0 || process.execve === undefined || process.channel) return;
  const { execPath, execArgv, argv } = process;
  try {
    process.execve(execPath, [execPath].concat(flags, execArgv, argv.slice(1)), process.env);
  } catch {
    // Memory is the only difference.
  }
}

/**
 * Where compiled code is kept: in the user's own cache folder (XDG Base Directory Specification). Node's own choice is
 * in the folder for all users' temporary files, where code that another user has put there would be run. None for a
 * user without a home.
 * @returns {string | undefined}
 */
function compiledCodeFolder() {
  try {
    return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bourse');
  } catch {
    return undefined;
  }
}

/**
 * Later starts load what an earlier one has compiled; where the cache cannot be written, nothing is lost. Threads
 * find it by the variable before their first module, and then need no type stripper, 16 MB in each.
 */
function keepCompiledCode() {
  const { enableCompileCache } = module;
  if (typeof enableCompileCache !== 'function') return;
  const folder = compiledCodeFolder();
  if (folder === undefined) return;
  const { directory } = enableCompileCache(folder);
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory;
}

/** A parent that was killed outright forwards no signal; the closed channel tells of its end instead. */
function stopWithParent() {
  if (process.channel === undefined || process.channel === null) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

/**
 * Starts the same command with another Node, and ends as that one ends: by its exit code or its signal.
 * @param {string} node
 */
function relaunch(node) {
  const flags = flagsFor({ command: process.argv[2], given: givenFlags() });
  const child = spawn(node, flags.concat(process.execArgv, process.argv.slice(1)), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: Object.assign({}, process.env, { [relaunchedFlag]: '1' }),
  });
  /** @type {NodeJS.Signals[]} */
  const forwarded = ['SIGTERM', 'SIGINT', 'SIGHUP'];
  for (const signal of forwarded) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${node} does not start: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code === null ? 1 : code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** @param {string} text */
function fail(text) {
  console.error(text);
  process.exitCode = 1;
}
