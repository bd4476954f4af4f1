import type { IncomingMessage } from 'node:http';
import { decompress } from '../../demand/outbound/decompress.ts';

/** Most bytes of a body, both as it came and decompressed; a request of a hundred impressions has less. */
const bodyBytesMax = 524_288;
/**
 * Up to this length a body that is too long is read and thrown away, so that its sender gets an answer and no reset.
 */
const drainedBytesMax = 8 * 1_048_576;

/** The whole body; undefined if it is too long or breaks off. */
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

/** The encoding of a body; gzip also where no header names it, as Prebid.js sends it. No JSON begins as gzip does. */
function encodingOf(body: Buffer, declared: string): string {
  const isZipped = body.length > 1 && body.readUInt16BE(0) === gzipMagic;
  return isZipped && /^\s*(?:identity\s*)?$/i.test(declared) ? 'gzip' : declared;
}

/** A request's decompressed body; undefined if it is too long, breaks off, or is not in the encoding it names. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const body = await whole(request);
  return body && decompress(body, encodingOf(body, request.headers['content-encoding'] ?? ''), bodyBytesMax);
}
