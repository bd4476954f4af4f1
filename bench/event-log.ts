import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Candidate } from './event-log/candidate.ts';
import { openSegmentLog } from './event-log/segment-log.ts';
import { openSqliteLog } from './event-log/sqlite-log.ts';
import { inTurn, median, percentile } from './speed.ts';

/**
 * What the event log costs, compared with a SQLite file that a thread of its own writes: `npm run bench:log`, with
 * `--rounds`, `--seconds`, `--folder` and `--only <part of a load's name>`. They take turns, since a disk is never the same
 * twice.
 */
const recordBytes = 400;
const readBytesMax = 8 * 1024 * 1024;
const readEveryMs = 250;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    folder: { type: 'string', default: tmpdir() },
    only: { type: 'string' },
  },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

const wal = 'pragma busy_timeout = 5000; pragma journal_mode = wal;';
const full = 'pragma synchronous = full';
const alone = 'pragma locking_mode = exclusive;';

const candidates: Readonly<Record<string, (folder: string) => Candidate>> = {
  segments: openSegmentLog,
  'SQLite, WAL': (folder) =>
    openSqliteLog({
      folder,
      pragmas: `${wal} ${full}; pragma wal_autocheckpoint = 8000`,
      readerPragmas: `${wal} pragma synchronous = normal`,
    }),
  'SQLite, WAL of one connection': (folder) =>
    openSqliteLog({ folder, pragmas: `${alone} pragma journal_mode = wal; ${full}` }),
  'SQLite, rollback journal': (folder) =>
    openSqliteLog({ folder, pragmas: `${alone} pragma journal_mode = persist; ${full}` }),
};

/** Like an event: names and numbers that do not repeat. */
const recordOf = (number: number) =>
  Buffer.alloc(recordBytes, `event ${number} ${(number * 2654435761) % 4294967296} `);

type Load = (log: Candidate, append: () => Promise<void>) => Promise<void>;

/** So many streams, each of which waits for its event before it brings the next. */
const streams =
  (count: number): Load =>
  async (_, append) => {
    const untilMs = performance.now() + 1000 * seconds;
    const stream = async () => {
      while (performance.now() < untilMs) await append();
    };
    await Promise.all(Array.from({ length: count }, stream));
  };

/** So many events a second, whether or not those before are acknowledged. */
const evenly =
  (perSecond: number): Load =>
  async (_, append) => {
    const beganMs = performance.now();
    const running: Promise<void>[] = [];
    for (let nowMs = beganMs; nowMs < beganMs + 1000 * seconds; nowMs = performance.now()) {
      const due = Math.floor(((nowMs - beganMs) * perSecond) / 1000);
      while (running.length < due) running.push(append());
      await delay(1);
    }
    await Promise.all(running);
  };

/** While a consumer reads and deletes. */
const consumed =
  (load: Load): Load =>
  async (log, append) => {
    let isOver = false;
    const consumer = async () => {
      while (!isOver) {
        await delay(readEveryMs);
        if ((await log.read(readBytesMax)).length > 0) await log.drop();
      }
    };
    const consuming = consumer();
    await load(log, append);
    isOver = true;
    await consuming;
  };

const loads: Readonly<Record<string, Load>> = {
  '1 stream': streams(1),
  '32 streams': streams(32),
  '512 streams': streams(512),
  '20,000/s': evenly(20_000),
  '20,000/s, read and deleted': consumed(evenly(20_000)),
};

type Figures = Readonly<Record<string, number>>;

const micros = ({ user, system }: NodeJS.CpuUsage) => user + system;

async function measureAppend(open: (folder: string) => Candidate, load: Load): Promise<Figures> {
  const folder = mkdtempSync(join(values.folder, 'bench-log-'));
  const log = open(folder);
  await log.append(recordOf(0));
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const acknowledgedMs: number[] = [];
  let number = 1;
  const [begun, own, all] = [performance.now(), process.threadCpuUsage(), process.cpuUsage()];
  await load(log, async () => {
    const begunMs = performance.now();
    number += 1;
    await log.append(recordOf(number));
    acknowledgedMs.push(performance.now() - begunMs);
  });
  const count = acknowledgedMs.length;
  const figures = {
    'events/s': count / ((performance.now() - begun) / 1000),
    'µs loop thread': micros(process.threadCpuUsage(own)) / count,
    'µs total': micros(process.cpuUsage(all)) / count,
    'ack p50 ms': median(acknowledgedMs),
    'ack p99 ms': percentile(acknowledgedMs, 0.99),
    'loop p99 ms': loop.percentile(99) / 1e6,
    'bytes each': (await log.bytes()) / count,
  };
  loop.disable();
  await log.close();
  rmSync(folder, { recursive: true });
  return figures;
}

const storedCount = 100_000;

async function timed(run: () => Promise<unknown>): Promise<Figures> {
  const [begun, own, all] = [performance.now(), process.threadCpuUsage(), process.cpuUsage()];
  await run();
  return {
    'µs each': ((performance.now() - begun) * 1000) / storedCount,
    'µs loop thread': micros(process.threadCpuUsage(own)) / storedCount,
    'µs total': micros(process.cpuUsage(all)) / storedCount,
  };
}

const prefixed = (prefix: string, figures: Figures) =>
  Object.entries(figures).map(([name, value]) => [`${prefix}: ${name}`, value] as const);

async function measureReading(open: (folder: string) => Candidate): Promise<Figures> {
  const folder = mkdtempSync(join(values.folder, 'bench-log-'));
  const log = open(folder);
  await Promise.all(Array.from({ length: storedCount }, (_, number) => log.append(recordOf(number))));
  const bytes = await log.bytes();
  let read = 0;
  const reading = await timed(async () => {
    for (let more = 1; more > 0; read += more) more = (await log.read(readBytesMax)).length;
  });
  if (read !== storedCount) throw new Error(`${read} were read`);
  const dropping = await timed(log.drop);
  const figures = Object.fromEntries([
    ...prefixed('read', reading),
    ...prefixed('deleted', dropping),
    ['bytes each', bytes / storedCount],
    ['bytes after', await log.bytes()],
  ]);
  await log.close();
  rmSync(folder, { recursive: true });
  return figures;
}

async function show(what: string, measure: (open: (folder: string) => Candidate) => Promise<Figures>) {
  if (values.only !== undefined && !what.includes(values.only)) return;
  const contestants = Object.entries(candidates).map(([name, open]) => [name, () => measure(open)] as const);
  const results = await inTurn<string, Figures>(Object.fromEntries(contestants), rounds);
  console.log(what);
  console.table(
    Object.fromEntries(
      Object.entries(results).map(([name, figures]) => [
        name,
        Object.fromEntries(
          Object.keys(figures[0] ?? {}).map((key) => [
            key,
            Number(median(figures.map((one) => one[key] ?? Number.NaN)).toPrecision(3)),
          ]),
        ),
      ]),
    ),
  );
}

for (const [what, load] of Object.entries(loads)) await show(what, (open) => measureAppend(open, load));
await show(`${storedCount} events read and deleted`, measureReading);
