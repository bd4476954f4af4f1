import { Type } from 'typebox';
import { closedObject, succeeded } from '../../answers/wire-schema.ts';
import { Refusal } from '../../fields/fault.ts';
import type { Store } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import type { Access } from '../endpoint/access.ts';
import { type BaseContext, defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { withTimeout } from './with-timeout.ts';

export const serviceTag: Tag = { name: 'Service', description: 'What the server reports about itself.' };

export interface ServiceContext extends BaseContext, Pick<Context, 'metrics' | 'trouble' | 'isStopping'> {}

const anyone: Access<undefined, ServiceContext> = { by: 'nothing', right: 'own', changes: false };

/** Without a token, and served under overload too. */
const probe = {
  method: 'GET',
  tag: serviceTag,
  isVital: true,
  access: anyone,
  parameters: 'ignored',
} as const;

const okSchema = closedObject({
  Status: Type.Literal('Ok', { type: 'string', description: 'The server is up' }),
});

/** For load balancers (reference, O8). */
export const health = defineEndpoint({
  ...probe,
  path: '/healthz',
  name: 'health',
  summary: 'Check that the server is up',
  description:
    'Returns 200 from the moment the server is up until it shuts down, without querying the database.',
  returns: { description: 'The server is up', schema: okSchema, example: () => succeeded },
  serve: (_context: ServiceContext) => () => succeeded,
});

const databaseWaitMsMax = 2000;

/** The database is away, has another form, or cannot be written. Concurrent requests share one query. */
export function databaseTrouble(
  store: Pick<Store, 'changedMeanwhile' | 'trouble'>,
): () => Promise<string | undefined> {
  let underWay: Promise<string | undefined> | undefined;
  return async () => {
    underWay ??= withTimeout(
      databaseWaitMsMax,
      store.changedMeanwhile(),
      `no answer within ${databaseWaitMsMax} ms`,
    );
    try {
      return (await underWay) ?? store.trouble();
    } catch (error) {
      return error instanceof Refusal ? error.message : 'The database does not answer';
    } finally {
      underWay = undefined;
    }
  };
}

/** For load balancers (reference, O8). */
export const readiness = defineEndpoint({
  ...probe,
  path: '/readyz',
  name: 'readiness',
  summary: 'Check whether requests can be served now',
  description:
    'Returns 200 if the database answers; 503 with the reason if it does not or the server is shutting down.',
  returns: { description: 'The server can serve requests', schema: okSchema, example: () => succeeded },
  serve:
    ({ trouble, isStopping }: ServiceContext) =>
    async () => {
      const reason = isStopping() ? 'The server is about to stop' : await trouble();
      if (reason !== undefined) throw new Refusal('unavailable', reason, { retryAfterSeconds: 1 });
      return succeeded;
    },
});

const prometheusText = 'text/plain; version=0.0.4; charset=utf-8';

/** For Prometheus (reference, O8). */
export const metricsEndpoint = defineEndpoint({
  ...probe,
  path: '/metrics',
  name: 'metrics',
  summary: 'Fetch metrics for Prometheus',
  description:
    'Counts and durations of requests by operation, load of the database and of the event loop, and the revision; for all threads of this server together, in the text format of Prometheus.',
  returns: {
    description: 'Metrics',
    type: 'text/plain',
    schema: Type.String(),
    example: () => 'bourse_revision 4711\n',
  },
  serve:
    ({ metrics }: ServiceContext) =>
    async () => ({ type: prometheusText, body: await metrics() }),
});
