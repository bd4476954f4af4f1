import { Type } from 'typebox';
import { Refusal } from '../../fields/fault.ts';
import type { Store } from '../../store/interface.ts';
import { anyone } from '../endpoint/access.ts';
import { defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { closedObject, succeeded } from '../endpoint/wire-schema.ts';
import { withTimeout } from './with-timeout.ts';

/** Endpoints that machines ask. */
export const serviceTag: Tag = { name: 'Service', description: 'What the server tells of itself.' };

/** What the endpoints below have in common: they are asked without a token, and served under overload too. */
const probe = {
  method: 'GET',
  tag: serviceTag,
  isVital: true,
  access: anyone,
  parameters: 'ignored',
} as const;

const okSchema = closedObject({
  Status: Type.Literal('Ok', { type: 'string', description: 'It serves' }),
});

/** Whether the server is there, for load balancers (decisions O8). */
export const health = defineEndpoint({
  ...probe,
  path: '/healthz',
  name: 'health',
  summary: 'Ask whether the server serves',
  description:
    'Answers 200 from the moment the server serves until it shuts down, without asking the database.',
  returns: { description: 'It serves', schema: okSchema, example: () => succeeded },
  serve: () => () => succeeded,
});

const databaseWaitMsMax = 2000;

/** Asks the database whether it has the form that this program knows; requests at the same time share one query. */
function databaseProbe(store: Pick<Store, 'changedMeanwhile'>): () => Promise<string | undefined> {
  let underWay: Promise<string | undefined> | undefined;
  return async () => {
    underWay ??= withTimeout(
      databaseWaitMsMax,
      store.changedMeanwhile(),
      `no answer within ${databaseWaitMsMax} ms`,
    );
    try {
      return await underWay;
    } catch (error) {
      const reason = error instanceof Refusal ? error.message : 'The database does not answer';
      throw new Refusal('unavailable', reason, { retryAfterSeconds: 1 });
    } finally {
      underWay = undefined;
    }
  };
}

/** Whether requests can be served, for load balancers (decisions O8). */
export const readiness = defineEndpoint({
  ...probe,
  path: '/readyz',
  name: 'readiness',
  summary: 'Ask whether requests can be served now',
  description:
    'Answers 200 when the database answers, 503 with the reason when it does not or the server shuts down.',
  returns: { description: 'It can serve', schema: okSchema, example: () => succeeded },
  serve({ store, isStopping }) {
    const probe = databaseProbe(store);
    return async () => {
      if (isStopping())
        throw new Refusal('unavailable', 'The server is about to stop', { retryAfterSeconds: 1 });
      const trouble = (await probe()) ?? store.trouble();
      if (trouble !== undefined) throw new Refusal('unavailable', trouble, { retryAfterSeconds: 5 });
      return succeeded;
    };
  },
});

const prometheusText = 'text/plain; version=0.0.4; charset=utf-8';

/** Figures of the server, for Prometheus (decisions O8). */
export const metricsEndpoint = defineEndpoint({
  ...probe,
  path: '/metrics',
  name: 'metrics',
  summary: 'Fetch figures for Prometheus',
  description:
    'Counts and durations of requests by operation, load of the database and of the event loop, the revision; of all threads of this server together, in the text format of Prometheus.',
  returns: {
    description: 'Metrics',
    type: 'text/plain',
    schema: Type.String(),
    example: () => 'bourse_revision 4711\n',
  },
  serve:
    ({ metrics }) =>
    async () => ({ type: prometheusText, body: await metrics() }),
});
