import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { endLater } from '../end-later.ts';

export interface RtbAnswer {
  readonly status: 200 | 204 | 400 | 401 | 429;
  readonly body?: object;
}

/** Shorter bodies hardly gain. */
const zippedCharactersMin = 256;
const acceptsZipped = /\b(?:x-)?gzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

function isZipped({ headers }: IncomingMessage, text: string): boolean {
  const accepted = [headers['accept-encoding'] ?? ''].flat().join(',');
  return text.length >= zippedCharactersMin && acceptsZipped.test(accepted);
}

const busy: Readonly<Record<number, Readonly<Record<string, string>>>> = { 429: { 'retry-after': '1' } };

/** `access`: headers for browsers. */
export function sendRtbAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body }: RtbAnswer,
  access: Readonly<Record<string, string>>,
): void {
  const headers = { 'cache-control': 'no-store', ...busy[status], ...access };
  if (body === undefined) {
    endLater(response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': 0 }));
    return;
  }
  const text = JSON.stringify(body);
  const zipped = isZipped(request, text);
  // A string, so that Node writes headers and body to the socket at once.
  const content = zipped ? gzipSync(text, { level: 1 }) : text;
  const vary = [access.vary, 'accept-encoding'].filter((name) => name !== undefined).join(', ');
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(content),
    ...(zipped && { 'content-encoding': 'gzip' }),
    vary,
  });
  endLater(response, content);
}
