import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { invalid } from '../fields/fault.ts';
import type { Repeatable } from './context.ts';
import type { Upload } from './list-upload.ts';

const header = 'Idempotency-Key';

/**
 * What the `Idempotency-Key` of a POST stands for: the key as sent, with a hash of the path, the parameters and
 * the body (its bytes; of a form, what it says). Undefined where none is sent.
 */
export function repeatableOf(request: FastifyRequest, upload?: Upload): Repeatable | undefined {
  const key = request.headers[header.toLowerCase()];
  if (key === undefined || request.method !== 'POST') return undefined;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    const Message = 'must be 1 to 255 printable ASCII characters, as a UUID';
    throw invalid([{ Path: header, Code: 'format', Message }]);
  }
  const body = upload === undefined ? (request.bodyBytes ?? '') : JSON.stringify(upload.body);
  const requestHash = createHash('sha256').update(`${request.url}\n`).update(body).digest('base64url');
  return { key, requestHash };
}
