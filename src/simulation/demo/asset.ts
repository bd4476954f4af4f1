import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

const folder = new URL('../../../assets/demo/', import.meta.url);

export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  /** Content security policy. */
  readonly pagePolicy?: string;
}

/** From the demo's folder. */
export function demoAsset(name: string, type: string): Asset {
  return { type, body: readFileSync(new URL(name, folder)) };
}

export function packageAsset(specifier: string, type: string): Asset {
  return { type, body: readFileSync(new URL(specifier)) };
}

interface Part {
  readonly start: number;
  /** Of the first byte after the part. */
  readonly end: number;
}

/** RFC 9110, 14.1.2; undefined for none, and for unsupported forms. */
function partOf(header: string | undefined, length: number): Part | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    return Number(to) > 0 ? { start: Math.max(0, length - Number(to)), end: length } : 'unsatisfiable';
  }
  const end = to === '' ? length : Math.min(length, Number(to) + 1);
  return Number(from) < end ? { start: Number(from), end } : 'unsatisfiable';
}

/** Some players play only files that they can get in parts. */
export function sendAsset(
  request: IncomingMessage,
  response: ServerResponse,
  { type, body, pagePolicy }: Asset,
): void {
  const part = partOf(request.headers.range, body.length);
  const headers = {
    'content-type': type,
    'accept-ranges': 'bytes',
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    ...(pagePolicy === undefined ? {} : { 'content-security-policy': pagePolicy }),
  };
  if (part === 'unsatisfiable') {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${body.length}` }).end();
    return;
  }
  const { start, end } = part ?? { start: 0, end: body.length };
  response.writeHead(part ? 206 : 200, {
    ...headers,
    'content-length': end - start,
    ...(part ? { 'content-range': `bytes ${start}-${end - 1}/${body.length}` } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body.subarray(start, end));
}
