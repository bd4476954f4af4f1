import { Refusal } from '../../fields/fault.ts';
import type { Store } from '../../store/interface.ts';
import { anyone } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { succeeded } from '../endpoint/wire-schema.ts';
import { okSchema, serviceTag } from './tag.ts';
import { withTimeout } from './with-timeout.ts';

const databaseWaitMsMax = 2000;

/** Asks the database for the last revision; requests at the same time share one query. */
function databaseProbe(store: Pick<Store, 'revision'>): () => Promise<void> {
  let underWay: Promise<number> | undefined;
  return async () => {
    underWay ??= withTimeout(databaseWaitMsMax, store.revision(), `no answer within ${databaseWaitMsMax} ms`);
    try {
      await underWay;
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
  method: 'GET',
  path: '/readyz',
  name: 'readiness',
  tag: serviceTag,
  summary: 'Ask whether requests can be served now',
  description:
    'Answers 200 when the database answers, 503 with the reason when it does not or the server shuts down.',
  isVital: true,
  access: anyone,
  parameters: 'ignored',
  returns: { description: 'It can serve', schema: okSchema, example: () => succeeded },
  serve({ store, isStopping }) {
    const probe = databaseProbe(store);
    return async () => {
      if (isStopping())
        throw new Refusal('unavailable', 'The server is about to stop', { retryAfterSeconds: 1 });
      await probe();
      const trouble = store.trouble();
      if (trouble !== undefined) throw new Refusal('unavailable', trouble, { retryAfterSeconds: 5 });
      return succeeded;
    };
  },
});
