import type { IncomingMessage } from 'node:http';
import { decompress } from '../../demand/outbound/decompress.ts';

/** Of a body, as it came and decompressed; a request of a hundred impressions has less. */
const bodyBytesMax = 524_288;
/** So much of a longer one is read and thrown away, lest its sender find the connection cut instead of an answer. */
const drainedBytesMax = 8 * 1_048_576;

/** All of a body; undefined where it is too long or breaks off. */
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

/** The content of a request's body; undefined where it is too long, breaks off, or is not what its headers say. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const body = await whole(request);
  return body && decompress(body, request.headers['content-encoding'] ?? '', bodyBytesMax);
}
