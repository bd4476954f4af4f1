import { type Refusal, refuse } from '../../../reasons.ts';
import { Connection, type ConnectionOptions, type ConnectionOwner } from './connection.ts';

export interface PoolBounds {
  /** One connection each. */
  readonly callsPerOriginMax: number;
  /** Other origins' connections end with their answer. */
  readonly originsMax: number;
  /** Idle connections to all origins together. */
  readonly keptMax: number;
}

export interface Waiting {
  /** The connection is this call's alone. */
  start(connection: Connection): void;
  /** Its connection could not be made. */
  unconnected(error: Error | undefined): void;
}

interface Origin {
  readonly isKept: boolean;
  size: number;
  readonly connecting: Set<Connection>;
  /** The last used one last. */
  readonly idle: Connection[];
  readonly waiting: Set<Waiting>;
}

const sweepMs = 1_000;

/** Reuses the last used connection, else opens one. If its call gives up meanwhile, the next call gets it. */
export class ConnectionPool implements ConnectionOwner {
  readonly #options: ConnectionOptions;
  readonly #bounds: PoolBounds;
  readonly #now: () => number;
  readonly #origins = new Map<string, Origin>();
  #keptOrigins = 0;
  #idleCount = 0;
  #sweep: NodeJS.Timeout | undefined;
  #closing: PromiseWithResolvers<void> | undefined;

  constructor(options: ConnectionOptions, bounds: PoolBounds, now: () => number) {
    this.#options = options;
    this.#bounds = bounds;
    this.#now = now;
  }

  /** Starts a call now or later, or says why it cannot. `isFresh`: only on an unused connection. */
  take(name: string, call: Waiting, isFresh: boolean): Refusal | undefined {
    if (this.#closing !== undefined) return refuse('unreachable', { met: 'closed' });
    const kept = isFresh ? undefined : this.#idleOf(name);
    if (kept !== undefined) {
      call.start(kept);
      return undefined;
    }
    const origin = this.#originOf(name);
    const { connecting, waiting, size } = origin;
    const isNeeded = connecting.size <= waiting.size;
    const wanted = this.#bounds.callsPerOriginMax;
    if (isNeeded && size >= wanted) return refuse('too_many_calls', { wanted });
    waiting.add(call);
    if (isNeeded) this.#connect(name, origin);
    return undefined;
  }

  leave(name: string, call: Waiting): void {
    const origin = this.#origins.get(name);
    origin?.waiting.delete(call);
    if (origin !== undefined && this.#closing !== undefined) this.#cutUnwanted(origin);
  }

  ready(connection: Connection): void {
    const origin = this.#origins.get(connection.origin);
    const next = origin?.connecting.delete(connection) ? origin.waiting.values().next().value : undefined;
    if (next !== undefined) {
      origin?.waiting.delete(next);
      next.start(connection);
    } else if (origin === undefined || !this.#mayKeep(connection)) connection.cut();
    else this.#keep(origin, connection);
  }

  gone(connection: Connection, error: Error | undefined): void {
    const origin = this.#origins.get(connection.origin);
    if (origin === undefined) return;
    const place = origin.idle.indexOf(connection);
    if (place !== -1) {
      origin.idle.splice(place, 1);
      this.#idleCount -= 1;
    }
    if (origin.connecting.delete(connection)) this.#unconnected(origin, error);
    origin.size -= 1;
    this.#forget(connection.origin, origin);
  }

  /** Ends idle connections, and resolves when no call is under way. */
  close(): Promise<void> {
    this.#closing ??= Promise.withResolvers();
    clearTimeout(this.#sweep);
    for (const origin of [...this.#origins.values()]) {
      for (const connection of [...origin.idle]) connection.cut();
      this.#cutUnwanted(origin);
    }
    if (this.#origins.size === 0) this.#closing.resolve();
    return this.#closing.promise;
  }

  #mayKeep({ keptMs }: Connection): boolean {
    return keptMs > 0 && this.#idleCount < this.#bounds.keptMax && this.#closing === undefined;
  }

  #keep(origin: Origin, connection: Connection): void {
    connection.keptUntilMs = this.#now() + connection.keptMs;
    origin.idle.push(connection);
    this.#idleCount += 1;
    this.#sweep ??= setTimeout(() => this.#endIdle(), sweepMs).unref();
  }

  #originOf(name: string): Origin {
    const known = this.#origins.get(name);
    if (known !== undefined) return known;
    const isKept = this.#keptOrigins < this.#bounds.originsMax;
    if (isKept) this.#keptOrigins += 1;
    const origin = {
      isKept,
      size: 0,
      connecting: new Set<Connection>(),
      idle: [],
      waiting: new Set<Waiting>(),
    };
    this.#origins.set(name, origin);
    return origin;
  }

  #idleOf(name: string): Connection | undefined {
    const idle = this.#origins.get(name)?.idle;
    for (;;) {
      const connection = idle?.pop();
      if (connection === undefined) return undefined;
      this.#idleCount -= 1;
      if (connection.keptUntilMs > this.#now()) return connection;
      connection.cut();
    }
  }

  #connect(name: string, origin: Origin): void {
    origin.size += 1;
    try {
      origin.connecting.add(new Connection(name, origin.isKept, this, this.#options));
    } catch (error) {
      origin.size -= 1;
      this.#unconnected(origin, error instanceof Error ? error : undefined);
      this.#forget(name, origin);
    }
  }

  #unconnected(origin: Origin, error: Error | undefined): void {
    const [first] = origin.waiting;
    if (first === undefined || origin.waiting.size <= origin.connecting.size) return;
    origin.waiting.delete(first);
    first.unconnected(error);
  }

  /** Ends connections being made that no call waits for. */
  #cutUnwanted({ connecting, waiting }: Origin): void {
    for (const connection of [...connecting].slice(waiting.size)) connection.cut();
  }

  #forget(name: string, origin: Origin): void {
    if (origin.size > 0 || this.#origins.get(name) !== origin) return;
    this.#origins.delete(name);
    if (origin.isKept) this.#keptOrigins -= 1;
    if (this.#origins.size === 0) this.#closing?.resolve();
  }

  #endIdle(): void {
    const nowMs = this.#now();
    this.#sweep = undefined;
    for (const { idle } of [...this.#origins.values()]) {
      for (const connection of idle.filter(({ keptUntilMs }) => keptUntilMs <= nowMs)) connection.cut();
    }
    if (this.#idleCount > 0) this.#sweep = setTimeout(() => this.#endIdle(), sweepMs).unref();
  }
}
