import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { invalid } from '../fields/fault.ts';
import { ownMember } from '../reference/own-member.ts';
import type { IdempotencyKey } from './context.ts';
import type { Upload } from './input/list-upload.ts';

const header = 'Idempotency-Key';

/** With a hash of user, path, parameters and body; undefined if none is sent. */
export function readIdempotencyKey(request: FastifyRequest, upload?: Upload): IdempotencyKey | undefined {
  const key = ownMember(request.headers, header.toLowerCase());
  if (key === undefined || request.method !== 'POST') return undefined;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    const Message = 'must be 1 to 255 printable ASCII characters, for example a UUID';
    throw invalid([{ Path: header, Code: 'format', Message }]);
  }
  const body = upload === undefined ? request.bodyBytes : Buffer.from(upload.digest);
  const asked = Buffer.from(`${request.bearer.userId} ${request.url}\n`);
  // One call with one buffer takes a third of the time of hashing in pieces.
  const requestHash = hash('sha256', body ? Buffer.concat([asked, body]) : asked, 'base64url');
  return { key, requestHash };
}
