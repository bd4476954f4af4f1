import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Job, Outcome } from './job.ts';

const tickMs = 1;
const headEnd = Buffer.from('\r\n\r\n');

/** A connection that has one request under way at a time; written by hand, so that it takes little of a core. */
interface Lane {
  /** Resolves with the bytes of the body; rejects where the answer is no 2xx. */
  send(request: string): Promise<number>;
  close(): void;
}

/** How long a whole answer is that begins with these bytes; undefined while its head is not there. */
function lengthOf(bytes: Buffer): { readonly whole: number; readonly body: number } | undefined {
  const end = bytes.indexOf(headEnd);
  if (end === -1) return undefined;
  const head = bytes.toString('latin1', 0, end);
  if (!/^HTTP\/1\.1 2/.test(head)) throw new Error(head.split('\r\n', 1)[0]);
  const body = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return { whole: end + headEnd.length + body, body };
}

function laneOn(socket: Socket): Lane {
  let got: Buffer = Buffer.alloc(0);
  let pending: PromiseWithResolvers<number> | undefined;
  socket.setNoDelay(true);
  socket.on('data', (part: Buffer) => {
    got = got.length === 0 ? part : Buffer.concat([got, part]);
    try {
      const length = lengthOf(got);
      if (length === undefined || got.length < length.whole) return;
      got = got.subarray(length.whole);
      pending?.resolve(length.body);
    } catch (error) {
      pending?.reject(error);
    }
  });
  socket.on('error', (error) => pending?.reject(error));
  return {
    send(request) {
      pending = Promise.withResolvers<number>();
      socket.write(request);
      return pending.promise;
    },
    close: () => socket.destroy(),
  };
}

async function openLanes(origin: URL, count: number): Promise<Lane[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(origin.port), origin.hostname);
      await once(socket, 'connect');
      return laneOn(socket);
    }),
  );
}

function requestText({ method, headers }: Job, { host }: URL, path: string): string {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/**
 * Sends requests without a body evenly at a rate, whether those before are answered or not, as players do: an
 * answer's wait counts from when its request was due, also where all connections are taken.
 */
export async function atRate(job: Job, perSecond: number): Promise<Outcome> {
  const { paths, connections, until } = job;
  if (!('seconds' in until)) throw new Error('a rate lasts for some seconds');
  const origin = new URL(job.origin);
  const lanes = await openLanes(origin, connections);
  const requests = paths.map((path) => requestText(job, origin, path));
  const free = [...lanes];
  const waiting: number[] = [];
  const waitsMs: number[] = [];
  const outcome = { failures: 0, bytes: 0, begun: 0 };
  const use = async (lane: Lane, dueMs: number): Promise<void> => {
    try {
      outcome.begun += 1;
      outcome.bytes += await lane.send(requests[outcome.begun % requests.length] ?? '');
    } catch {
      outcome.failures += 1;
    }
    waitsMs.push(performance.now() - dueMs);
    const next = waiting.shift();
    if (next === undefined) free.push(lane);
    else void use(lane, next);
  };
  const cpuStart = process.cpuUsage();
  const startMs = performance.now();
  const total = Math.floor(until.seconds * perSecond);
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * perSecond));
    for (; sent < due; sent += 1) {
      const dueMs = startMs + (sent / perSecond) * 1000;
      const lane = free.pop();
      if (lane) void use(lane, dueMs);
      else waiting.push(dueMs);
    }
    await delay(tickMs);
  }
  while (waitsMs.length < total) await delay(tickMs);
  const seconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(cpuStart);
  for (const lane of lanes) lane.close();
  const { failures, bytes } = outcome;
  return { answers: total, seconds, failures, bytes, waitsMs, loadCpuShare: (user + system) / 1e6 / seconds };
}
