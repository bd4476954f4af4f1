import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import type { OutboundAnswer } from '../../../../../src/exchange/demand/demand-kind.ts';
import { createOutbound } from '../../../../../src/exchange/demand/outbound/create-outbound.ts';
import type { Outbound } from '../../../../../src/exchange/demand/outbound.ts';
import type { Refusal } from '../../../../../src/exchange/reasons.ts';
import { startRawPartner } from './raw-partner.ts';

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi';
const deadlineMs = 20_000;

interface Opened extends AsyncDisposable {
  readonly outbound: Outbound;
  post(
    url: string,
    mayRepeat?: () => boolean,
    headers?: Record<string, string>,
  ): Promise<OutboundAnswer | Refusal>;
}

function open(options: Partial<Parameters<typeof createOutbound>[0]> = {}): Opened {
  const outbound = createOutbound({ allowPrivate: true, breaker: { failuresMin: 1_000 }, ...options });
  return {
    outbound,
    post: (url, mayRepeat, headers = {}) =>
      outbound.call('D:1', { method: 'POST', url, headers, body: '{}' }, deadlineMs, mayRepeat),
    [Symbol.asyncDispose]: () => outbound.close(),
  };
}

const statusOf = (result: OutboundAnswer | Refusal) => ('status' in result ? result.status : result.reason);
const ended = async (sockets: ReadonlySet<Socket>) => {
  for (const socket of sockets) if (!socket.closed) await once(socket, 'close');
};

/** Answers after which the connection is not used again, though the answer counts. */
const lastAnswers: readonly (readonly [name: string, text: string, body?: string])[] = [
  ['with bytes after its end', `${ok}x`],
  ['with another answer after its end', `${ok}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`],
  ['with Connection: close', ok.replace('content', 'connection: close\r\ncontent')],
  ['of HTTP/1.0', ok.replace('1.1', '1.0')],
  ['with Keep-Alive too short to rely on', ok.replace('content', 'keep-alive: timeout=2\r\ncontent')],
];

describe('after an answer', () => {
  for (const [name, text] of lastAnswers) {
    test(`${name} the connection is not used again`, async () => {
      await using partner = await startRawPartner((socket, { nth }) =>
        socket.write(nth === 0 ? text : 'evil'),
      );
      await using client = open();
      for (let times = 0; times < 3; times += 1) {
        assert.partialDeepStrictEqual(await client.post(partner.origin), { status: 200, body: 'hi' });
      }
      assert.equal(partner.connections(), 3);
    });
  }

  test('that is plain the connection is used again, for POST and GET', async () => {
    await using partner = await startRawPartner((socket) => socket.write(ok));
    await using client = open();
    for (let times = 0; times < 3; times += 1) {
      assert.partialDeepStrictEqual(await client.post(partner.origin), { status: 200, body: 'hi' });
      const get = { method: 'GET', url: `${partner.origin}/a?b=c`, headers: {} } as const;
      assert.partialDeepStrictEqual(await client.outbound.call('D:1', get, deadlineMs), { body: 'hi' });
    }
    assert.equal(partner.connections(), 1);
  });

  test('bytes on the idle connection end it, and are nobody’s answer', async () => {
    let said: Socket | undefined;
    await using partner = await startRawPartner((socket) => {
      said ??= socket;
      socket.write(ok);
    });
    await using client = open();
    await client.post(partner.origin);
    const first = new Set(partner.open);
    said?.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil');
    await ended(first);
    assert.partialDeepStrictEqual(await client.post(partner.origin), { body: 'hi' });
    assert.equal(partner.connections(), 2);
  });

  test('that is refused the connection ends at once', async () => {
    await using partner = await startRawPartner((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: x\r\n'),
    );
    await using client = open();
    assert.deepEqual(await client.post(partner.origin), {
      reason: 'invalid_response',
      field: 'content-length',
    });
    await ended(partner.open);
  });

  test('that came before the request was whole the connection is not used again', async () => {
    const kept = ok.replace('content', 'keep-alive: timeout=60\r\ncontent');
    await using partner = await startRawPartner((socket, { connection }) =>
      socket.write(connection === 0 ? kept.replace('hi', 'no') : kept),
    );
    await using client = open();
    const body = 'x'.repeat(16 * 1_048_576);
    const early = client.outbound.call(
      'D:1',
      { method: 'POST', url: partner.origin, headers: {}, body },
      deadlineMs,
    );
    while (partner.open.size === 0) await turns(1);
    const [socket] = partner.open;
    socket?.pause().write(kept);
    assert.partialDeepStrictEqual(await early, { body: 'hi' });
    socket?.resume();
    assert.partialDeepStrictEqual(await client.post(partner.origin), { body: 'hi' });
    assert.equal(partner.connections(), 2);
  });
});

const turns = async (count: number) => {
  for (let left = count; left > 0; left -= 1) await new Promise(setImmediate);
};
const beginAndReset = async (socket: Socket) => {
  socket.write('H');
  await turns(50);
  socket.resetAndDestroy();
};
/** What a partner does with a request on a connection that has answered before. */
const ways: readonly (readonly [name: string, act: (socket: Socket) => void, isRepeated: boolean])[] = [
  ['closes it', (socket) => socket.end(), true],
  ['resets it', (socket) => socket.resetAndDestroy(), true],
  ['begins to answer, and closes it', (socket) => socket.end('H'), false],
  ['begins to answer, and resets it', (socket) => void beginAndReset(socket), false],
  ['begins an interim answer, and closes it', (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'), false],
  ['says what is no answer', (socket) => socket.write('no\r\n'), false],
];

describe('a partner that, asked on a kept connection,', () => {
  for (const [name, act, isRepeated] of ways) {
    test(`${name}, ${isRepeated ? 'is asked once more' : 'is not asked again'}`, async () => {
      await using partner = await startRawPartner((socket, { nth }) =>
        nth === 0 ? socket.write(ok) : act(socket),
      );
      await using client = open();
      let taken = 0;
      const mayRepeat = () => {
        taken += 1;
        return true;
      };
      await client.post(partner.origin, mayRepeat);
      const result = await client.post(partner.origin, mayRepeat);
      assert.equal('status' in result, isRepeated, JSON.stringify(result));
      assert.equal(taken, isRepeated ? 1 : 0);
      assert.equal(partner.connections(), isRepeated ? 2 : 1);
    });
  }

  test('closes it is not asked again where its limits do not allow that', async () => {
    await using partner = await startRawPartner((socket, { nth }) =>
      nth === 0 ? socket.write(ok) : socket.end(),
    );
    for (const mayRepeat of [() => false, undefined]) {
      await using client = open();
      await client.post(partner.origin, mayRepeat);
      assert.equal(statusOf(await client.post(partner.origin, mayRepeat)), 'unreachable');
    }
    assert.equal(partner.connections(), 2);
  });

  test('closes it is asked once more on a new one, and not on another kept one', async () => {
    await using partner = await startRawPartner((socket, { nth }) =>
      nth === 0 ? socket.write(ok) : socket.end(),
    );
    await using client = open();
    let taken = 0;
    await Promise.all([client.post(partner.origin), client.post(partner.origin)]);
    const mayRepeat = () => {
      taken += 1;
      return true;
    };
    assert.equal(statusOf(await client.post(partner.origin, mayRepeat)), 200);
    assert.deepEqual([taken, partner.connections()], [1, 3]);
  });

  test('closes it, and the new one, is asked twice in all', async () => {
    await using partner = await startRawPartner((socket, { nth, connection }) =>
      nth === 0 && connection === 0 ? socket.write(ok) : socket.end(),
    );
    await using client = open();
    await client.post(partner.origin, () => true);
    assert.equal(statusOf(await client.post(partner.origin, () => true)), 'unreachable');
    assert.equal(partner.requests.length, 3);
  });

  test('closes a connection that was new is not asked again', async () => {
    await using partner = await startRawPartner((socket) => socket.end());
    await using client = open();
    assert.equal(statusOf(await client.post(partner.origin, () => true)), 'unreachable');
    assert.equal(partner.requests.length, 1);
  });
});

/** What would break a request, or say what only the client may say. */
const breaking: readonly (readonly [name: string, value: string])[] = [
  ['x-a', 'b\r\nx-c: d'],
  ['x-a', 'b\nx-c: d'],
  ['x-a', 'b\rx-c: d'],
  ['x-a', 'b\0'],
  ['x-a', 'ö\u{1f600}'],
  ['x-a\r\nx-b', 'c'],
  ['x a', 'b'],
  ['x:', 'b'],
  ['', 'b'],
  ['Content-Length', '0'],
  ['Transfer-Encoding', 'chunked'],
  ['host', 'other.example'],
  ['Connection', 'close'],
  ['upgrade', 'h2c'],
  ['Expect', '100-continue'],
];

describe('a request', () => {
  for (const [name, value] of breaking) {
    test(`with ${JSON.stringify({ [name]: value })} is not sent`, async () => {
      await using partner = await startRawPartner((socket) => socket.write(ok));
      await using client = open();
      const refusal = await client.post(partner.origin, undefined, { [name]: value });
      assert.deepEqual(refusal, { reason: 'not_callable', field: name });
      const get = { method: 'GET', url: partner.origin, headers: { [name]: value } } as const;
      assert.equal(statusOf(await client.outbound.call('D:1', get, deadlineMs)), 'not_callable');
      assert.equal(partner.connections(), 0);
    });
  }

  test('is sent byte by byte as told, its head once with the headers of now', async () => {
    await using partner = await startRawPartner((socket) => socket.write(ok));
    await using client = open();
    const url = `${partner.origin}/bid?a=%0d%0a b\r\nc#d`;
    const head = `POST /bid?a=%0d%0a%20bc HTTP/1.1\r\nhost: 127.0.0.1:${partner.port}\r\nconnection: keep-alive\r\n`;
    const tail = 'accept-encoding: gzip, deflate, br\r\ncontent-length: 2\r\n\r\n{}';
    await client.post(url, undefined, { 'x-a': 'K\xf6ln' });
    await client.post(url, undefined, { 'x-b': '' });
    assert.deepEqual(partner.requests, [`${head}x-a: K\xf6ln\r\n${tail}`, `${head}x-b: \r\n${tail}`]);
  });
});

describe('connections', () => {
  test('that took longer than their call are there for the next one, which alone is sent', async () => {
    const names = new Set<() => void>();
    await using partner = await startRawPartner((socket) => socket.write(ok));
    await using client = open({
      resolve: (_name, _options, callback) =>
        void names.add(() => callback(null, [{ address: '127.0.0.1', family: 4 }])),
    });
    const url = `http://dsp.example:${partner.port}/`;
    const request = { method: 'POST', url, headers: {}, body: '{}' } as const;
    assert.equal(statusOf(await client.outbound.call('D:1', request, 5)), 'timed_out');
    const next = client.post(url);
    for (const resolved of names) resolved();
    assert.equal(statusOf(await next), 200);
    assert.deepEqual([names.size, partner.connections(), partner.requests.length], [1, 1, 1]);
  });

  test('of calls that timed out are cut, and never used again', async () => {
    await using partner = await startRawPartner((socket, { connection }) => {
      if (connection > 0) socket.write(ok);
    });
    await using client = open();
    const request = { method: 'POST', url: partner.origin, headers: {}, body: '{}' } as const;
    assert.equal(statusOf(await client.outbound.call('D:1', request, 50)), 'timed_out');
    await ended(partner.open);
    assert.equal(statusOf(await client.post(partner.origin)), 200);
    assert.equal(partner.connections(), 2);
  });

  test('many at once each have their own answer', async () => {
    await using partner = await startRawPartner((socket, { text }) => {
      const path = /^POST (\S+)/.exec(text)?.[1] ?? '';
      const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${path.length}\r\n\r\n${path}`;
      for (const piece of [answer.slice(0, 20), answer.slice(20)]) setImmediate(() => socket.write(piece));
    });
    await using client = open();
    for (let round = 0; round < 5; round += 1) {
      const calls = Array.from({ length: 200 }, async (_, n) => {
        const answer = await client.post(`${partner.origin}/${round}/${n}`);
        assert.partialDeepStrictEqual(answer, { body: `/${round}/${n}` });
      });
      await Promise.all(calls);
    }
    assert.ok(partner.connections() <= 200, `${partner.connections()} connections`);
  });
});
