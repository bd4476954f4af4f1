import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../fields/fault.ts';
import { ownMember } from '../../reference/own-member.ts';
import { defaultHeaders, idHeader } from './default-headers.ts';
import { errorBody } from './errors.ts';

/** All others are malformed HTTP. */
const answersByCode: Readonly<Record<string, readonly [status: number, text: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The extensions of the chunks are too long'],
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers are too long'],
};

function writeError(
  socket: Duplex,
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
) {
  const body = JSON.stringify(errorBody(new Refusal('not_json', text)));
  const headers = {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': body.length,
    ...defaultHeaders,
    [idHeader]: randomUUID(),
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** Invalid or slow HTTP still gets the error body. */
export function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, text] = ownMember(answersByCode, error.code ?? '') ?? [
    400,
    'The request is not well-formed HTTP',
  ];
  writeError(socket, status, text);
}

/** Met by Node itself (RFC 9110, 10.1.1). */
const toContinue = /(?:^|\W)100-continue(?:$|\W)/i;

/** Node keeps the first; `rawHeaders` has all, names and values alternating. */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Node accepts these or refuses without a body: Host (RFC 9112, 3.2), Expect, CONNECT. */
export function refuseInvalidHttp(app: FastifyInstance): void {
  app.server.on('checkExpectation', app.routing);
  app.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    writeError(socket, 405, 'This server is not a proxy', { allow: 'GET, HEAD, POST' });
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { host, expect } = request.headers;
    if (host === undefined && request.raw.httpVersion === '1.1') {
      return done(new Refusal('not_json', 'The request has no Host header'));
    }
    if (hasSeveralHosts(request.raw)) {
      return done(new Refusal('not_json', 'The request has several Host headers; send one'));
    }
    if (expect === undefined || toContinue.test(expect)) return done();
    // The client may send the body anyway, or never.
    reply.header('connection', 'close');
    done(new Refusal('expectation_failed', 'The only expectation accepted is 100-continue'));
  });
}
