import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../fields/fault.ts';
import { plainBytesMax, readJsonBody } from './json-body.ts';
import { hashLarge, readLargeJson } from './large-json.ts';

interface BodySize {
  /** Undefined for chunks. */
  readonly announced: number | undefined;
  readonly max: number;
}

function refuseTooLarge(bytes: number, { max }: BodySize): void {
  if (bytes > max) throw new Refusal('too_large', 'The request body is too large');
}

/** Refuses with `too_large`, and with `not_json` if it breaks off. */
async function readBytes(body: Readable, size: BodySize): Promise<Buffer<ArrayBuffer>> {
  const { announced = 0 } = size;
  refuseTooLarge(announced, size);
  const whole = Buffer.allocUnsafeSlow(announced);
  const chunks: Buffer[] = [];
  let received = 0;
  try {
    // Without destroying the request, and its connection, if it is refused early.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (received < announced) chunk.copy(whole, received);
      else chunks.push(Buffer.from(chunk));
      received += chunk.length;
      refuseTooLarge(received, size);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('not_json', 'The request cannot be read: it was cut off');
  }
  return announced > 0 ? whole.subarray(0, received) : Buffer.concat(chunks, received);
}

/** Outside of texts, unless the route says otherwise. */
const besideTextsBytesMax = 1024 * 1024;

const plain = 'application/json';
const large = 'application/x-large-json';
const bytes = 'application/octet-stream';

export function isUpload(request: FastifyRequest): boolean {
  const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data') === true;
  return isForm && request.routeOptions.config.accepts?.readForm !== undefined;
}

/** Undefined for chunks, or without a body. */
export function announcedBytes({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

export function bytesMaxOf({ routeOptions }: FastifyRequest): number {
  return routeOptions.bodyLimit ?? plainBytesMax;
}

function isLarge(request: FastifyRequest): boolean {
  const max = bytesMaxOf(request);
  return Math.min(announcedBytes(request) ?? max, max) > plainBytesMax;
}

function parsePlain(request: FastifyRequest, bytes: Buffer): unknown {
  if (request.routeOptions.config.accepts?.isOptional && bytes.length === 0) return undefined;
  const { value, faults, isTooDeep } = readJsonBody(bytes);
  request.bodyFaults = faults;
  if (request.headers['idempotency-key'] !== undefined) request.bodyBytes = bytes;
  return isTooDeep ? null : value;
}

async function parseLarge(request: FastifyRequest, bytes: Buffer<ArrayBuffer>): Promise<unknown> {
  const { structureBytesMax = besideTextsBytesMax } = request.routeOptions.config.accepts ?? {};
  const pause = () => turn();
  // The hash replaces the bytes.
  if (request.headers['idempotency-key'] !== undefined) request.bodyBytes = await hashLarge(bytes, pause);
  const value = await readLargeJson(bytes, { structureBytesMax, pause });
  // Frees the memory now: a collection may come much later.
  bytes.buffer.transfer(0);
  return value;
}

/** Whatever the content type (reference, W3). */
export function readBodiesAsJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('bodyFaults', undefined);
  app.decorateRequest('bodyBytes', undefined);
  app.addContentTypeParser(plain, { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, parsePlain(request, bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser(large, async (request: FastifyRequest, body: FastifyRequest['raw']) => {
    const bytes = await readBytes(body, { announced: announcedBytes(request), max: bytesMaxOf(request) });
    return bytes.length > plainBytesMax ? parseLarge(request, bytes) : parsePlain(request, bytes);
  });
  app.addContentTypeParser(bytes, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('preParsing', (request, _reply, _body, done) => {
    if (isUpload(request)) return done();
    const { isBytes } = request.routeOptions.config.accepts ?? {};
    const json = isLarge(request) ? large : plain;
    request.headers['content-type'] = isBytes ? bytes : json;
    done();
  });
}
