import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const absoluteForm = /^https?:\/\/[^/?]*/i;

/** The target may be a whole URL, which every server must accept (RFC 9112 §3.2.2). */
function originForm(target: string): string {
  const path = target.replace(absoluteForm, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

/** The server's own listeners get a request only if the handler returns false. */
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
