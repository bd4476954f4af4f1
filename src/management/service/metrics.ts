import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Store } from '../../store/interface.ts';
import { withTimeout } from './with-timeout.ts';

type RegisteredMetric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** Can be sent to another thread and added up there. */
export type ThreadMetrics = readonly (Pick<RegisteredMetric, 'name' | 'help' | 'aggregator' | 'values'> & {
  type: unknown;
})[];

export interface Metrics {
  ofThread(): Promise<ThreadMetrics>;
}

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const resolutionMs = 20;
const storeWaitMsMax = 1000;

/** For paths without a route; others have their route's pattern. */
const unknownOperation = '(none)';

function countRequests(app: FastifyInstance, registers: Registry[]): void {
  const requests = new Counter({
    name: 'bourse_requests_total',
    help: 'Requests answered, by operation (route), method and status',
    labelNames: ['operation', 'method', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'bourse_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by operation (route)',
    labelNames: ['operation'],
    buckets: bucketsSeconds,
    registers,
  });
  app.addHook('onResponse', ({ method, routeOptions }, { statusCode: status, elapsedTime }, done) => {
    const operation = routeOptions.url ?? unknownOperation;
    requests.inc({ operation, method, status }, 1);
    durations.observe({ operation }, elapsedTime / 1000);
    done();
  });
}

/** Since metrics were last read. */
function measureEventLoop(app: FastifyInstance, registers: Registry[]): void {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  app.addHook('onClose', async () => {
    delays.disable();
  });
  new Gauge({
    name: 'bourse_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last scrape: median, 99th percentile, longest; of the slowest thread',
    labelNames: ['stat'],
    aggregator: 'max',
    registers,
    collect() {
      const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
      const isEmpty = delays.count === 0;
      this.set({ stat: 'p50' }, isEmpty ? 0 : seconds(delays.percentile(50)));
      this.set({ stat: 'p99' }, isEmpty ? 0 : seconds(delays.percentile(99)));
      this.set({ stat: 'max' }, isEmpty ? 0 : seconds(delays.max));
      delays.reset();
    },
  });
}

function measureStore(store: Pick<Store, 'revision' | 'load'>, registers: Registry[]): void {
  new Gauge({
    name: 'bourse_revision',
    help: 'Revision of the configuration that this server last read',
    aggregator: 'max',
    registers,
    async collect() {
      // While the database is away, the gauge keeps the last revision.
      const revision = await withTimeout(storeWaitMsMax, store.revision(), 'late').catch(() => undefined);
      if (revision !== undefined) this.set(revision);
    },
  });
  new Gauge({
    name: 'bourse_writes_waiting',
    help: 'Writes that are waiting for their transaction',
    registers,
    collect() {
      this.set(store.load().writesWaiting);
    },
  });
  new Gauge({
    name: 'bourse_database_connections',
    help: 'PostgreSQL: connections in use and idle, and steps that are waiting for one',
    labelNames: ['state'],
    registers,
    collect() {
      const { pool } = store.load();
      if (!pool) return;
      this.set({ state: 'in_use' }, pool.total - pool.idle);
      this.set({ state: 'idle' }, pool.idle);
      this.set({ state: 'waiting' }, pool.waiting);
    },
  });
}

export interface ServingThread {
  readonly number: number;
  servedRevision(): number;
  /** Like the other metrics. */
  metrics(): ThreadMetrics;
}

function measureServing({ number: thread, servedRevision }: ServingThread, registers: Registry[]): void {
  new Gauge({
    name: 'bourse_served_revision',
    help: 'Revision of the configuration that auctions use, by thread',
    labelNames: ['thread'],
    aggregator: 'max',
    registers,
    collect() {
      this.set({ thread }, servedRevision());
    },
  });
}

function measureProcess(registers: Registry[]): void {
  const ofProcess = { aggregator: 'max', registers } as const;
  new Gauge({ name: 'bourse_threads', help: 'Threads that serve', registers }).set(1);
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process, all threads together',
    ...ofProcess,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since 1970',
    ...ofProcess,
  }).set(Math.round(performance.timeOrigin / 1000));
}

/** Counts requests and what they wait for (a store, if any). To be called before the server is ready. */
export function collectMetrics(
  app: FastifyInstance,
  store: Pick<Store, 'revision' | 'load'> | undefined,
  serving: ServingThread,
): Metrics {
  const registry = new Registry();
  countRequests(app, [registry]);
  measureEventLoop(app, [registry]);
  if (store) measureStore(store, [registry]);
  measureServing(serving, [registry]);
  measureProcess([registry]);
  return {
    ofThread: async () => [...(await registry.getMetricsAsJSON()), ...serving.metrics()],
  };
}

/** Of all threads, in Prometheus' text form. */
export function metricsText(metrics: readonly ThreadMetrics[]): Promise<string> {
  return AggregatorRegistry.aggregate([...metrics]).metrics();
}
