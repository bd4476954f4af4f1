import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../fields/fault.ts';

/** Without the port, which proxies may leave out. */
function hostOf({ headers: { host = '' } }: Pick<IncomingMessage, 'headers'>): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}

export function createHostCheck(consoleUrl: string): (request: Pick<IncomingMessage, 'headers'>) => boolean {
  const { hostname } = new URL(consoleUrl);
  return (request) => hostOf(request) === hostname;
}

/** At their own host only; `/healthz` and the like answer at any. */
export function refuseOtherHosts(app: FastifyInstance, consoleUrl: string): void {
  const isForConsole = createHostCheck(consoleUrl);
  app.addHook('onRequest', (request, _reply, done) => {
    if (isForConsole(request.raw) || request.routeOptions.config.isVital === true) return done();
    done(
      new Refusal(
        'no_such_path',
        `There is nothing at this path on this host; the console and the API are at ${consoleUrl}`,
      ),
    );
  });
}
