import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Never headers, body or query, which may hold credentials. */
function record(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply) {
  return {
    requestId: request.id,
    method: request.method,
    path: request.url.split('?', 1)[0],
    status: statusCode,
    durationMs: Math.round(elapsedTime * 1000) / 1000,
    userId: request.bearer?.userId,
  };
}

/** A slower request is logged as slow. */
const slowMs = 1000;

/** Slow ones at `warn`, writes and refusals at `info`, all at `debug`. */
export function logRequests(app: FastifyInstance, slowFromMs = slowMs): void {
  // Without redaction: these lines hold no credentials, and searching costs seven times the line.
  const log = app.log.child({}, { redact: [] });
  const tellsAll = app.log.level === 'debug' || app.log.level === 'trace';
  app.addHook('onResponse', (request, reply, done) => {
    const isQuiet = request.method === 'GET' && reply.statusCode < 400;
    if (reply.elapsedTime > slowFromMs) log.warn(record(request, reply), 'slow request');
    else if (!isQuiet) log.info(record(request, reply), 'request');
    else if (tellsAll) log.debug(record(request, reply), 'request');
    done();
  });
}
