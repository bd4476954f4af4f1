import type { FastifyInstance } from 'fastify';
import { callOf, send } from './call.ts';
import type { Context } from './context.ts';
import { readQuestion } from './history/parameters.ts';
import { readHistory } from './history/read-history.ts';

/** GET /api/history/get: who of the team changed what, and when. */
export function registerHistory(app: FastifyInstance, { store }: Pick<Context, 'store'>): void {
  app.get('/api/history/get', async (request, reply) => {
    const { query, bearer } = callOf(request);
    return send(reply, { body: readHistory(store, bearer.teamId, readQuestion(query)) });
  });
}
