import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { nap } from '../nap.ts';
import type { Job, Outcome } from './job.ts';

const pollMs = 1;
const readBytes = 65_536;
const headEnd = '\r\n\r\n';

/** A connection that has one request under way at a time; written by hand, so that it takes little of a core. */
interface Lane {
  readonly socket: Socket;
  /** When its request was due, in milliseconds of `performance.now()`. */
  dueMs: number;
}

/** Takes the length of the body that a lane was answered; undefined where the answer was no 2xx, or none came. */
type Answered = (lane: Lane, bodyBytes: number | undefined) => void;

/** How long a whole answer is that begins with these bytes; undefined while its head is not there. */
function lengthOf(bytes: Buffer): { readonly whole: number; readonly body: number } | undefined {
  const end = bytes.indexOf(headEnd);
  if (end === -1) return undefined;
  const head = bytes.toString('latin1', 0, end);
  if (!/^HTTP\/1\.1 2/.test(head)) throw new Error(head.split('\r\n', 1)[0]);
  const body = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return { whole: end + headEnd.length + body, body };
}

/** Reads into one buffer that all lanes share: a new one for each answer would keep the garbage collector busy. */
function openLane({ hostname, port }: URL, buffer: Buffer, answered: Answered): Lane {
  let before: Buffer | undefined;
  const read = (bytes: number): boolean => {
    const part = buffer.subarray(0, bytes);
    const got = before ? Buffer.concat([before, part]) : part;
    try {
      const length = lengthOf(got);
      const isWhole = length !== undefined && got.length >= length.whole;
      before = isWhole ? undefined : Buffer.from(got);
      if (isWhole) answered(lane, length.body);
    } catch {
      before = undefined;
      answered(lane, undefined);
    }
    return true;
  };
  const onread = { buffer, callback: read };
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
  const lane: Lane = { socket, dueMs: 0 };
  return lane;
}

function requestText({ method, headers }: Job, { host }: URL, path: string): string {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** What was answered since it was begun, in arrays of a known length. */
function createTally(total: number) {
  const waitsMs = new Float64Array(total);
  const sums = { answers: 0, failures: 0, bytes: 0 };
  return {
    sums,
    add(waitMs: number, bodyBytes: number | undefined): void {
      waitsMs[sums.answers] = waitMs;
      sums.answers += 1;
      if (bodyBytes === undefined) sums.failures += 1;
      else sums.bytes += bodyBytes;
    },
    waitsMs: () => Array.from(waitsMs.subarray(0, sums.answers)),
  };
}

/** Connections to a server, over which requests are sent one after the other; those that find none free wait. */
async function openLanes(job: Job, origin: URL) {
  const requests = job.paths.map((path) => requestText(job, origin, path));
  const buffer = Buffer.alloc(readBytes);
  const free: Lane[] = [];
  const waiting: number[] = [];
  let tally = createTally(job.connections);
  let sent = 0;
  const use = (lane: Lane, dueMs: number): void => {
    lane.dueMs = dueMs;
    lane.socket.write(requests[sent % requests.length] ?? '', 'latin1');
    sent += 1;
  };
  const answered: Answered = (lane, bodyBytes) => {
    tally.add(performance.now() - lane.dueMs, bodyBytes);
    const nextMs = waiting.shift();
    if (nextMs === undefined) free.push(lane);
    else use(lane, nextMs);
  };
  const lanes = Array.from({ length: job.connections }, () => openLane(origin, buffer, answered));
  const faults: unknown[] = [];
  const lost = (lane: Lane, fault: unknown): void => {
    // A server may close a connection that has nothing to do.
    const place = free.indexOf(lane);
    if (place === -1) faults.push(fault);
    else free.splice(place, 1);
  };
  // Rejects where one cannot be opened.
  await Promise.all(lanes.map(({ socket }) => once(socket, 'connect')));
  for (const lane of lanes) {
    let fault: unknown = new Error('a connection was closed before its answer');
    lane.socket.on('error', (error) => {
      fault = error;
    });
    lane.socket.on('close', () => lost(lane, fault));
  }
  const demandSound = (): void => {
    if (faults.length > 0) throw faults[0];
  };
  // A server takes up a connection later than it is connected: one answer each, which counts nowhere.
  for (const lane of lanes) use(lane, performance.now());
  while (free.length < lanes.length) {
    demandSound();
    await delay(pollMs);
  }
  return {
    /** Throws where a request will never be answered. */
    demandSound,
    /** Counts from now on. */
    begin(total: number) {
      tally = createTally(total);
      return tally;
    },
    send(dueMs: number): void {
      const lane = free.pop();
      if (lane) use(lane, dueMs);
      else waiting.push(dueMs);
    },
    close(): void {
      for (const { socket } of lanes) socket.destroy();
    },
  };
}

/**
 * Sends requests without a body evenly at a rate, whether those before are answered or not, as players do: an
 * answer's wait counts from when its request was due, also where all connections are taken.
 */
export async function atRate(job: Job, perSecond: number): Promise<Outcome> {
  const { until } = job;
  if (!('seconds' in until)) throw new Error('a rate lasts for some seconds');
  const lanes = await openLanes(job, new URL(job.origin));
  const total = Math.floor(until.seconds * perSecond);
  const { sums, waitsMs } = lanes.begin(total);
  const cpuStart = process.cpuUsage();
  const startMs = performance.now();
  for (let sent = 0; sums.answers < total; ) {
    // The first is due at once.
    const due = Math.min(total, 1 + Math.floor(((performance.now() - startMs) / 1000) * perSecond));
    for (; sent < due; sent += 1) lanes.send(startMs + (sent / perSecond) * 1000);
    await nap();
    lanes.demandSound();
  }
  const seconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(cpuStart);
  lanes.close();
  return { ...sums, seconds, waitsMs: waitsMs(), loadCpuShare: (user + system) / 1e6 / seconds };
}
