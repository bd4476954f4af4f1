import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const absoluteForm = /^https?:\/\/[^/?]*/i;

/** Path and query of a request target, also where it is a whole URL, which every server must take (RFC 9112 §3.2.2). */
function originForm(target: string): string {
  const path = target.replace(absoluteForm, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

/** Gives each request to a handler first; the server's own listeners get it only if the handler returns false. */
export function attachHandler(
  server: Server,
  handle: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const listeners = server.listeners('request') as ((...values: unknown[]) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/') === false) request.url = originForm(request.url);
    if (handle(request, response)) return;
    for (const listener of listeners) listener.call(server, request, response);
  });
}
