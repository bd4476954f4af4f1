import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a URL answers; a text is the body of a 200 without a type. */
export type Page =
  | string
  | { readonly status: number; readonly location?: string; readonly body?: string; readonly type?: string };

/** An internet of tests: an HTTP proxy behind which there are some hosts. Nothing of it speaks TLS. */
export interface Internet extends AsyncDisposable {
  /** URL of the proxy. */
  readonly proxy: string;
  /** URLs that were asked for so far, without their scheme. */
  readonly asked: readonly string[];
}

/**
 * Starts an internet of these pages, by host and path. A host without any page is not there; one with any answers 404
 * elsewhere.
 */
export async function startInternet(pages: Readonly<Record<string, Page>>): Promise<Internet> {
  const asked: string[] = [];
  const hosts = new Set(Object.keys(pages).map((name) => name.replace(/\/.*/, '')));
  const server = createServer((request, response) => {
    const { host, pathname, search } = new URL(request.url ?? '');
    const name = `${host}${pathname}${search}`;
    if (!hosts.has(host)) return void response.destroy();
    asked.push(name);
    const page = pages[name] ?? { status: 404 };
    const {
      status,
      location,
      type,
      body = '',
    } = typeof page === 'string' ? { status: 200, body: page } : page;
    const headers = { ...(location && { location }), ...(type && { 'content-type': type }) };
    response.writeHead(status, headers).end(body);
  });
  server.on('connect', (_, socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    proxy: `http://127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
