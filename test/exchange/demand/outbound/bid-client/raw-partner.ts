import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** What a partner does with a request: the text, on the connection of that number (from 0), the how manieth there. */
type Behaviour = (socket: Socket, asked: { text: string; connection: number; nth: number }) => void;

/** A partner that speaks in bytes. */
export interface RawPartner extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
  /** Whole requests, in their order; the first thousand. */
  readonly requests: readonly string[];
  /** Connections so far, the open ones. */
  readonly open: ReadonlySet<Socket>;
  connections(): number;
}

const requestsMax = 1_000;

/** Where the first whole request of a text ends; -1 if it is not whole. */
function endOfRequest(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return -1;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length < head + 4 + length ? -1 : head + 4 + length;
}

/** Starts a partner on loopback that does with each request as it is told; with `tls` by TLS. */
export async function startRawPartner(behave: Behaviour, tls?: TlsOptions): Promise<RawPartner> {
  const requests: string[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const serve = (socket: Socket) => {
    const connection = connections;
    connections += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    let rest = '';
    let nth = 0;
    socket.on('data', (data) => {
      rest += data.toString('latin1');
      for (let end = endOfRequest(rest); end !== -1; end = endOfRequest(rest)) {
        const text = rest.slice(0, end);
        rest = rest.slice(end);
        if (requests.length < requestsMax) requests.push(text);
        behave(socket, { text, connection, nth });
        nth += 1;
      }
    });
  };
  const server: Server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    open,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
