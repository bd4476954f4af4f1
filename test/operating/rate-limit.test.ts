import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTokenRates, tokenRatesMemory } from '../../src/management/http/token-rates.ts';
import { type Managed, startManaged } from './managed.ts';

describe('counting the uses of tokens', () => {
  const cases: readonly (readonly [
    what: string,
    uses: readonly [token: number, ms: number][],
    counts: number[],
  ])[] = [
    [
      'counts up within a second',
      [
        [1, 1000],
        [1, 1500],
        [1, 1999],
      ],
      [1, 2, 3],
    ],
    [
      'begins again with the next',
      [
        [1, 1999],
        [1, 2000],
        [1, 2001],
      ],
      [1, 1, 2],
    ],
    [
      'counts each token for itself',
      [
        [1, 1000],
        [2, 1000],
        [1, 1000],
        [2, 1000],
      ],
      [1, 1, 2, 2],
    ],
    // IDs that are 4096 apart belong to one bucket of eight places.
    [
      'tells tokens of one bucket apart',
      Array.from({ length: 8 }, (_, n) => [1 + n * 4096, 1000]),
      Array(8).fill(1),
    ],
    [
      'gives the places of idle tokens to others',
      Array.from({ length: 20 }, (_, n) => [1 + n * 4096, 1000 * n + 1000]),
      Array(20).fill(1),
    ],
  ];
  for (const [what, uses, counts] of cases) {
    test(what, () => {
      const rates = createTokenRates(tokenRatesMemory());
      assert.deepEqual(
        uses.map(([token, ms]) => rates.count(token, ms)),
        counts,
      );
    });
  }

  test('counts together with other threads on the same memory', () => {
    const memory = tokenRatesMemory();
    const [a, b] = [createTokenRates(memory), createTokenRates(memory)];
    assert.deepEqual([a.count(7, 5000), b.count(7, 5000), a.count(7, 5000)], [1, 2, 3]);
  });
});

describe('BOURSE_API_RATE_LIMIT', () => {
  let nowMs = 1_790_000_000_000;
  let server: Managed | undefined;
  before(async () => {
    server = await startManaged({ perSecond: 3, now: () => nowMs });
  });
  after(() => server?.close());

  async function get(path: string, token: string) {
    assert.ok(server);
    const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
    const header = (name: string) => answer.headers.get(name);
    return {
      status: answer.status,
      policy: header('ratelimit-policy'),
      share: header('ratelimit'),
      retryAfter: header('retry-after'),
      limit: header('ratelimit-limit'),
      remaining: header('ratelimit-remaining'),
      reset: header('ratelimit-reset'),
      body: (await answer.json()) as { Status?: string; Error?: string },
    };
  }
  const token = () => (server ? server.tokenFor() : Promise.reject(new Error('no server')));

  test('lets so many requests of a token through in a second, tells how many are left, and then answers 429', async () => {
    const own = await token();
    const answers: Awaited<ReturnType<typeof get>>[] = [];
    for (let time = 0; time < 5; time += 1) answers.push(await get('/api/info/countries', own));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 429, 429],
    );
    assert.deepEqual(
      answers.map(({ share }) => share),
      ['"token";r=2;t=1', '"token";r=1;t=1', '"token";r=0;t=1', '"token";r=0;t=1', '"token";r=0;t=1'],
    );
    assert.deepEqual(
      answers.map(({ remaining }) => remaining),
      ['2', '1', '0', '0', '0'],
    );
    const refused = answers[3];
    assert.partialDeepStrictEqual(refused, {
      policy: '"token";q=3;w=1',
      limit: '3',
      reset: '1',
      retryAfter: '1',
    });
    assert.deepEqual(refused?.body, {
      Status: 'Error',
      Error: 'Too many requests with this token: 3 per second are allowed',
    });
    nowMs += 1000;
    assert.equal((await get('/api/info/countries', own)).status, 200);
  });

  test('counts each token for itself, and refuses before anything is read or done', async () => {
    const [one, other] = [await token(), await token()];
    for (let time = 0; time < 3; time += 1) await get('/api/tag/get', one);
    assert.ok(server);
    const post = await fetch(`${server.url}/api/tag/add`, {
      method: 'POST',
      body: 'no JSON',
      headers: { authorization: `Bearer ${one}` },
    });
    assert.equal(post.status, 429);
    assert.equal((await get('/api/tag/get', other)).status, 200);
  });

  test('limits nothing that has no token, and no wrong token', async () => {
    assert.ok(server);
    for (let time = 0; time < 5; time += 1) {
      const open = await fetch(`${server.url}/healthz`);
      assert.deepEqual([open.status, open.headers.get('ratelimit')], [200, null]);
      assert.equal((await get('/api/tag/get', 'wrong')).status, 401);
    }
  });
});

test('without a limit there are no such headers', async () => {
  const server = await startManaged();
  const headers = { authorization: `Bearer ${await server.tokenFor()}` };
  for (let time = 0; time < 20; time += 1) {
    const answer = await fetch(`${server.url}/api/tag/get`, { headers });
    assert.deepEqual([answer.status, answer.headers.get('ratelimit-policy')], [200, null]);
  }
  await server.close();
});
