import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../fields/fault.ts';
import type { Identity } from '../identity/identity.ts';
import { type RetentionDays, standardKeptDays } from '../statistics/forgetting.ts';
import { createPerformanceView } from '../statistics/performance.ts';
import type { Bearer } from '../store/identity/interface.ts';
import type { Store } from '../store/interface.ts';
import type { Context } from './context.ts';
import type { ConsumeShipment } from './edge/consume-shipments.ts';
import { edgeEndpoints } from './edge/edge-endpoints.ts';
import { createStoreHome } from './edge/store-home.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import { addRoutes } from './endpoint/routes.ts';
import { endpoints as allEndpoints } from './endpoints.ts';
import type { ExchangeView } from './exchange/exchange-view.ts';
import { createAnswerCache } from './http/answer-cache.ts';
import { sentDownload } from './http/download-link.ts';
import { sentSession, sessionTokenIn } from './http/session-cookie.ts';
import { createHttpServer, type ServerOptions } from './http-server.ts';
import { openApiDocument } from './openapi/document.ts';
import { leadToDocs, registerDocs } from './openapi/pages.ts';
import type { Links } from './present.ts';
import { createTeamTexts } from './search/team-texts.ts';
import type { ThreadMetrics } from './service/metrics.ts';
import { metricsText } from './service/metrics.ts';
import { databaseTrouble } from './service/service-endpoints.ts';
import { registerUnsubscribe } from './unsubscribe/register-unsubscribe.ts';

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

export interface ManagementOptions extends Omit<ServerOptions, 'bearerOf' | 'nothing'> {
  readonly store: Store;
  readonly identity: Identity;
  /** What takes what edges have counted; absent where nobody does. */
  readonly takeShipment?: ConsumeShipment;
  /** What is served; by default all endpoints that there are. */
  readonly endpoints?: readonly Endpoint[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Known once the server listens. */
  readonly baseUrl: () => string;
  readonly regions: () => Links['regions'];
  /** Figures of every thread that serves. */
  readonly metrics: () => Promise<readonly ThreadMetrics[]>;
  readonly exchange: ExchangeView;
  /** IP address of who sent a request; by default that of the connection. */
  readonly clientAddress?: (request: IncomingMessage) => string;
  /** Adds what is served at `/`; by default that leads to `/docs`. */
  readonly addHome?: ((app: FastifyInstance) => void) | undefined;
  /** Whether the server is about to stop; by default it never is. */
  readonly isStopping?: () => boolean;
  /** How many days rows of cubes are kept; `standardKeptDays` by default. */
  readonly keptDays?: RetentionDays;
  /** Whether this server sends mail; by default it does not. */
  readonly hasMail?: boolean;
}

function connectionAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

const takeNothing: ConsumeShipment = () =>
  Promise.reject(new Refusal('unavailable', 'Nothing is taken here', { retryAfterSeconds: 60 }));

/** The server of the management API, not yet listening. */
export function createManagementServer(options: ManagementOptions): FastifyInstance {
  const app = createHttpServer({
    ...options,
    bearerOf: (request, reply) => bearerOf(request, reply, options.identity),
    nothing: `There is nothing at this path${options.consoleUrl === undefined ? '' : ' of the console, whose host serves no ads'}; /docs tells what there is`,
  });
  const { endpoints = allEndpoints, consoleUrl } = options;
  const links = () => ({ baseUrl: options.baseUrl(), consoleUrl, regions: options.regions() });
  const context: Context = {
    ...options,
    cache: createAnswerCache(),
    keptDays: options.keptDays ?? standardKeptDays,
    hasMail: options.hasMail ?? false,
    edgeHome: createStoreHome(options.store, options.takeShipment ?? takeNothing),
    texts: createTeamTexts(options.store),
    performance: createPerformanceView(options),
    links,
    clientAddress: options.clientAddress ?? connectionAddress,
    metrics: async () => metricsText(await options.metrics()),
    document: () => openApiDocument(endpoints, links()),
    isStopping: options.isStopping ?? (() => false),
    trouble: databaseTrouble(options.store),
  };
  void app.register((routes, _options, done) => {
    addRoutes(routes, endpoints, context);
    addRoutes(routes, edgeEndpoints, context);
    registerDocs(routes);
    registerUnsubscribe(routes, options);
    const { addHome = leadToDocs } = options;
    addHome(routes);
    done();
  });
  return app;
}
