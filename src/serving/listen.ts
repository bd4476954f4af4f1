import { once } from 'node:events';
import { createServer, type ListenOptions } from 'node:net';
import type { FastifyInstance, FastifyListenOptions } from 'fastify';

/** Where to listen. */
export interface Address {
  readonly host: string;
  /** 0 = any that is free. */
  readonly port: number;
}

const idleSweepMs = 20;
/** How long an idle connection is still listened to: its next request may be on the way. */
const lastRequestWaitMs = 100;
const closeWaitMsMax = 10_000;

const listenFaults: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `BOURSE_PORT: port ${port} of ${host} is in use; set another, or 0 for any that is free`,
  EACCES: ({ port }) => `BOURSE_PORT: this user may not listen at port ${port}; set one from 1024 up`,
  EADDRNOTAVAIL: ({ host }) => `BOURSE_HOST: this machine has no address ${host}`,
  ENOTFOUND: ({ host }) => `BOURSE_HOST: ${host} is not found`,
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Does what listens; its errors say which variable to change. */
async function readably<T>(address: Address, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const fault = listenFaults[codeOf(error)]?.(address);
    throw fault === undefined ? error : new Error(fault, { cause: error });
  }
}

/** Listens and lets go again: rejects where that cannot be. */
async function tryOut(options: ListenOptions): Promise<void> {
  const probe = createServer();
  const listening = once(probe, 'listening');
  probe.listen(options);
  await listening;
  const closed = once(probe, 'close');
  probe.close();
  await closed;
}

/** Whether several threads can listen at one port of this host (Linux, FreeBSD, …). */
export async function canShare({ host }: Address): Promise<boolean> {
  try {
    await tryOut({ host, port: 0, reusePort: true });
    return true;
  } catch (error) {
    // Any other reason is told by the attempt that counts.
    return codeOf(error) !== 'ENOTSUP';
  }
}

/** Rejects where anyone listens at the address: a port that is shared would let a second exchange in unnoticed. */
export async function refuseTaken(address: Address): Promise<void> {
  const { host, port } = address;
  if (port !== 0) await readably(address, () => tryOut({ host, port }));
}

/** Lets the server listen; `isShared`: beside other threads. Rejects with an error that names the variable to change. */
export async function listen(app: FastifyInstance, address: Address, isShared: boolean): Promise<void> {
  const { host, port } = address;
  const listenTextResolver = (text: string) => `listening at ${text}`;
  // The framework hands on what Node knows and its own types do not.
  const options: FastifyListenOptions & ListenOptions = {
    host,
    port,
    listenTextResolver,
    reusePort: isShared,
  };
  await readably(address, () => app.listen(options));
}

/** Where a listening server is reached, as `http://127.0.0.1:8080`. */
export function urlOf(app: FastifyInstance, host: string): string {
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Closes the server once it has answered what is under way, a request that is still on its way to it included: the
 * answer says that it is the connection's last. A client that does not take its answer is cut off after ten seconds;
 * a connection that falls idle meanwhile would keep the server open until its client lets go.
 */
export async function closeServer(app: FastifyInstance): Promise<void> {
  const { server } = app;
  const closeIdle = server.closeIdleConnections.bind(server);
  // Node and the framework would cut idle connections at once, with what is on its way on them.
  server.closeIdleConnections = () => undefined;
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  let sweep = setTimeout(() => {
    // After the sockets were read: what has arrived makes its connection busy.
    sweep = setInterval(() => setImmediate(closeIdle), idleSweepMs);
  }, lastRequestWaitMs);
  const end = setTimeout(() => server.closeAllConnections(), closeWaitMsMax);
  try {
    await app.close();
  } finally {
    clearTimeout(sweep);
    clearTimeout(end);
  }
}
