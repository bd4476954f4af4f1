import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/** A server on loopback that answers each path in its own bad way, byte for byte. */
export interface FaultyPartner extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** First lines of the requests that came, as `GET /ok HTTP/1.1`. */
  readonly seen: string[];
  /** Whole requests, headers and body, as text. */
  readonly requests: string[];
  /** Connections made so far. */
  connections(): number;
}

type Answer = (socket: Socket, port: number) => void;

const withBody = (body: Buffer | string, headers: readonly string[] = [], status = '200 OK'): Buffer => {
  const head = [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...headers];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
};

const write = (...parts: Parameters<typeof withBody>): Answer => {
  const answer = withBody(...parts);
  return (socket) => socket.write(answer);
};

const raw =
  (text: string): Answer =>
  (socket) =>
    socket.write(text);

const rawThenEnd =
  (text: string): Answer =>
  (socket) =>
    socket.end(text);

/** Writes a byte of an answer every few milliseconds, for as long as anyone listens. */
const drip =
  (head: string, byte: string): Answer =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(byte), 5);
    socket.on('close', () => clearInterval(timer));
  };

const endless: Answer = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  const block = Buffer.alloc(64 * 1024, 'x');
  const more = () => {
    while (socket.writable && socket.write(block));
  };
  socket.on('drain', more);
  more();
};

const redirect =
  (status: string, to: (port: number) => string): Answer =>
  (socket, port) =>
    socket.write(withBody('', [`location: ${to(port)}`], status));

const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 });

const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;

const answers: Readonly<Record<string, Answer>> = {
  '/ok': write('{"a":1}', ['content-type: application/json', 'x-twice: a', 'x-twice: b']),
  '/bom': write('\uFEFFbody'),
  '/latin1': write(Buffer.from('Köln', 'latin1'), ['content-type: text/xml; Charset="ISO-8859-1"']),
  '/latin1-declared': write(Buffer.from(`${declared('ISO-8859-1')}Köln`, 'latin1')),
  '/utf8-declared': write(`${declared('UTF-8')}Köln`),
  '/utf16': write(Buffer.from('\uFEFFKöln', 'utf16le')),
  '/unknown-charset': write('Köln', ['content-type: text/xml; charset=klingon']),
  '/empty': write('', [], '204 No Content'),
  '/error': write('oh', [], '500 Internal Server Error'),
  '/gzip': write(gzipSync('zipped'), ['content-encoding: gzip']),
  '/deflate': write(deflateSync('zipped'), ['content-encoding: deflate']),
  '/deflate-raw': write(deflateRawSync('zipped'), ['content-encoding: deflate']),
  '/br': write(brotliCompressSync('zipped'), ['content-encoding: br']),
  '/gzip-bomb': write(bomb, ['content-encoding: gzip']),
  '/gzip-garbage': write('no gzip', ['content-encoding: gzip']),
  '/gzip-cut': write(gzipSync('zipped').subarray(0, 12), ['content-encoding: gzip']),
  '/unknown-encoding': write('?', ['content-encoding: zstd']),
  '/gzip-twice': write(gzipSync(gzipSync('zipped')), ['content-encoding: gzip, gzip']),
  '/stall': () => undefined,
  '/stall-in-head': raw('HTTP/1.1 200 OK\r\ncontent-le'),
  '/stall-in-body': raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'),
  '/drip-head': drip('HTTP/1.1 200 OK\r\nx-long: ', 'x'),
  '/drip-body': drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x'),
  '/endless': endless,
  '/large': write(Buffer.alloc(2 * 1024 * 1024, 'x')),
  '/too-short': rawThenEnd('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'),
  '/too-long': rawThenEnd('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n1234567890'),
  '/reset': (socket) => socket.resetAndDestroy(),
  '/close': (socket) => socket.end(),
  '/no-http': rawThenEnd('SSH-2.0-OpenSSH_9.6\r\n'),
  '/huge-header': rawThenEnd(`HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(64 * 1024)}\r\n\r\n`),
  '/redirect': redirect('302 Found', () => '/ok'),
  '/redirect-2': redirect('307 Temporary Redirect', () => '/redirect'),
  '/redirect-3': redirect('301 Moved Permanently', (port) => `http://localhost:${port}/redirect-2`),
  '/redirect-4': redirect('303 See Other', () => '/redirect-3'),
  '/redirect-round': redirect('302 Found', () => '/redirect-round'),
  '/redirect-inside': redirect('302 Found', (port) => `http://10.0.0.1:${port}/ok`),
  '/redirect-file': redirect('302 Found', () => 'file:///etc/passwd'),
  '/redirect-nowhere': redirect('302 Found', () => 'http://['),
};

/** Starts it on a free port. */
export async function startFaultyPartner(): Promise<FaultyPartner> {
  const seen: string[] = [];
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (data) => {
      const text = data.toString('latin1');
      const [line = ''] = text.split('\r\n');
      if (!/^(GET|POST) /.test(line)) return;
      seen.push(line);
      requests.push(text);
      const path = line.split(' ')[1]?.split('?')[0] ?? '';
      answers[path]?.(socket, (server.address() as AddressInfo).port);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    requests,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
