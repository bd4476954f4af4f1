import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Answer } from '../context.ts';

export interface Page {
  readonly type: string;
  readonly plain: Buffer;
  readonly zipped: Buffer;
  readonly etag: string;
}

export function pageOf(type: string, content: string | Buffer): Page {
  const plain = Buffer.from(content);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { type, plain, zipped: gzipSync(plain), etag: `"${hash}"` };
}

interface PageRequest {
  readonly ifNoneMatch: string | undefined;
  readonly acceptEncoding: string | undefined;
}

/** Compressed if the client accepts it, and only if it has changed. */
export function pageAnswer(
  { type, plain, zipped, etag }: Page,
  { ifNoneMatch, acceptEncoding = '' }: PageRequest,
): Answer {
  const headers = { etag, vary: 'accept-encoding', 'cache-control': 'no-cache' };
  if (ifNoneMatch === etag) return { status: 304, body: '', headers };
  if (!/\bgzip\b/.test(acceptEncoding)) return { type, body: plain, headers };
  return { type, body: zipped, headers: { ...headers, 'content-encoding': 'gzip' } };
}
