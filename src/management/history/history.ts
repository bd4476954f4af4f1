import type { FastifyInstance } from 'fastify';
import { may } from '../../identity/roles.ts';
import type { Bearer } from '../../store/identity-interface.ts';
import { peopleKinds } from '../../store/people-log.ts';
import { callOf, send } from '../call.ts';
import type { Context } from '../context.ts';
import { readQuestion } from './parameters.ts';
import { readHistory } from './read-history.ts';

/** Only those who may manage users see changes of users and API keys (decisions A5, H10). */
function hiddenFrom({ role }: Bearer) {
  return may(role, 'manage_users') ? {} : { exceptEntities: peopleKinds };
}

/** GET /api/history/get: who of the team changed what, and when. */
export function registerHistory(app: FastifyInstance, { store }: Pick<Context, 'store'>): void {
  app.get('/api/history/get', async (request, reply) => {
    const { query, bearer } = callOf(request);
    const { filter, limit } = readQuestion(query);
    const question = { filter: { ...filter, ...hiddenFrom(bearer) }, limit };
    return send(reply, { body: readHistory(store, bearer.teamId, question) });
  });
}
