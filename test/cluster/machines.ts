import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SpawnedServer, spawnServer } from '../spawned-server.ts';
import { freePort } from '../support/free-port.ts';
import { pause } from '../support/pause.ts';
import { tokenOf } from '../support/server.ts';
import { type ClusterClock, startClock } from './clock.ts';
import { type Engine, type Engines, regions } from './engines.ts';
import { type Relay, startRelay } from './relay.ts';

const program = fileURLToPath(new URL('../../bin/bourse.js', import.meta.url));
const host = new URL('./simulated-host.ts', import.meta.url).href;
const administrator = { mail: 'ada@example.com', password: 'correct horse battery' };
const threads = 2;
const upWithinMs = 120_000;

/** Half of 80 ms, which a question and its answer take from region to region. */
const awayMs = 40;

/** One Bourse, which reaches each engine only through its relays. */
export interface Machine {
  readonly name: string;
  readonly region: string;
  readonly url: string;
  /** In the order of the engines. */
  readonly relays: readonly Relay[];
  /** Whether it is to answer: it runs, and nothing has stopped it. */
  isUp(): boolean;
  /** Whether it says that it can serve. */
  isReady(): Promise<boolean>;
  /** Whether its Valkey answers, and how often it did not, as its metrics say. */
  valkeyFigures(): Promise<string>;
  /** Whether anything is sent to it. */
  isInRotation(): boolean;
  /** Sends it nothing, as a load balancer does; answers what ends that. */
  turnAway(): () => void;
  start(): Promise<void>;
  /** Ends it at once (kill -9). */
  kill(): Promise<void>;
  /** Stops it where it stands (SIGSTOP); answers what lets it go on. */
  freeze(): () => void;
  /** Sets its clock, ahead of the others' by so much; answers what sets it right again. */
  setClock(aheadMs: number): () => void;
}

function environment(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(BOURSE_|NODE_TEST)/.test(name));
  return {
    ...Object.fromEntries(kept),
    BOURSE_HOST: '127.0.0.1',
    BOURSE_ADMIN_MAIL: administrator.mail,
    BOURSE_ADMIN_PASSWORD: administrator.password,
    BOURSE_ALLOW_PRIVATE_DEMAND: '1',
    BOURSE_TRUSTED_PROXIES: '1',
    BOURSE_LOG_LEVEL: 'fatal',
    ...settings,
  };
}

/** As whoever watches over a server starts it again that ended because its database was away. */
async function startedAgain(start: () => Promise<SpawnedServer>, lateMs: number): Promise<SpawnedServer> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const isAway = /the database cannot be (?:opened|reached)/i.test(String(error));
      if (!isAway || performance.now() > lateMs) throw error;
    }
    await pause();
  }
}

/** A machine that is not started yet. */
async function createMachine(
  {
    name,
    region,
    port,
    regionUrls,
    folder,
    clock,
  }: Readonly<Record<'name' | 'region' | 'regionUrls' | 'folder', string>> & {
    readonly port: number;
    readonly clock: ClusterClock;
  },
  all: readonly Engine[],
): Promise<Machine> {
  const engines = all.filter((engine) => !engine.isRegional || engine.region === region);
  const relays = await Promise.all(
    engines.map((engine) =>
      startRelay(Number(new URL(engine.url).port), engine.region === region ? 0 : awayMs),
    ),
  );
  const settings = engines.map(({ setting, url }, index) => {
    const through = new URL(url);
    through.port = String(relays[index]?.port);
    return [setting, through.href];
  });
  const clockFile = join(folder, `${name}.clock`);
  clock.add(clockFile);
  const env = environment({
    BOURSE_PORT: String(port),
    BOURSE_REGION: region,
    BOURSE_REGIONS: regionUrls,
    BOURSE_OUTBOX: join(folder, name),
    TEST_CLOCK_FILE: clockFile,
    ...Object.fromEntries(settings),
  });
  const url = `http://127.0.0.1:${port}`;
  let running: SpawnedServer | undefined;
  let [isServing, isFrozen, isTurnedAway] = [false, false, false];
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  return {
    name,
    region,
    url,
    relays,
    isUp: () => isServing && !isFrozen && !isTurnedAway,
    isReady,
    async valkeyFigures() {
      const text = await (await fetch(`${url}/metrics`)).text();
      return text.match(/^bourse_valkey_.*$/gm)?.join() ?? '';
    },
    isInRotation: () => !isTurnedAway,
    turnAway() {
      isTurnedAway = true;
      return () => {
        isTurnedAway = false;
      };
    },
    setClock: (aheadMs) => clock.setOff(clockFile, aheadMs),
    async start() {
      const words = ['--import', host, program, 'serve', '--threads', String(threads)];
      const lateMs = performance.now() + upWithinMs;
      const started = await startedAgain(() => spawnServer(process.execPath, words, { env }), lateMs);
      running = started;
      while (!(await isReady())) {
        if (performance.now() > lateMs) throw new Error(`${name} does not become ready: ${started.output()}`);
        await pause();
      }
      isServing = true;
    },
    async kill() {
      const { process: child, ended } = running ?? {};
      [running, isServing] = [undefined, false];
      child?.kill('SIGCONT');
      child?.kill('SIGKILL');
      await ended;
    },
    freeze() {
      isFrozen = true;
      const child = running?.process;
      child?.kill('SIGSTOP');
      return () => {
        child?.kill('SIGCONT');
        isFrozen = false;
      };
    },
  };
}

/** Four machines in two regions, on engines of which PostgreSQL is in the first. */
export interface Cluster {
  readonly machines: readonly Machine[];
  readonly engines: Engines;
  readonly clock: ClusterClock;
  /** Access token of the administrator. */
  readonly token: string;
  /** Ends the machines, not the engines. */
  close(): Promise<void>;
}

/** Starts the machines; `fill` is called when the first one serves, before the others start. */
export async function startCluster(
  engines: Engines,
  fill: (cluster: Cluster) => Promise<void>,
): Promise<Cluster> {
  const clock = await startClock(engines.databaseUrl);
  // Each machine has a disk of its own.
  const folder = mkdtempSync(join(tmpdir(), 'bourse-cluster-'));
  const ports: number[] = [];
  for (const _ of regions) ports.push(await freePort());
  const urlOf = (region: (typeof regions)[number]) => `http://127.0.0.1:${ports[regions.indexOf(region)]}`;
  const regionUrls = [...new Set(regions)].map((region) => `${region}=${urlOf(region)}`).join(',');
  const machines = await Promise.all(
    regions.map((region, index) => {
      const name = `${region}-${(index % 2) + 1}`;
      return createMachine(
        { name, region, port: ports[index] ?? 0, regionUrls, folder, clock },
        engines.used,
      );
    }),
  );
  const close = async () => {
    await Promise.all(machines.map((machine) => machine.kill()));
    rmSync(folder, { recursive: true, force: true });
    await Promise.all(machines.flatMap(({ relays }) => relays).map((relay) => relay.close()));
  };
  // No machine outlives whoever ends the test.
  process.once('exit', () => machines.map((machine) => machine.kill()));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  try {
    // The first one migrates the database.
    const [first] = machines;
    await first?.start();
    const token = await tokenOf(first?.url ?? '', administrator.mail, administrator.password);
    const cluster = { machines, engines, clock, token, close };
    await fill(cluster);
    // It has to learn of what was written into the database.
    await first?.kill();
    await Promise.all(machines.map((machine) => machine.start()));
    return cluster;
  } catch (error) {
    await close();
    throw error;
  }
}
