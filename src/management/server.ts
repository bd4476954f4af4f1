import type { IncomingMessage, Server } from 'node:http';
import multipart from '@fastify/multipart';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { type Fault, invalid, Refusal } from '../fields/fault.ts';
import type { Identity } from '../identity/identity.ts';
import { demandRight, partner } from '../identity/roles.ts';
import { type KeptDays, standardKeptDays } from '../statistics/forgetting.ts';
import { createPerformanceView } from '../statistics/performance.ts';
import type { Bearer } from '../store/identity/interface.ts';
import type { Store } from '../store/interface.ts';
import type { Context } from './context.ts';
import { edgeEndpoints } from './edge/edge-endpoints.ts';
import { createStoreHome } from './edge/store-home.ts';
import type { Access } from './endpoint/access.ts';
import type { RequestBody } from './endpoint/body.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import { addRoutes } from './endpoint/routes.ts';
import { endpoints as allEndpoints } from './endpoints.ts';
import type { ExchangeView } from './exchange/exchange-view.ts';
import { createAnswerCache } from './http/answer-cache.ts';
import { type BodyBudget, bodyBudgetMemory, createBodyBudget } from './http/body-budget.ts';
import { createBodyQueue, limitBodies } from './http/body-queue.ts';
import { addDefaultHeaders, requestIdOf } from './http/default-headers.ts';
import { sentDownload } from './http/download-link.ts';
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
import { assertFromConsole, sentSession, sessionTokenIn } from './http/session-cookie.ts';
import { isUpload, readBodiesAsJson } from './input/bodies.ts';
import { readJsonBody } from './input/json-body.ts';
import { openApiDocument } from './openapi/document.ts';
import { leadToDocs, registerDocs } from './openapi/pages.ts';
import type { Links } from './present.ts';
import { createTeamTexts } from './search/team-texts.ts';
import type { Figures } from './service/metrics.ts';
import { metricsText } from './service/metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who the request's token speaks for; absent on public routes. */
    bearer: Bearer;
    /** Faults of the JSON itself, which are reported together with the faults of its values. */
    bodyFaults: readonly Fault[] | undefined;
    /** The body's bytes, of a large one their hash, where the request may be repeated (`Idempotency-Key`). */
    bodyBytes: Buffer | undefined;
    /** Makes room for other large bodies, where this request's is one. */
    releaseBody: (() => void) | undefined;
  }
  interface FastifyContextConfig {
    /** Who may call it; absent = who has a token. */
    access?: Omit<Access, 'identify'>;
    /** What it takes as its body. */
    accepts?: RequestBody | undefined;
    /** Served under overload too. */
    isVital?: boolean;
  }
}

function checkAccess(bearer: Bearer, { right, refusesApiKeys }: Omit<Access, 'identify'>): void {
  demandRight(bearer, right);
  if (bearer.role === partner && !bearer.partner)
    throw new Refusal('forbidden', 'Your user belongs to no publisher or advertiser; ask the exchange');
  if (refusesApiKeys !== undefined && bearer.kind === 'key') throw new Refusal('forbidden', refusesApiKeys);
}

/** Who speaks by the token, by the link of a download, or by the cookie of the console: the first of them counts. */
async function bearerOf(request: FastifyRequest, reply: FastifyReply, identity: Identity): Promise<Bearer> {
  const { headers } = request;
  if (headers.authorization !== undefined) return await identity.authenticate(headers.authorization);
  const download = sentDownload(request);
  if (download) {
    const bearer = await identity.useDownload({ ...download, cookie: sessionTokenIn(headers) });
    reply.header('content-disposition', 'attachment');
    return bearer;
  }
  const session = sentSession(headers);
  return await (session ? identity.authenticateConsole(session) : identity.authenticate(undefined));
}

/** Checks the token, then the JSON syntax, then the role; each operation checks the values (decisions W2). */
function authenticateRequests(app: FastifyInstance, identity: Identity): void {
  app.decorateRequest('bearer', null as unknown as Bearer);
  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config;
    if (access?.isForConsole) assertFromConsole(request.headers);
    if (request.is404 || (access && access.by !== 'token')) return;
    request.bearer = await bearerOf(request, reply, identity);
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

/** Refuses unknown paths with 404 and wrong methods with 405 (decisions W8), before token and body are read. */
function refuseUnknownRoutes(app: FastifyInstance): void {
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
    if (!methods)
      throw new Refusal('no_such_path', 'There is nothing at this path; /docs tells what there is');
    reply.header('allow', [...methods].join(', '));
    throw new Refusal('wrong_method', `${path} is reached by ${[...methods].join(' or ')}`);
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

/** What the management API is made of. */
export interface ManagementOptions {
  readonly store: Store;
  readonly identity: Identity;
  /** What is served; by default all endpoints that there are. */
  readonly endpoints?: readonly Endpoint[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Known once the server listens. */
  readonly baseUrl: () => string;
  readonly regions: () => Links['regions'];
  readonly logger: FastifyBaseLogger;
  readonly rateLimit: RateLimit;
  /** Bounds the bodies that are in work; by default those of this server alone. */
  readonly bodyBudget?: BodyBudget;
  /** Figures of every thread that serves. */
  readonly figures: () => Promise<readonly Figures[]>;
  /** The exchange of all threads. */
  readonly exchange: ExchangeView;
  /** How long to wait for slow clients; tests wait less. */
  readonly timeouts?: RequestTimeouts;
  /** IP address of who sent a request; by default that of the connection. */
  readonly clientAddress?: (request: IncomingMessage) => string;
  /** Whether to shed load; by default as the event loop's delay tells. */
  readonly overloadDetector?: OverloadDetector | undefined;
  /** Adds what is served at `/`; by default that leads to `/docs`. */
  readonly addHome?: ((app: FastifyInstance) => void) | undefined;
  /** Whether the server is about to stop; by default it never is. */
  readonly isStopping?: () => boolean;
  /** How many days rows of cubes are kept; `standardKeptDays` by default. */
  readonly keptDays?: KeptDays;
  /** Whether this server sends mail; by default it does not. */
  readonly hasMail?: boolean;
}

function connectionAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

/** The server of the management API, not yet listening. */
export function createManagementServer(options: ManagementOptions): FastifyInstance {
  const app: FastifyInstance = fastify<Server>({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Each line names its request; a logger for each request costs more than the line.
    childLoggerFactory: (logger) => logger,
    genReqId: requestIdOf,
    ...timeoutOptions(options.timeouts ?? requestTimeouts),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformedHttp,
    frameworkErrors: answerFrameworkError,
    routerOptions: { ignoreTrailingSlash: false },
  });
  app.setErrorHandler(answerError);
  addDefaultHeaders(app);
  refuseInvalidHttp(app);
  shedLoad(app, options.overloadDetector ?? createOverloadDetector());
  keepBusyConnections(app);
  refuseUnknownRoutes(app);
  refuseWhileClosing(app);
  limitBodies(app, createBodyQueue(options.bodyBudget ?? createBodyBudget(bodyBudgetMemory(1), 0)));
  readBodiesAsJson(app);
  void app.register(multipart);
  authenticateRequests(app, options.identity);
  limitRates(app, options.rateLimit);
  const { endpoints = allEndpoints } = options;
  const links = () => ({ baseUrl: options.baseUrl(), regions: options.regions() });
  const context: Context = {
    ...options,
    cache: createAnswerCache(),
    keptDays: options.keptDays ?? standardKeptDays,
    hasMail: options.hasMail ?? false,
    edgeHome: createStoreHome(options.store),
    texts: createTeamTexts(options.store),
    performance: createPerformanceView(options),
    links,
    clientAddress: options.clientAddress ?? connectionAddress,
    metrics: async () => metricsText(await options.figures()),
    document: () => openApiDocument(endpoints, links()),
    isStopping: options.isStopping ?? (() => false),
  };
  void app.register((routes, _options, done) => {
    addRoutes(routes, endpoints, context);
    addRoutes(routes, edgeEndpoints, context);
    registerDocs(routes);
    const { addHome = leadToDocs } = options;
    addHome(routes);
    done();
  });
  return app;
}
