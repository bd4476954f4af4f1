import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import type { OutboundAnswer } from '../../../../../src/exchange/demand/demand-kind.ts';
import { createOutbound } from '../../../../../src/exchange/demand/outbound/create-outbound.ts';
import { sendOnce } from '../../../../../src/exchange/demand/outbound/send-once.ts';
import { randomFrom } from '../../../../support/seed.ts';
import { drawBytes } from './drawn-answers.ts';
import { startRawPartner } from './raw-partner.ts';

const bounds = { deadlineMs: 60_000, bytesMax: 524_288, released: () => undefined };

async function byUndici(agent: Agent, options: Dispatcher.DispatchOptions) {
  const raw = await sendOnce(agent, options, bounds);
  return 'reason' in raw ? undefined : { status: raw.status, body: raw.body.toString('utf8') };
}

/** Bytes after which the partner ends the connection, in pieces that arrive one by one, or together. */
async function speak(socket: Socket, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise(setImmediate);
  }
  socket.end();
}

/**
 * Has a partner answer drawn bytes over real sockets, to us and to undici. What both take for an answer must be
 * the same. Returns how many both did.
 */
export async function compareOverSockets(firstSeed: number, cases: number): Promise<number> {
  await using partner = await startRawPartner((socket, { text }) => {
    const seed = Number(/^POST \/(\d+)/.exec(text)?.[1]);
    void speak(socket, drawBytes(randomFrom(seed)).pieces);
  });
  const outbound = createOutbound({ allowPrivate: true, breaker: { failuresMin: Number.POSITIVE_INFINITY } });
  const agent = new Agent();
  let answered = 0;
  for (let seed = firstSeed; seed < firstSeed + cases; seed += 1) {
    const url = `${partner.origin}/${seed}`;
    const request = { method: 'POST', url, headers: {}, body: '' } as const;
    const options = { origin: partner.origin, path: `/${seed}`, method: 'POST' } as const;
    const [ours, theirs] = await Promise.all([
      outbound.call('D:1', request, 60_000),
      byUndici(agent, options),
    ]);
    // undici takes no 100 (Continue), and may not take bytes after an answer, as they come.
    if ('reason' in ours || theirs === undefined) continue;
    answered += 1;
    const { status, body }: OutboundAnswer = ours;
    // The page of a redirect is not read.
    const read = status === 302 ? { status, body: theirs.body } : { status, body };
    assert.deepEqual(read, theirs, `seed ${seed}`);
  }
  await outbound.close();
  await agent.destroy();
  return answered;
}
