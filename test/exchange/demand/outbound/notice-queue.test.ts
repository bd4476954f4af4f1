import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import type { OutboundAnswer } from '../../../../src/exchange/demand/demand-kind.ts';
import { createOutbound } from '../../../../src/exchange/demand/outbound/create-outbound.ts';
import {
  createNoticeQueue,
  type NoticeQueueOptions,
} from '../../../../src/exchange/demand/outbound/notice-queue.ts';
import { type Refusal, refuse } from '../../../../src/exchange/reasons.ts';
import { listenOnLoopback } from '../../../support/loopback.ts';

const answer = (status: number): OutboundAnswer => ({ status, headers: {}, body: '' });

/** A queue whose calls are kept until the test answers them. */
function queueOf(options: Partial<NoticeQueueOptions> = {}) {
  const calls: { url: string; answer: (result: OutboundAnswer | Refusal) => void }[] = [];
  const queue = createNoticeQueue({
    send: ({ url }) => {
      const { promise, resolve } = Promise.withResolvers<OutboundAnswer | Refusal>();
      calls.push({ url, answer: resolve });
      return promise;
    },
    random: () => 0,
    waitingMax: 100,
    waitingPerOriginMax: 50,
    concurrencyPerOrigin: 2,
    concurrency: 1_000,
    retryMs: 1,
    closeMs: 20,
    ...options,
  });
  return { queue, calls };
}

/** Lets promises and the shortest timers settle until the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; turns < 2_000 && !holds(); turns += 1) await new Promise((done) => setTimeout(done, 1));
  assert.ok(holds());
}

const ends: readonly (readonly [
  name: string,
  result: OutboundAnswer | Refusal,
  counts: { sent?: number; failed?: number },
  calls: number,
])[] = [
  ['204', answer(204), { sent: 1 }, 1],
  ['200', answer(200), { sent: 1 }, 1],
  ['404', answer(404), { failed: 1 }, 1],
  ['429', answer(429), { failed: 1 }, 3],
  ['503', answer(503), { failed: 1 }, 3],
  ['no answer in time', refuse('timed_out'), { failed: 1 }, 3],
  ['no connection', refuse('unreachable'), { failed: 1 }, 3],
  ['a private address', refuse('private_address'), { failed: 1 }, 1],
];

describe('notices', () => {
  for (const [name, result, counts, times] of ends) {
    test(`with two retries: ${name} is called ${times} times`, async () => {
      const calls: string[] = [];
      const { queue } = queueOf({
        send: async ({ url }) => {
          calls.push(url);
          return result;
        },
      });
      queue.push('http://dsp.example.com/win?p=1', { retries: 2 });
      await until(() => queue.counts().waiting === 0);
      assert.equal(calls.length, times);
      assert.deepEqual(queue.counts(), { sent: 0, failed: 0, dropped: 0, waiting: 0, ...counts });
    });
  }

  test('a slow origin has its own lane and delays no other', () => {
    const { queue, calls } = queueOf();
    for (let n = 0; n < 10; n += 1) queue.push(`http://slow.example.com/${n}`);
    queue.push('http://quick.example.com/');
    assert.deepEqual(
      calls.map(({ url }) => url),
      ['http://slow.example.com/0', 'http://slow.example.com/1', 'http://quick.example.com/'],
    );
  });

  test('keep their order within an origin', async () => {
    const { queue, calls } = queueOf({ concurrencyPerOrigin: 1 });
    for (let n = 0; n < 5; n += 1) queue.push(`http://dsp.example.com/${n}`);
    for (let n = 0; n < 5; n += 1) {
      await until(() => calls.length === n + 1);
      assert.equal(calls[n]?.url, `http://dsp.example.com/${n}`);
      calls[n]?.answer(answer(204));
    }
    await until(() => queue.counts().sent === 5);
  });

  test('over the bounds are dropped and counted', () => {
    const { queue, calls } = queueOf();
    for (let n = 0; n < 60; n += 1) queue.push('http://one.example.com/');
    assert.deepEqual(queue.counts(), { sent: 0, failed: 0, dropped: 10, waiting: 50 });
    for (let n = 0; n < 60; n += 1) queue.push(`http://o${n}.example.com/`);
    assert.deepEqual(queue.counts(), { sent: 0, failed: 0, dropped: 20, waiting: 100 });
    // The last ten have pushed out older ones, and begin at once.
    assert.equal(calls.length, 62);
  });

  test('that are sent again go first, and push out the oldest that are not', async () => {
    const arrived: string[] = [];
    const { queue, calls } = queueOf({ waitingPerOriginMax: 10 });
    for (let second = 0; second < 20; second += 1) {
      for (let n = 0; n < 9; n += 1) queue.push(`http://dsp.example.com/loss/${second}/${n}`);
      queue.push(`http://dsp.example.com/bill/${second}`, { retries: 5 });
      // Two of ten are answered.
      for (const call of calls.splice(0, 2)) {
        arrived.push(new URL(call.url).pathname);
        call.answer(answer(204));
      }
      await new Promise(setImmediate);
    }
    while (calls.length > 0) {
      const [call] = calls.splice(0, 1);
      arrived.push(new URL(call?.url ?? '').pathname);
      call?.answer(answer(204));
      await new Promise(setImmediate);
    }
    assert.deepEqual(
      arrived.filter((path) => path.startsWith('/bill/')),
      Array.from({ length: 20 }, (_, second) => `/bill/${second}`),
    );
    assert.equal(arrived.at(-1), '/loss/19/8', 'the newest loss is sent, older ones are not');
    assert.deepEqual(queue.counts(), {
      sent: arrived.length,
      failed: 0,
      dropped: 200 - arrived.length,
      waiting: 0,
    });
  });

  test('push out what is sent once to other origins where all are too many', () => {
    const { queue } = queueOf({ waitingMax: 3, concurrencyPerOrigin: 1 });
    for (let n = 0; n < 3; n += 1) queue.push(`http://loser.example.com/${n}`);
    queue.push('http://dsp.example.com/bill/0', { retries: 5 });
    queue.push('http://dsp.example.com/bill/1', { retries: 5 });
    queue.push('http://dsp.example.com/bill/2', { retries: 5 });
    // One of the losses is under way.
    assert.deepEqual(queue.counts(), { sent: 0, failed: 0, dropped: 3, waiting: 3 });
  });

  test('are bound over all origins, which then take turns', async () => {
    const { queue, calls } = queueOf({ concurrency: 2, concurrencyPerOrigin: 3 });
    for (let n = 0; n < 3; n += 1) queue.push(`http://many.example.com/${n}`);
    queue.push('http://one.example.com/0');
    queue.push('http://one.example.com/bill', { retries: 1 });
    for (let n = 0; n < 5; n += 1) {
      assert.ok(calls.length <= n + 2);
      calls[n]?.answer(answer(204));
      await new Promise(setImmediate);
    }
    assert.deepEqual(
      calls.map(({ url }) => url.slice('http://'.length)),
      [
        'many.example.com/0',
        'many.example.com/1',
        'one.example.com/bill',
        'many.example.com/2',
        'one.example.com/0',
      ],
    );
  });

  test('that are no URLs are dropped', () => {
    const { queue } = queueOf();
    queue.push('');
    queue.push('//dsp.example.com');
    assert.equal(queue.counts().dropped, 2);
  });

  test('closing sends what waits, once more what waits for a retry', async () => {
    const { queue, calls } = queueOf({ retryMs: 1_000_000, closeMs: 60_000 });
    for (let n = 0; n < 3; n += 1) queue.push('http://dsp.example.com/', { retries: 5 });
    calls[0]?.answer(answer(503));
    await until(() => calls.length === 3);
    const closed = queue.close();
    calls[1]?.answer(answer(204));
    await until(() => calls.length === 4);
    for (const call of calls.slice(2)) call.answer(answer(204));
    await closed;
    assert.deepEqual(queue.counts(), { sent: 3, failed: 0, dropped: 0, waiting: 0 });
    queue.push('http://dsp.example.com/');
    assert.equal(queue.counts().dropped, 1);
  });

  test('closing gives up what never ends', async () => {
    const { queue, calls } = queueOf();
    for (let n = 0; n < 3; n += 1) queue.push('http://dsp.example.com/', { retries: 5 });
    await queue.close();
    calls[0]?.answer(answer(204));
    await new Promise(setImmediate);
    assert.deepEqual(queue.counts(), { sent: 0, failed: 0, dropped: 3, waiting: 0 });
  });

  test('go out over HTTP, again after a failure', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(seen.length < 3 ? 500 : 204).end();
    });
    await using loopback = await listenOnLoopback(server);
    const outbound = createOutbound({ allowPrivate: true, notices: { retryMs: 1 } });
    outbound.notify(`${loopback.url}/burl?price=1.5`, { retries: 3 });
    await until(() => outbound.notices().sent === 1);
    assert.deepEqual(seen, Array(3).fill('GET /burl?price=1.5'));
    await outbound.close();
  });
});
