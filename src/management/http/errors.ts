import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, type RefusalCode } from '../../fields/fault.ts';
import { setDefaultHeaders } from './default-headers.ts';

/** The one place where refusals become HTTP (reference, W8). */
const statusByCode = {
  not_json: 400,
  unauthorized: 401,
  forbidden: 403,
  no_such_path: 404,
  wrong_method: 405,
  invalid: 406,
  changed_meanwhile: 412,
  too_large: 413,
  expectation_failed: 417,
  key_reused: 422,
  too_many: 429,
  unavailable: 503,
} as const satisfies Record<RefusalCode, number>;

/** Of every failed answer (reference, W7). */
export function errorBody(refusal: Refusal) {
  const { message, faults } = refusal;
  return faults.length === 0
    ? { Status: 'Error', Error: message }
    : { Status: 'Error', Error: message, Errors: faults };
}

export function statusOf({ code }: Refusal): number {
  return statusByCode[code];
}

const refusalsByStatus: Readonly<Record<number, (error: FastifyError) => Refusal>> = {
  400: ({ message }) => new Refusal('not_json', `The request cannot be read: ${message}`),
  404: () => new Refusal('no_such_path', 'There is nothing at this path'),
  413: () => new Refusal('too_large', 'The request body is too large'),
};

function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const { statusCode } = error as Partial<FastifyError>;
  return statusCode === undefined ? undefined : refusalsByStatus[statusCode]?.(error as FastifyError);
}

/** A refusal by its code, anything else as a 500 whose stack only the log sees. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = asRefusal(error);
  if (!refusal) {
    const path = request.url.split('?', 1)[0];
    request.log.error({ requestId: request.id, err: error, path }, 'unexpected error');
    reply.code(500).send({ Status: 'Error', Error: 'A problem on the server; please try again later' });
    return;
  }
  if (refusal.code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
  reply.code(statusOf(refusal)).send(errorBody(refusal));
}

/** Before any hook has run, as for a URL that cannot be decoded. */
export function answerFrameworkError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  setDefaultHeaders(request, reply);
  answerError(error, request, reply);
}
