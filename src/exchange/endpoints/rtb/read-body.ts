import type { IncomingMessage } from 'node:http';
import { decompress } from '../../demand/outbound/decompress.ts';

/** Compressed or not; a hundred impressions need less. */
const bodyBytesMax = 524_288;
/** A longer body is read and discarded up to this length, so that its sender gets an answer and not a reset. */
const drainedBytesMax = 8 * 1_048_576;

/** Undefined if it is too long or breaks off. */
function whole(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    request.on('data', (part: Buffer) => {
      length += part.length;
      if (length <= bodyBytesMax) parts.push(part);
      else if (length > drainedBytesMax) request.destroy();
    });
    request.on('end', () => {
      const body = parts.length === 1 ? parts[0] : Buffer.concat(parts);
      resolve(length > bodyBytesMax ? undefined : body);
    });
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}

const gzipMagic = 0x1f8b;

/** Detects gzip without a header, as Prebid.js sends it: no JSON begins like that. */
function encodingOf(body: Buffer, declared: string): string {
  const isZipped = body.length > 1 && body.readUInt16BE(0) === gzipMagic;
  return isZipped && /^\s*(?:identity\s*)?$/i.test(declared) ? 'gzip' : declared;
}

/** Undefined if too long, cut off, or not in its encoding. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const body = await whole(request);
  return body && decompress(body, encodingOf(body, request.headers['content-encoding'] ?? ''), bodyBytesMax);
}
