import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../fields/fault.ts';
import type { Store } from '../../store/interface.ts';
import { within } from './within.ts';

const databaseWaitMsMax = 2000;
const prometheusText = 'text/plain; version=0.0.4; charset=utf-8';

/** What the answers about the server itself are made of. */
export interface ServiceContext {
  readonly store: Pick<Store, 'revision' | 'trouble'>;
  /** Figures of all threads as Prometheus reads them. */
  readonly metrics: () => Promise<string>;
  /** Whether the server is about to stop. */
  readonly isLeaving: () => boolean;
}

/** Asks the database for the last revision; requests at the same time share one query. */
function databaseProbe(store: ServiceContext['store']): () => Promise<void> {
  let underWay: Promise<number> | undefined;
  return async () => {
    underWay ??= within(databaseWaitMsMax, store.revision(), `no answer within ${databaseWaitMsMax} ms`);
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

/** `/healthz`, `/readyz` and `/metrics`: what machines ask of the server, without a token and also under overload. */
export function registerService(app: FastifyInstance, { store, metrics, isLeaving }: ServiceContext): void {
  const config = { public: true, vital: true };
  const probe = databaseProbe(store);
  app.get('/healthz', { config }, () => ({ Status: 'Ok' }));
  app.get('/readyz', { config }, async () => {
    if (isLeaving())
      throw new Refusal('unavailable', 'The server is about to stop', { retryAfterSeconds: 1 });
    await probe();
    const trouble = store.trouble();
    if (trouble !== undefined) throw new Refusal('unavailable', trouble, { retryAfterSeconds: 5 });
    return { Status: 'Ok' };
  });
  app.get('/metrics', { config }, async (_request, reply) =>
    reply.type(prometheusText).send(await metrics()),
  );
}
