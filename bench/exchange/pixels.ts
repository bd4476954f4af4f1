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
const pixel = /\/track\/impression\?t=[\w.:~-]+/;

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

/** Pixels of new ads. */
async function collect(url: string): Promise<string[]> {
  const found: string[] = [];
  const work = async () => {
    while (found.length < pixelsPerTurn) {
      const text = await (await fetch(url)).text();
      const [path] = pixel.exec(text) ?? [];
      if (path === undefined) throw new Error(`no ad: ${text.slice(0, 200)}`);
      found.push(path);
    }
  };
  await Promise.all(Array.from({ length: collectedAtOnce }, work));
  return found.slice(0, pixelsPerTurn);
}

interface Turn {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuUs: number;
}

async function callPixels({ load }: Tools, server: ServerProcess, ad: string): Promise<Turn> {
  const paths = await collect(ad);
  // What was counted of these auctions is written first.
  await delay(2000);
  const began = server.cpuSeconds();
  const { answers, seconds, waitsMs } = await load.run({
    origin: server.url,
    paths,
    method: 'GET',
    headers: {},
    connections,
    until: { answers: paths.length },
  });
  return {
    perSecond: answers / seconds,
    p50: percentile(waitsMs, 0.5),
    p99: percentile(waitsMs, 0.99),
    cpuUs: ((server.cpuSeconds() - began) / answers) * 1e6,
  };
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

async function rowOf(tools: Tools, title: string, databaseOf: () => Promise<string>): Promise<Row> {
  const { against, rounds } = tools;
  const checkouts = { bourse: undefined, ...(against !== undefined && { before: resolve(against) }) };
  const runs: Record<string, () => Promise<Turn>> = {};
  await using servers = new AsyncDisposableStack();
  for (const [name, checkout] of Object.entries(checkouts)) {
    const folder = join(tools.folder, title.replaceAll(/\W+/g, '-'), name);
    mkdirSync(folder, { recursive: true });
    const options = { databaseUrl: await databaseOf(), threads: 1, ...(checkout && { checkout }) };
    const bourse = await startBourse(folder, options);
    servers.use(bourse.server);
    const { request } = await addZone(bourse, 'campaign');
    const [path = ''] = request.paths;
    runs[name] = () => callPixels(tools, bourse.server, bourse.server.url + path);
  }
  const turns = await inTurn(runs, rounds);
  return {
    title,
    targets: [],
    details: Object.entries(turns).flatMap(([name, all]) => figuresOf(name, all)),
  };
}

/** Pixels of impressions on PostgreSQL, here and 20 ms away: how many a second, and how long each is waited for. */
export const pixels: Measure<Tools> = {
  name: 'pixels',
  async run(tools) {
    const postgres = await startPostgres();
    try {
      const near = await rowOf(tools, 'pixels, PostgreSQL here', postgres.freshDatabase);
      const relays = new DisposableStack();
      const farDatabase = async () =>
        relays.use(await startRelay(new URL(await postgres.freshDatabase()), farMs)).url;
      using _ = relays;
      const far = await rowOf(tools, `pixels, PostgreSQL ${2 * farMs} ms away`, farDatabase);
      return [near, far];
    } finally {
      await postgres.remove();
    }
  },
};
