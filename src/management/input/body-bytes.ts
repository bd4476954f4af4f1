import type { Readable } from 'node:stream';
import { Refusal } from '../../fields/fault.ts';

/** What is known of a body before it is read. */
export interface BodySize {
  /** Bytes that the client has announced; undefined where it sends chunks. */
  readonly announced: number | undefined;
  /** Most bytes that the route takes. */
  readonly max: number;
}

function refuseTooLarge(bytes: number, { max }: BodySize): void {
  if (bytes > max) throw new Refusal('too_large', 'The request body is too large');
}

/** Reads a large body into one buffer. Refuses with `too_large`, and with `not_json` if it is broken off. */
export async function readBytes(body: Readable, size: BodySize): Promise<Buffer<ArrayBuffer>> {
  const { announced = 0 } = size;
  refuseTooLarge(announced, size);
  const whole = Buffer.allocUnsafeSlow(announced);
  const chunks: Buffer[] = [];
  let received = 0;
  try {
    // Without destroying the request, and its connection, where it is refused before its end.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (received < announced) chunk.copy(whole, received);
      else chunks.push(Buffer.from(chunk));
      received += chunk.length;
      refuseTooLarge(received, size);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('not_json', 'The request cannot be read: it was broken off');
  }
  return announced > 0 ? whole.subarray(0, received) : Buffer.concat(chunks, received);
}
