import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { readPopAnswer } from '../../src/protocols/pop/read-pop-answer.ts';
import { createMockDsps } from '../../src/simulation/mock-dsps/mock-dsps.ts';
import { seededRandom } from '../../src/simulation/random.ts';

let server: Server;
let url: string;

before(async () => {
  const mocks = createMockDsps({
    mount: '/dsp',
    keys: () => ['k'],
    random: seededRandom(1),
    baseUrl: () => url,
    media: '/film.mp4',
    mediaType: 'video/mp4',
    landing: '/landing',
  });
  server = createServer((request, response) => {
    if (!mocks.handle(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

test('a mock pop feed bids with its price, and leads to the landing page', async () => {
  const answer = await fetch(`${url}/dsp/k/pop/price=3,domain=games.example?q=shoes`);
  assert.equal(answer.status, 200);
  const records = readPopAnswer(await answer.text());
  assert.ok(typeof records === 'object');
  assert.partialDeepStrictEqual(records, [{ price: 3, target: `${url}/landing` }]);
});

test('a mock pop feed that does not bid answers 204', async () => {
  assert.equal((await fetch(`${url}/dsp/k/pop/fill=0`)).status, 204);
});
