import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnswerCache } from '../../src/management/http/answer-cache.ts';

const sizeMax = 16 * 1024 * 1024;
/** What an entry takes at least, beside its JSON: measured with the heap. */
const entrySizeMin = 250;

const cases: readonly (readonly [what: string, answers: number, json: string, keptMax: number])[] = [
  ['empty pages', 200_000, '', sizeMax / entrySizeMin],
  ['pages of a thousand characters', 30_000, 'x'.repeat(1000), sizeMax / 1000],
];

for (const [what, answers, json, keptMax] of cases) {
  test(`keeps no more ${what} than it has room for`, async () => {
    const cache = createAnswerCache();
    const keyOf = (n: number) => `VastTag/1/{"afterId":${n}}`;
    for (let n = 0; n < answers; n += 1) await cache.getOrMake(keyOf(n), '1', async () => ({ json }));
    let kept = 0;
    const gone = () => Promise.reject(new Error('gone'));
    for (let n = 0; n < answers; n += 1) {
      await cache.getOrMake(keyOf(n), '1', gone).then(
        () => {
          kept += 1;
        },
        () => undefined,
      );
    }
    assert.ok(kept > 0 && kept <= keptMax, `${kept} are kept`);
  });
}

test('keeps an answer that is made again and again, since it takes the room once', async () => {
  const cache = createAnswerCache();
  const json = 'x'.repeat(1_000_000);
  await cache.getOrMake('other', '1', async () => ({ json }));
  for (let state = 0; state < 100; state += 1)
    await cache.getOrMake('one', String(state), async () => ({ json }));
  const { json: kept } = await cache.getOrMake('other', '1', () => Promise.reject(new Error('gone')));
  assert.equal(kept, json);
});
