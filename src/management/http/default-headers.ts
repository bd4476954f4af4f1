import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sandboxHeaders } from './sandboxed-response.ts';

/** A route may override them. */
export const defaultHeaders = {
  ...sandboxHeaders,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

/** Both ways. */
export const idHeader = 'x-request-id';

/** Printable, and short enough for a log. */
const acceptable = /^[\x21-\x7e]{1,128}$/;

/** From `X-Request-Id` if fit for a log; else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[idHeader];
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
}

export function setDefaultHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
  reply.headers(defaultHeaders).header(idHeader, id);
}

/** Before all other hooks. */
export function addDefaultHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    setDefaultHeaders(request, reply);
    done();
  });
}
