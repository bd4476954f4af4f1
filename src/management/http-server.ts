import type { Server } from 'node:http';
import multipart from '@fastify/multipart';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { type Fault, invalid, Refusal } from '../fields/fault.ts';
import { partner, requireRight } from '../identity/roles.ts';
import type { Bearer } from '../store/identity/interface.ts';
import type { Access } from './endpoint/access.ts';
import type { RequestBody } from './endpoint/body.ts';
import { type BodyBudget, bodyBudgetMemory, createBodyBudget } from './http/body-budget.ts';
import { createBodyQueue, limitBodies } from './http/body-queue.ts';
import { refuseOtherHosts } from './http/console-host.ts';
import { addDefaultHeaders, requestIdOf } from './http/default-headers.ts';
import { answerError, answerFrameworkError } from './http/errors.ts';
import { answerMalformedHttp, refuseInvalidHttp } from './http/malformed-http.ts';
import { createOverloadDetector, type OverloadDetector, shedLoad } from './http/overload.ts';
import { limitRates, type RateLimit } from './http/rate-limit.ts';
import {
  keepBusyConnections,
  type RequestTimeouts,
  requestTimeouts,
  timeoutOptions,
} from './http/request-timeouts.ts';
import { SandboxedResponse } from './http/sandboxed-response.ts';
import { assertFromConsole } from './http/session-cookie.ts';
import { isUpload, readBodiesAsJson } from './input/bodies.ts';
import { readJsonBody } from './input/json-body.ts';

/** Whatever its routes are. */
export interface ServerOptions {
  readonly logger: FastifyBaseLogger;
  /** Refuses with `unauthorized`. */
  readonly bearerOf: (request: FastifyRequest, reply: FastifyReply) => Promise<Bearer>;
  readonly rateLimit: RateLimit;
  /** Where console and API have a host of their own. */
  readonly consoleUrl?: string | undefined;
  /** The answer to unknown routes. */
  readonly nothing: string;
  /** By default of this server alone. */
  readonly bodyBudget?: BodyBudget | undefined;
  readonly timeouts?: RequestTimeouts | undefined;
  /** By default by the event loop's delay. */
  readonly overloadDetector?: OverloadDetector | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent on public routes. */
    bearer: Bearer;
    /** Of the JSON itself; reported with the faults of its values. */
    bodyFaults: readonly Fault[] | undefined;
    /** Of a large body its hash; only for requests with an `Idempotency-Key`. */
    bodyBytes: Buffer | undefined;
    /** Makes room for other large bodies, if this request's is one. */
    releaseBody: (() => void) | undefined;
  }
  interface FastifyContextConfig {
    /** Absent = anyone with a token. */
    access?: Omit<Access, 'identify'>;
    accepts?: RequestBody | undefined;
    /** Served under overload too. */
    isVital?: boolean;
  }
}

function checkAccess(bearer: Bearer, { right, refusesApiKeys }: Omit<Access, 'identify'>): void {
  requireRight(bearer, right);
  if (bearer.role === partner && !bearer.partner)
    throw new Refusal('forbidden', 'Your user belongs to no publisher or advertiser; ask the exchange');
  if (refusesApiKeys !== undefined && bearer.kind === 'key') throw new Refusal('forbidden', refusesApiKeys);
}

/** First the token, then JSON syntax, then the role; operations check values (reference, W2). */
function authenticateRequests(app: FastifyInstance, bearerOf: ServerOptions['bearerOf']): void {
  app.decorateRequest('bearer', null as unknown as Bearer);
  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config;
    if (access?.isForConsole) assertFromConsole(request.headers);
    if (request.is404 || (access && access.by !== 'token')) return;
    request.bearer = await bearerOf(request, reply);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const { access, accepts } = request.routeOptions.config;
    const needsBody = request.method === 'POST' && !accepts?.isOptional && !isUpload(request);
    if (needsBody && request.body === undefined) readJsonBody(Buffer.alloc(0));
    if (access?.by === 'token') checkAccess(request.bearer, access);
    const { bodyFaults = [] } = request;
    if (request.body === null && bodyFaults.length > 0) throw invalid(bodyFaults);
    done();
  });
}

/** 404 for paths and 405 for methods (reference, W8), before token and body are read. */
function refuseUnknownRoutes(app: FastifyInstance, nothing: string): void {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPath.set(url, methods);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const path = decodeURI(request.url.split('?', 1)[0] ?? '');
    const methods = methodsByPath.get(path);
    if (!methods) throw new Refusal('no_such_path', nothing);
    reply.header('allow', [...methods].join(', '));
    throw new Refusal('wrong_method', `${path} takes ${[...methods].join(' or ')}`);
  });
}

function refuseWhileClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', (_request, reply, done) => {
    if (!isClosing) return done();
    reply.header('connection', 'close');
    throw new Refusal('unavailable', 'The server is shutting down', { retryAfterSeconds: 2 });
  });
}

/** With hooks, without routes, not yet listening. */
export function createHttpServer(options: ServerOptions): FastifyInstance {
  const { http, ...timeouts } = timeoutOptions(options.timeouts ?? requestTimeouts);
  const app: FastifyInstance = fastify<Server>({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Each line names its request; a logger per request would cost more.
    childLoggerFactory: (logger) => logger,
    genReqId: requestIdOf,
    ...timeouts,
    http: { ...http, ServerResponse: SandboxedResponse },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformedHttp,
    frameworkErrors: answerFrameworkError,
    routerOptions: { ignoreTrailingSlash: false },
  });
  app.setErrorHandler(answerError);
  addDefaultHeaders(app);
  refuseInvalidHttp(app);
  if (options.consoleUrl !== undefined) refuseOtherHosts(app, options.consoleUrl);
  shedLoad(app, options.overloadDetector ?? createOverloadDetector());
  keepBusyConnections(app);
  refuseUnknownRoutes(app, options.nothing);
  refuseWhileClosing(app);
  limitBodies(app, createBodyQueue(options.bodyBudget ?? createBodyBudget(bodyBudgetMemory(1), 0)));
  readBodiesAsJson(app);
  void app.register(multipart);
  authenticateRequests(app, options.bearerOf);
  limitRates(app, options.rateLimit);
  return app;
}
