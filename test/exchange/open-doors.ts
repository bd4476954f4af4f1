import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestServer, type TestServer } from '../support/server.ts';

/** An object as the management API answers it. */
export type Stored = Readonly<Record<string, unknown>> & { readonly Id: number };

/** What a door answers; redirects are not followed. */
export interface DoorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A server with a publisher and an advertiser, and ways to fill and ask it. */
export interface OpenDoors {
  readonly server: TestServer;
  readonly publisher: Stored;
  readonly advertiser: Stored;
  call(path: string, body?: object): Promise<Record<string, unknown>>;
  add(path: string, wrapper: string, values: object): Promise<Stored>;
  /** Waits until the exchange serves what was written last. */
  served(): Promise<void>;
  /** The only row of a report for today, by the URL that an object hands out. */
  row(url: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** The row once `isThere`: counts reach the database within about a second. */
  rowWith(
    url: unknown,
    isThere: (row: Readonly<Record<string, unknown>>) => boolean,
  ): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

/** Asks for a URL as it is, with just these headers; nothing is added, followed or decoded. */
export function ask(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<DoorAnswer> {
  const { hostname, port } = new URL(url);
  const path = url.slice(url.indexOf('/', 'http://'.length));
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject).end();
  });
}

/** Fills some macros of a URL; the others stay as they were handed out. */
export function filled(url: string, macros: Readonly<Record<string, string>>): string {
  return Object.entries(macros).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    url,
  );
}

/** A demand partner on loopback. */
export interface Partner {
  readonly url: string;
  /** What was asked for so far. */
  readonly seen: IncomingMessage[];
  close(): void;
}

/** Starts a partner that answers by path; what has no answer gets 204. */
export async function startPartner(
  answers: Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => void>>,
): Promise<Partner> {
  const seen: IncomingMessage[] = [];
  const server = createServer((incoming, response) => {
    seen.push(incoming);
    const answer = answers[(incoming.url ?? '').split('?', 1)[0] ?? ''];
    if (answer) answer(response, incoming);
    else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, seen, close };
}

const account = { Mail: 'a@example.com', Name: 'A', Country: 'DE' };

/** Starts a server whose demand may live on loopback. */
export async function openDoors(): Promise<OpenDoors> {
  const server = await startTestServer({ allowPrivateDemand: true });
  const call: OpenDoors['call'] = async (path, body) => {
    const response = await fetch(`${server.url}/api/${path}`, {
      headers: { authorization: `Bearer ${server.token}` },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer;
  };
  const add: OpenDoors['add'] = async (path, wrapper, values) => {
    const answer = await call(`${path}/add`, { [wrapper]: values });
    return answer[wrapper] as Stored;
  };
  const row: OpenDoors['row'] = async (url) => {
    const response = await fetch(String(url).replace(/\{date_(from|to)\}/g, ''));
    const [first] = (await response.json()) as Readonly<Record<string, unknown>>[];
    return first ?? {};
  };
  return {
    server,
    publisher: await add('publisher', 'Publisher', { ...account, Username: 'pub' }),
    advertiser: await add('advertiser', 'Advertiser', { ...account, Username: 'adv' }),
    call,
    add,
    row,
    async served() {
      const changes = (await call('history/get?Limit=1000')) as unknown as readonly { Revision: number }[];
      await call(`exchange/status?Revision=${changes.at(-1)?.Revision}`);
    },
    async rowWith(url, isThere) {
      for (;;) {
        const found = await row(url);
        if (isThere(found)) return found;
      }
    },
    close: server.close,
  };
}
