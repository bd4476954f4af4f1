import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startApi } from './api.ts';

const { server, api } = await startApi({ apiRateLimit: 100_000 });

type Headers = Readonly<Record<string, string>>;

/** What was received, byte for byte, without any header that is not asked for. */
async function received(path: string, headers: Headers = {}) {
  const asked = request(`${server.url}${path}`, {
    headers: { authorization: `Bearer ${server.token}`, ...headers },
  });
  asked.end();
  const [answer] = await once(asked, 'response');
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};
const one = '/api/ortb/vasttag/get?Id=1';
const many = '/api/ortb/vasttag/get';
const small = '/api/tag/get';

before(async () => {
  await api.add('Tag', { Name: 'small' });
  for (let lot = 0; lot < 10; lot += 1) {
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        api.add('VastTag', {
          Name: `Partner ${lot} tag ${index}`,
          Bidfloor: index / 100,
          Tmax: 100 + index,
        }),
      ),
    );
  }
});

const wanted: readonly (readonly [sent: string | undefined, encoding: string | undefined])[] = [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=none', undefined],
  ['zstd', undefined],
];

for (const [sent, encoding] of wanted) {
  test(`Accept-Encoding ${sent ?? 'absent'}: ${encoding ?? 'plain'}`, async () => {
    for (const path of [one, many, '/metrics', '/api/history/get']) {
      const plain = await received(path);
      const answer = await received(path, sent === undefined ? {} : { 'accept-encoding': sent });
      assert.equal(answer.headers['content-encoding'], encoding, path);
      assert.equal(answer.headers.vary, 'accept-encoding');
      const decoded = encoding === undefined ? answer.bytes : decoders[encoding]?.(answer.bytes);
      if (path === '/metrics') assert.match(`${decoded}`, /^# HELP/);
      else assert.deepEqual(decoded, plain.bytes);
      if (encoding) assert.ok(answer.bytes.length < plain.bytes.length);
    }
  });
}

test('answers below 1 KiB are sent as they are, whole and by pieces', async () => {
  for (const path of [small, `${small}?Id=1`, '/healthz']) {
    const answer = await received(path, { 'accept-encoding': 'br, gzip' });
    assert.equal(answer.headers['content-encoding'], undefined, path);
    assert.deepEqual(answer.bytes, (await received(path)).bytes);
  }
});

test('the tag of a compressed answer is weak, and counts for both conditions', async () => {
  const plain = await received(one);
  const { headers } = await received(one, { 'accept-encoding': 'br' });
  const etag = String(headers.etag);
  assert.equal(etag, `W/${plain.headers.etag}`);
  for (const encoding of ['br', 'identity']) {
    const answer = await received(one, { 'accept-encoding': encoding, 'if-none-match': etag });
    assert.deepEqual([answer.status, answer.bytes.length], [304, 0]);
  }
  const body = JSON.stringify({ VastTag: { Id: 1, Tmax: 321 } });
  const change = () =>
    api.send('/api/ortb/vasttag/update', { method: 'POST', body, headers: { 'if-match': etag } });
  assert.deepEqual([(await change()).status, (await change()).status], [200, 412]);
});

test('a kept answer is compressed for one client and plain for the next', async () => {
  for (const encoding of ['br', 'identity', 'gzip', 'identity']) {
    const { headers, bytes } = await received(one, { 'accept-encoding': encoding });
    const text = String(decoders[headers['content-encoding'] ?? '']?.(bytes) ?? bytes);
    assert.equal(JSON.parse(text).Tmax, 321);
  }
});

test('a thousand objects with ten columns take less than 50 KB on the wire', async () => {
  const Fields = 'Id,Name,Status,PublisherName,Bidfloor,Tmax,Qps,TodayRevenue,TodayFillRate,YesterdayRevenue';
  const { bytes } = await received(`${many}?Fields=${Fields}&Sort=Name`, { 'accept-encoding': 'br' });
  assert.equal(JSON.parse(String(brotliDecompressSync(bytes))).length, 1000);
  assert.ok(bytes.length < 50_000, `${bytes.length} bytes`);
});

test('a client that hangs up in a compressed array leaves the server serving', async () => {
  for (let time = 0; time < 5; time += 1) {
    const asked = request(`${server.url}${many}`, {
      headers: { authorization: `Bearer ${server.token}`, 'accept-encoding': 'br' },
    });
    asked.end();
    const [answer] = await once(asked, 'response');
    answer.destroy();
  }
  assert.equal((await received(one)).status, 200);
});
