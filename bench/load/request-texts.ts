import { randomBytes } from 'node:crypto';
import type { Job } from './job.ts';

const placeholder = '[<id>]';
const idDigits = 10;

/** Beginning of this process's IDs, so that no other process makes the same ones. */
const ownIds = randomBytes(6).toString('hex');
let given = 0;

function nextId(): string {
  given += 1;
  return `${ownIds}${String(given).padStart(idDigits, '0')}`;
}

const idLength = nextId().length;

function lengthOf(body: string): number {
  const places = body.split(placeholder).length - 1;
  return Buffer.byteLength(body) + places * (idLength - placeholder.length);
}

function textOf({ method, headers, body }: Job, { host }: URL, path: string): string {
  const ofBody = body === undefined ? {} : { 'content-length': String(lengthOf(body)) };
  const lines = Object.entries({ host, ...headers, ...ofBody }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

/** Gives the bytes of a job's next request: its paths in turn, with a new ID for each `[<id>]`. */
export function requestsOf(job: Job): () => Buffer {
  const origin = new URL(job.origin);
  const texts = job.paths.map((path) => textOf(job, origin, path));
  const ready = texts.map((text) => (text.includes(placeholder) ? undefined : Buffer.from(text)));
  let sent = 0;
  return () => {
    const place = sent % texts.length;
    sent += 1;
    return ready[place] ?? Buffer.from((texts[place] ?? '').replaceAll(placeholder, nextId()));
  };
}
