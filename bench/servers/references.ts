import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { logIn } from '../data/api.ts';
import { lowPauseFlags } from '../load/generator.ts';
import { type BourseServer, mail, password } from './bourse.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const limitProgram = fileURLToPath(new URL('../references/limit.ts', import.meta.url));
const wiredProgram = fileURLToPath(new URL('../references/wired.ts', import.meta.url));
const mockDspsProgram = fileURLToPath(new URL('../references/mock-dsps.ts', import.meta.url));
const punctualDspsProgram = fileURLToPath(new URL('../references/punctual-dsps.ts', import.meta.url));
const fanOutProgram = fileURLToPath(new URL('../references/fan-out.ts', import.meta.url));
const plainFanOutProgram = fileURLToPath(new URL('../references/plain-fan-out.ts', import.meta.url));
const minimumProgram = fileURLToPath(new URL('../references/minimum.ts', import.meta.url));

/** Starts the limit: bare `node:http` that sends `body` from memory, in `threads` threads. */
export function startLimit(folder: string, body: string, threads = 1): Promise<ServerProcess> {
  const file = join(mkdtempSync(join(folder, 'limit-')), 'body.json');
  writeFileSync(file, body);
  return startServer({ name: 'limit', args: [limitProgram, file, String(threads)] }, folder);
}

/** Starts Bourse as `main.ts` puts it together, in one thread; without metrics and history unless `bookkeeping`. */
export async function startWired(
  folder: string,
  { bookkeeping }: { bookkeeping: boolean },
): Promise<BourseServer> {
  const own = mkdtempSync(join(folder, 'wired-'));
  const args = [wiredProgram, join(own, 'bourse.db'), mail, password, bookkeeping ? 'bookkeeping' : ''];
  const server = await startServer({ name: 'wired', args }, own);
  return { server, api: await logIn(server.url, mail, password) };
}

/** Starts a process that bids at every path, immediately. */
export function startMockDsps(folder: string): Promise<ServerProcess> {
  return startServer({ name: 'mock-dsps', args: [mockDspsProgram] }, folder);
}

/** Starts a process that bids at every path `afterMs` after a request, and hardly pauses for garbage collection. */
export function startPunctualDsps(folder: string, afterMs: number): Promise<ServerProcess> {
  return startServer(
    { name: 'punctual-dsps', args: [...lowPauseFlags, punctualDspsProgram, String(afterMs)] },
    folder,
  );
}

/** What a bare fan-out sends to each of its URLs (`body`), and what it then answers, whatever they said. */
export interface FanOut {
  readonly urls: readonly string[];
  readonly body: string;
  readonly answer: string;
}

function startWork(folder: string, name: string, program: string, work: FanOut): Promise<ServerProcess> {
  const own = mkdtempSync(join(folder, `${name}-`));
  const file = join(own, 'work.json');
  writeFileSync(file, JSON.stringify(work));
  return startServer({ name, args: [program, file] }, own);
}

/** Starts a program that only makes the same calls with undici. */
export const startFanOut = (folder: string, work: FanOut): Promise<ServerProcess> =>
  startWork(folder, 'fan-out', fanOutProgram, work);

/** Starts one that makes them over plain sockets: the least that a fan-out can take. */
export const startPlainFanOut = (folder: string, work: FanOut): Promise<ServerProcess> =>
  startWork(folder, 'plain-fan-out', plainFanOutProgram, work);

/** A running minimum, with the headers that requests to it need. */
export interface Minimum extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly headers: Readonly<Record<string, string>>;
}

function fill(path: string, documents: readonly string[]): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('CREATE TABLE document (id INTEGER PRIMARY KEY, doc TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO document (doc) VALUES (?)');
  database.exec('BEGIN');
  for (const text of documents) insert.run(text);
  database.exec('COMMIT');
  database.close();
}

/** Starts the hand-written minimum on a database of its own that holds `documents`, with IDs from 1. */
export async function startMinimum(folder: string, documents: readonly string[]): Promise<Minimum> {
  const path = join(mkdtempSync(join(folder, 'minimum-')), 'minimum.db');
  fill(path, documents);
  const token = randomBytes(32).toString('base64url');
  const server = await startServer({ name: 'minimum', args: [minimumProgram, path, token] }, folder);
  return {
    server,
    headers: { authorization: `Bearer ${token}` },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
