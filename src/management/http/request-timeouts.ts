import type { FastifyInstance } from 'fastify';

/** How long the server waits for clients, in milliseconds. */
export interface RequestTimeouts {
  readonly headersMs: number;
  /** For a whole request with its body: 64 MiB at 2 Mbit/s and more. */
  readonly requestMs: number;
  /** For any progress: of a body that is sent, or of an answer that is read. */
  readonly progressMs: number;
  /** How often the first two limits are checked. */
  readonly checkEveryMs: number;
}

/** Slow clients are cut off after this (reference, O3). */
export const requestTimeouts: RequestTimeouts = {
  headersMs: 15_000,
  requestMs: 300_000,
  progressMs: 60_000,
  checkEveryMs: 5000,
};

/** Requests of players carry whole page addresses (reference, O3). */
const headerBytesMax = 128 * 1024;

/** The framework's options for these limits. */
export function timeoutOptions({ headersMs, requestMs, progressMs, checkEveryMs }: RequestTimeouts) {
  return {
    requestTimeout: requestMs,
    connectionTimeout: progressMs,
    http: {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
      maxHeaderSize: headerBytesMax,
      // Node's own answer would have no body; see `refuseInvalidHttp`.
      requireHostHeader: false,
    },
  };
}

/** Keeps the connection of a POST that has come whole, however long the server works on it. */
export function keepBusyConnections(app: FastifyInstance): void {
  app.addHook('onRequest', ({ method, raw: request }, { raw: response }, done) => {
    if (method === 'POST') {
      // Without this listener, Node would cut the connection at every timeout.
      response.on('timeout', (socket) => {
        if (!request.complete || socket.writableLength > 0) socket.destroy();
      });
    }
    done();
  });
}
