import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { createMockDsps } from '../../src/simulation/mock-dsps/mock-dsps.ts';
import { seededRandom } from '../../src/simulation/random.ts';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';

const bounds = { msMax: 300, bytesMax: 1024 * 1024, atOnceMax: 3 };
let dsps: Loopback;

before(async () => {
  const mocks = createMockDsps({
    mount: '/dsp',
    keys: () => ['k', ''],
    random: seededRandom(1),
    baseUrl: () => dsps.url,
    bounds,
    media: '/film.mp4',
    mediaType: 'video/mp4',
    landing: '/landing',
  });
  const server = createServer((request, response) => {
    if (!mocks.handle(request, response)) response.writeHead(404).end();
  });
  dsps = await listenOnLoopback(server);
});
after(() => dsps.close());

/** How many bytes came until the mock DSP ended the answer or cut it off. */
async function bytesOf(fault: string): Promise<{ readonly bytes: number; readonly isWhole: boolean }> {
  let bytes = 0;
  try {
    const { body } = await fetch(`${dsps.url}/dsp/k/vast/fault=${fault}`);
    for await (const part of body ?? []) bytes += part.length;
    return { bytes, isWhole: true };
  } catch {
    return { bytes, isWhole: false };
  }
}

describe('a fault of a mock DSP has its bounds', () => {
  const cut: readonly (readonly [fault: string, bytesMax: number])[] = [
    ['endless', bounds.bytesMax],
    ['hang', 0],
    ['drip', 100],
  ];
  for (const [fault, bytesMax] of cut) {
    test(`${fault} is cut off`, async () => {
      const { bytes, isWhole } = await bytesOf(fault);
      assert.equal(isWhole, false);
      assert.ok(bytes <= bytesMax, `${bytes} bytes`);
    });
  }

  test('a bomb unpacks to 64 MiB, and no more', async () => {
    // The first may be cut off while the bomb is packed.
    let bomb = await bytesOf('bomb');
    for (let time = 0; time < 50 && !bomb.isWhole; time += 1) bomb = await bytesOf('bomb');
    assert.deepEqual(bomb, { bytes: 64 * 1024 * 1024, isWhole: true });
  });

  for (const fault of ['hang', 'drip']) {
    test(`of ${fault}, there are few at once, and room again after them`, async () => {
      const statuses = await Promise.all(
        Array.from({ length: 9 }, () =>
          fetch(`${dsps.url}/dsp/k/vast/fault=${fault}`).then(
            async ({ status, body }) => {
              await body?.cancel();
              return status;
            },
            () => 'cut off',
          ),
        ),
      );
      assert.equal(
        statuses.filter((status) => status === 503).length,
        9 - bounds.atOnceMax,
        String(statuses),
      );
      assert.equal((await bytesOf(fault)).isWhole, false);
    });
  }

  test('without a key, and by an empty one, nobody is answered', async () => {
    for (const path of ['vast/price=2', '/vast/price=2', 'K/vast/price=2', 'event/vast/price=2']) {
      assert.equal((await fetch(`${dsps.url}/dsp/${path}`)).status, 404, path);
    }
  });
});
