import { Readable } from 'node:stream';
import { setImmediate as turnEnds } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Answer } from '../context.ts';
import { type ContentEncoding, compressedFrom, encodingFor } from './content-encoding.ts';

/** `isLong`: as long as was waited for. */
interface StartedStream {
  readonly stream: Readable;
  readonly isLong: boolean;
}

/** Waits for the first piece and for some characters: an earlier failure can still be answered with its own status. */
async function begin(pieces: AsyncIterable<string | Buffer>, charactersMin: number): Promise<StartedStream> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first: (string | Buffer)[] = [];
  let length = 0;
  let isDone = false;
  do {
    const next = await iterator.next();
    if (next.done) isDone = true;
    else {
      first.push(next.value);
      length += next.value.length;
    }
  } while (!isDone && length < charactersMin);
  const all = async function* () {
    yield* first;
    if (!isDone) yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { stream: Readable.from(all(), { objectMode: false }), isLong: length >= charactersMin };
}

const json = 'application/json; charset=utf-8';

interface Content {
  readonly content: string | Buffer | Readable;
  readonly isCompressible: boolean;
  readonly encoding?: ContentEncoding;
}

async function contentOf(
  { body, headers = {} }: Answer,
  encoding: ContentEncoding | undefined,
): Promise<Content> {
  const isEncoded = 'content-encoding' in headers;
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const isCompressible = !isEncoded && body.length >= compressedFrom;
    if (!encoding || !isCompressible) return { content: body, isCompressible };
    return { content: await encoding.whole(body), isCompressible, encoding };
  }
  const { stream, isLong } = await begin(body, encoding && !isEncoded ? compressedFrom : 1);
  if (!encoding || isEncoded || !isLong) return { content: stream, isCompressible: !isEncoded };
  return { content: encoding.stream(stream), isCompressible: true, encoding };
}

/** Weak, because a compressed answer is the same only in content (RFC 9110, 8.8.3.3). */
function setEncoding(reply: FastifyReply, { name }: ContentEncoding): void {
  reply.header('content-encoding', name);
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`);
}

/**
 * Compressed if the client accepts it and it is long enough. Reads leave together at the end of the tick; writes share
 * a commit anyway.
 */
export async function send(reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  const { type = json, headers = {}, status = 200 } = answer;
  const { request } = reply;
  const { content, isCompressible, encoding } = await contentOf(
    answer,
    encodingFor(request.headers['accept-encoding']),
  );
  if (request.method === 'GET') await turnEnds();
  reply.code(status).headers(headers as Parameters<FastifyReply['headers']>[0]);
  if (status === 304) return reply.send();
  reply.header('content-type', type);
  if (isCompressible) reply.header('vary', 'accept-encoding');
  if (encoding) setEncoding(reply, encoding);
  return reply.send(content);
}
