import type { FastifyInstance } from 'fastify';
import type { EdgeContext } from './edge/edge-access.ts';
import { edgeEndpoints } from './edge/edge-endpoints.ts';
import { addRoutes } from './endpoint/routes.ts';
import { createHttpServer, type ServerOptions } from './http-server.ts';
import { metricsText, type ThreadMetrics } from './service/metrics.ts';
import { health, metricsEndpoint, readiness, type ServiceContext } from './service/service-endpoints.ts';

export interface EdgeServerOptions
  extends Omit<ServerOptions, 'nothing'>,
    EdgeContext,
    Omit<ServiceContext, 'metrics'> {
  readonly home: string;
  /** Of every thread that serves. */
  readonly metrics: () => Promise<readonly ThreadMetrics[]>;
}

export function createEdgeServer(options: EdgeServerOptions): FastifyInstance {
  const app = createHttpServer({
    ...options,
    nothing: `This is an edge, which serves only auctions; everything else is at its home ${options.home}`,
  });
  const context = { ...options, metrics: async () => metricsText(await options.metrics()) };
  void app.register((routes, _options, done) => {
    addRoutes(routes, edgeEndpoints, context);
    addRoutes(routes, [health, readiness, metricsEndpoint], context);
    done();
  });
  return app;
}
