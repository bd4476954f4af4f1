import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '../fields/fault.ts';
import { idHeader, standingHeaders } from './answer-headers.ts';
import { errorBody } from './errors.ts';

/** What Node's parser and its clock find fault with, other than that the bytes are no HTTP. */
const known: Readonly<Record<string, readonly [status: number, text: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers are too long'],
};

/** Bytes that are no HTTP, or come too slowly, still get an answer with the error body. */
export function answerBadHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, text] = known[error.code ?? ''] ?? [400, 'The request is not well-formed HTTP'];
  const body = JSON.stringify(errorBody(new Refusal('not_json', text)));
  const headers = {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': body.length,
    ...standingHeaders,
    [idHeader]: randomUUID(),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
