import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

type Decoder = (body: Buffer, maxOutputLength: number) => Buffer;

/**
 * Whether a `deflate` body has the zlib format, as it must (RFC 9110 section 8.4.1.2). Some servers send raw deflate.
 */
const isZlib = (body: Buffer) =>
  ((body[0] ?? 0) & 0x0f) === 8 && body.length > 1 && body.readUInt16BE(0) % 31 === 0;

const gunzip: Decoder = (body, maxOutputLength) => gunzipSync(body, { maxOutputLength });

const decoders: Readonly<Record<string, Decoder>> = {
  '': (body) => body,
  identity: (body) => body,
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (body, maxOutputLength) =>
    (isZlib(body) ? inflateSync : inflateRawSync)(body, { maxOutputLength }),
  br: (body, maxOutputLength) => brotliDecompressSync(body, { maxOutputLength }),
};

/**
 * The content of a body by its `content-encoding`. Undefined if we did not offer that encoding, if the body does not
 * have it, or if the content is longer than `bytesMax`; no more than that is ever held in memory.
 */
export function decompress(body: Buffer, encoding: string, bytesMax: number): Buffer | undefined {
  const name = encoding.trim().toLowerCase();
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (body.length === 0) return body;
  try {
    return decoder?.(body, bytesMax);
  } catch {
    return undefined;
  }
}

/** Whether a content is gzip by its first bytes. */
const isGzip = (content: Buffer) => content[0] === 0x1f && content[1] === 0x8b && content[2] === 0x08;

/**
 * A content that is a file of gzip, unpacked; any other as it is. Undefined if that is broken, or longer than `bytesMax`;
 * no more than that is ever held in memory.
 */
export const gunzipped = (content: Buffer, bytesMax: number): Buffer | undefined =>
  isGzip(content) ? decompress(content, 'gzip', bytesMax) : content;
