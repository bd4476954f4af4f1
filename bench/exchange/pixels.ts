import { mkdirSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../../test/support/postgres.ts';
import { addZone } from '../data/zone.ts';
import type { Measure, Tools } from '../measure.ts';
import type { Figure, Row } from '../row.ts';
import { startBourse } from '../servers/bourse.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { inTurn, median, percentile } from '../speed.ts';

const pixelsPerTurn = 3000;
const connections = 64;
const collectedAtOnce = 32;
/** As between two regions of a continent. */
const farMs = 20;
/** An event is in the database by then. */
const countedAfterMs = 2000;

const pixelEvents = ['impression', 'start'] as const;
type PixelEvent = (typeof pixelEvents)[number];
const calls = [...pixelEvents, 'impression again'] as const;
type Call = (typeof calls)[number];
/** Absent = the standard, a file. */
type DatabaseOf = (() => Promise<string>) | undefined;

/** A way to a server that takes so long in each direction. */
async function startRelay(target: URL, oneWayMs: number) {
  const sockets = new Set<Socket>();
  const forward = (from: Socket, to: Socket) => {
    from.on('data', (bytes) => {
      setTimeout(() => to.writable && to.write(bytes), oneWayMs);
    });
    from.on('close', () => setTimeout(() => to.destroy(), oneWayMs));
    from.on('error', () => to.destroy());
    sockets.add(from.setNoDelay());
  };
  const server = createServer((socket) => {
    const other = connect(Number(target.port), target.hostname);
    forward(socket, other);
    forward(other, socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const url = new URL(target);
  url.port = String(typeof address === 'object' ? address?.port : 0);
  return {
    url: url.href,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** What a player, or a demand partner, calls of new ads, by event. */
async function collect(url: string): Promise<Readonly<Record<PixelEvent, readonly string[]>>> {
  const found = { impression: [], start: [] } as Record<PixelEvent, string[]>;
  const work = async () => {
    while (found.impression.length < pixelsPerTurn) {
      const text = await (await fetch(url)).text();
      for (const event of pixelEvents) {
        const [path] = new RegExp(`/track/${event}\\?t=[\\w.:~-]+`).exec(text) ?? [];
        if (path === undefined) throw new Error(`no ${event} in ${text.slice(0, 200)}`);
        found[event].push(path);
      }
    }
  };
  await Promise.all(Array.from({ length: collectedAtOnce }, work));
  return found;
}

interface Turn {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuUs: number;
}

/** With what comes after the answer, until it is counted. */
async function callPixels({ load }: Tools, server: ServerProcess, paths: readonly string[]): Promise<Turn> {
  const began = server.cpuSeconds();
  const { answers, seconds, waitsMs } = await load.run({
    origin: server.url,
    paths,
    method: 'GET',
    headers: {},
    connections,
    until: { answers: paths.length },
  });
  await delay(countedAfterMs);
  return {
    perSecond: answers / seconds,
    p50: percentile(waitsMs, 0.5),
    p99: percentile(waitsMs, 0.99),
    cpuUs: ((server.cpuSeconds() - began) / answers) * 1e6,
  };
}

/** Each event once, and impressions once more. */
async function callAll(
  tools: Tools,
  server: ServerProcess,
  ad: string,
): Promise<Readonly<Record<Call, Turn>>> {
  const found = await collect(ad);
  // What was counted of these auctions is written first.
  await delay(countedAfterMs);
  const turns: Partial<Record<Call, Turn>> = {};
  for (const event of pixelEvents) turns[event] = await callPixels(tools, server, found[event]);
  const again = await callPixels(tools, server, found.impression);
  return { ...turns, 'impression again': again } as Record<Call, Turn>;
}

function figuresOf(name: string, turns: readonly Turn[]): Figure[] {
  const of = (key: keyof Turn) => median(turns.map((turn) => turn[key]));
  return [
    { what: name, value: of('perSecond'), unit: 'perSecond' },
    { what: 'p50', value: of('p50'), unit: 'milliseconds' },
    { what: 'p99', value: of('p99'), unit: 'milliseconds' },
    { what: 'with', value: of('cpuUs'), unit: 'cpuMicrosecondsEach' },
  ];
}

async function rowsOf(tools: Tools, title: string, databaseOf: DatabaseOf): Promise<Row[]> {
  const { against, rounds } = tools;
  const checkouts = { bourse: undefined, ...(against !== undefined && { before: resolve(against) }) };
  const runs: Record<string, () => Promise<Readonly<Record<Call, Turn>>>> = {};
  await using servers = new AsyncDisposableStack();
  for (const [name, checkout] of Object.entries(checkouts)) {
    const folder = join(tools.folder, title.replaceAll(/\W+/g, '-'), name);
    mkdirSync(folder, { recursive: true });
    const databaseUrl = await databaseOf?.();
    const options = { threads: 1, ...(databaseUrl && { databaseUrl }), ...(checkout && { checkout }) };
    const bourse = await startBourse(folder, options);
    servers.use(bourse.server);
    const { request } = await addZone(bourse, 'campaign');
    const [path = ''] = request.paths;
    runs[name] = () => callAll(tools, bourse.server, bourse.server.url + path);
  }
  const turns = await inTurn(runs, rounds);
  return calls.map((call) => ({
    title: `${call}, ${title}`,
    targets: [],
    details: Object.entries(turns).flatMap(([name, all]) =>
      figuresOf(
        name,
        all.map((one) => one[call]),
      ),
    ),
  }));
}

/** What players call, on each engine, and on PostgreSQL 40 ms away: how many a second, and how long each is waited for. */
export const pixels: Measure<Tools> = {
  name: 'pixels',
  async run(tools) {
    const postgres = await startPostgres();
    try {
      const own = await rowsOf(tools, 'SQLite', undefined);
      const near = await rowsOf(tools, 'PostgreSQL here', postgres.freshDatabase);
      const relays = new DisposableStack();
      const farDatabase = async () =>
        relays.use(await startRelay(new URL(await postgres.freshDatabase()), farMs)).url;
      using _ = relays;
      const far = await rowsOf(tools, `PostgreSQL ${2 * farMs} ms away`, farDatabase);
      return [...own, ...near, ...far];
    } finally {
      await postgres.remove();
    }
  },
};
