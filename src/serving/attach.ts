import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Lets a handler take requests before the server's own listeners; those that it answers false to are theirs. */
export function attach(
  server: Server,
  handle: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const listeners = server.listeners('request') as ((...values: unknown[]) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (handle(request, response)) return;
    for (const listener of listeners) listener.call(server, request, response);
  });
}
