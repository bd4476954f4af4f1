import { Readable } from 'node:stream';
import { setImmediate as turnEnds } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Answer } from '../context.ts';

/** Waits for the first piece: a failure before it can still be answered with its own status. */
async function streamOf(pieces: AsyncIterable<string | Buffer>): Promise<Readable> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const all = async function* () {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return Readable.from(all(), { objectMode: false });
}

const json = 'application/json; charset=utf-8';

/** Sends an answer. Reads wait for the end of the turn, so that they leave together; writes share a commit anyway. */
export async function send(reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  const { body, type = json, headers = {}, status = 200 } = answer;
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  const content = isWhole ? body : await streamOf(body);
  if (reply.request.method === 'GET') await turnEnds();
  reply.code(status).headers(headers);
  if (status === 304) return reply.send();
  reply.header('content-type', type);
  return reply.send(content);
}
