import type { FastifyInstance } from 'fastify';

export interface RequestTimeouts {
  readonly headersMs: number;
  /** A whole request with its body: 64 MiB at 2 Mbit/s and more. */
  readonly requestMs: number;
  /** Any progress: of a body that is sent, or an answer that is read. */
  readonly progressMs: number;
  /** For the first two limits. */
  readonly checkEveryMs: number;
}

/** Reference, O3. */
export const requestTimeouts: RequestTimeouts = {
  headersMs: 15_000,
  requestMs: 300_000,
  progressMs: 60_000,
  checkEveryMs: 5000,
};

/** Players' requests carry whole page addresses (reference, O3). */
const headerBytesMax = 128 * 1024;

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

/** Keeps the connection of a complete POST, however long the server works on it. */
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
