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
import { createTeamFigures } from './team-figures.ts';
import { registerUnsubscribe } from './unsubscribe/register-unsubscribe.ts';

/** By the token, a download's link, or the console's cookie: the first counts. */
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
  /** Takes what edges have counted; absent if nobody does. */
  readonly takeShipment?: ConsumeShipment;
  /** By default all. */
  readonly endpoints?: readonly Endpoint[];
  readonly now: () => number;
  /** Known once the server listens. */
  readonly baseUrl: () => string;
  readonly regions: () => Links['regions'];
  /** Of every thread that serves. */
  readonly metrics: () => Promise<readonly ThreadMetrics[]>;
  readonly exchange: ExchangeView;
  /** By default the connection's. */
  readonly clientAddress?: (request: IncomingMessage) => string;
  /** By default `/` leads to `/docs`. */
  readonly addHome?: ((app: FastifyInstance) => void) | undefined;
  /** By default never. */
  readonly isStopping?: () => boolean;
  /** `standardKeptDays` by default. */
  readonly keptDays?: RetentionDays;
  /** By default no. */
  readonly hasMail?: boolean;
}

function connectionAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

const takeNothing: ConsumeShipment = () =>
  Promise.reject(new Refusal('unavailable', 'Nothing can be sent here', { retryAfterSeconds: 60 }));

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
    teamFigures: createTeamFigures(options),
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
