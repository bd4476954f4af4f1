import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

type Decoder = (body: Buffer, maxOutputLength: number) => Buffer;

/** Whether `deflate` is zlib, as RFC 9110 section 8.4.1.2 wants. Some servers send raw deflate. */
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

/** Undefined for an encoding not offered, broken data, or more than `bytesMax`, which bounds memory too. */
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

const isGzip = (content: Buffer) => content[0] === 0x1f && content[1] === 0x8b && content[2] === 0x08;

/** Unpacks a gzip file, returns anything else as it is. Undefined if broken or longer than `bytesMax`. */
export const gunzipped = (content: Buffer, bytesMax: number): Buffer | undefined =>
  isGzip(content) ? decompress(content, 'gzip', bytesMax) : content;
