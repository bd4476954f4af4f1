import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { send } from '../http/send.ts';
import type { Endpoint } from './endpoint.ts';

const bodyBytesMax = 1024 * 1024;

export function addRoutes<C>(
  app: FastifyInstance,
  endpoints: readonly Endpoint<TSchema, C>[],
  context: C,
): void {
  for (const { method, path, access, accepts, isVital = false, serve } of endpoints) {
    const answer = serve(context);
    app.route({
      method,
      url: path,
      config: { access, accepts, isVital },
      bodyLimit: accepts?.bytesMax ?? bodyBytesMax,
      handler: async (request, reply) => send(reply, await answer(request)),
    });
  }
}
