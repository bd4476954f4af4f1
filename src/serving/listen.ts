import { once } from 'node:events';
import { createServer, type ListenOptions } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ownMember } from '../reference/own-member.ts';
import { urlAt } from './reachable-url.ts';

export interface Address {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
}

const idleSweepMs = 20;
/** How long idle connections stay open on closing, because a request may be on its way. */
const lastRequestWaitMs = 100;
const closeWaitMsMax = 10_000;

const errorTexts: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `BOURSE_PORT: port ${port} of ${host} is in use; set another port, or 0 for any free one`,
  EACCES: ({ port }) => `BOURSE_PORT: this user may not listen on port ${port}; set a port of 1024 or higher`,
  EADDRNOTAVAIL: ({ host }) => `BOURSE_HOST: this machine has no address ${host}`,
  ENOTFOUND: ({ host }) => `BOURSE_HOST: ${host} is not found`,
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

async function withReadableErrors<T>(address: Address, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const fault = ownMember(errorTexts, codeOf(error))?.(address);
    throw fault === undefined ? error : new Error(fault, { cause: error });
  }
}

async function tryListening(options: ListenOptions): Promise<void> {
  const probe = createServer();
  const listening = once(probe, 'listening');
  probe.listen(options);
  await listening;
  const closed = once(probe, 'close');
  probe.close();
  await closed;
}

/** As on Linux and FreeBSD. */
export async function canSharePort({ host }: Address): Promise<boolean> {
  try {
    await tryListening({ host, port: 0, reusePort: true });
    return true;
  } catch (error) {
    // Listening meets any other error again, and reports it.
    return codeOf(error) !== 'ENOTSUP';
  }
}

/** Rejects if it is taken: a second server on a shared port would go unnoticed. */
export async function assertAddressFree(address: Address): Promise<void> {
  await withReadableErrors(address, () => tryListening({ host: address.host, port: address.port }));
}

/** Fastify's `listen` would log a line per address, and add one. */
export async function listen(
  app: FastifyInstance,
  { host, port }: Address,
  isShared: boolean,
): Promise<void> {
  await app.ready();
  await withReadableErrors({ host, port }, async () => {
    const listening = once(app.server, 'listening');
    app.server.listen({ host, port, reusePort: isShared });
    await listening;
  });
}

/** As `http://127.0.0.1:8080`. */
export function urlOf(app: FastifyInstance, host: string): string {
  const address = app.server.address();
  return urlAt(host, typeof address === 'object' && address !== null ? address.port : 0);
}

/** Once all requests are answered, those on their way too (reference, O14). */
export async function closeServer(app: FastifyInstance): Promise<void> {
  const { server } = app;
  const closeIdle = server.closeIdleConnections.bind(server);
  // Node and Fastify would cut idle connections at once, and lose requests on their way.
  server.closeIdleConnections = () => undefined;
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  let sweep = setTimeout(() => {
    // Runs after sockets were read, when a connection with a new request is no longer idle.
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
