import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type ZlibOptions,
} from 'node:zlib';

/** Smaller answers fit into a packet anyway. */
export const compressedFrom = 1024;

const brotliOptions: BrotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    // 512 KiB: arrays repeat themselves within much less, and many may be under way.
    [constants.BROTLI_PARAM_LGWIN]: 19,
  },
};
const gzipOptions: ZlibOptions = { level: 4 };

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

export interface ContentEncoding {
  readonly name: string;
  /** Off the event loop. */
  whole(body: string | Buffer): Promise<Buffer>;
  /** Fails with the source, and ends it when nobody reads on. */
  stream(source: Readable): Readable;
}

function through<T extends Readable & NodeJS.WritableStream>(source: Readable, compressor: T): T {
  // A failure destroys both; the compressor's reader hears of it.
  pipeline(source, compressor, () => undefined);
  return compressor;
}

/** The best first, for clients that accept several alike. */
const encodings: readonly ContentEncoding[] = [
  {
    name: 'br',
    whole: (body) => brotli(body, brotliOptions),
    stream: (source) => through(source, createBrotliCompress(brotliOptions)),
  },
  {
    name: 'gzip',
    whole: (body) => gzipped(body, gzipOptions),
    stream: (source) => through(source, createGzip(gzipOptions)),
  },
];

/** RFC 9110, 12.5.3: from 0, never, to 1. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const entries = header.split(',').map((item): [string, number] => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return [name, quality === undefined ? 1 : Number(quality) || 0];
  });
  return new Map(entries);
}

/** Undefined if none of ours is wanted. */
export function encodingFor(acceptEncoding: string | undefined): ContentEncoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const weights = weightsIn(acceptEncoding);
  let best: ContentEncoding | undefined;
  let most = 0;
  for (const encoding of encodings) {
    const weight = weights.get(encoding.name) ?? weights.get('*') ?? 0;
    if (weight > most) [best, most] = [encoding, weight];
  }
  return best;
}
