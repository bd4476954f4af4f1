import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fastify from 'fastify';
import { answerError } from '../../src/management/http/errors.ts';
import { createOverloadDetector, shedLoad } from '../../src/management/http/overload.ts';

describe('judging overload from samples of the event loop', () => {
  const cases: readonly (readonly [
    what: string,
    delaysMs: readonly number[],
    overloaded: readonly (0 | 1)[],
  ])[] = [
    ['a quiet server', [0, 1, 5, 20], [0, 0, 0, 0]],
    ['a busy one that keeps up', [150, 300, 399, 400], [0, 0, 0, 0]],
    ['one long piece of work', [5000, 1, 5000, 1], [0, 0, 0, 0]],
    ['two slow samples in a row', [401, 401, 500], [0, 1, 1]],
    ['recovery after two fine ones in a row', [900, 900, 10, 300, 10, 10], [0, 1, 1, 1, 1, 0]],
    ['overload, recovery, overload', [900, 900, 0, 0, 900, 900], [0, 1, 1, 0, 0, 1]],
  ];
  for (const [what, delaysMs, overloaded] of cases) {
    test(what, () => {
      const judge = createOverloadDetector();
      const found = delaysMs.map((delayMs) => {
        judge.note(delayMs);
        return Number(judge.isOverloaded());
      });
      assert.deepEqual(found, overloaded);
    });
  }
});

test('an overloaded server sheds requests before their work, but tells that it lives', async () => {
  const judge = createOverloadDetector();
  const app = fastify();
  app.setErrorHandler(answerError);
  shedLoad(app, judge);
  let served = 0;
  const serve = async () => {
    served += 1;
    return {};
  };
  app.get('/work', serve);
  app.get('/vital', { config: { isVital: true } }, serve);
  const statuses = async () =>
    Promise.all(['/work', '/vital', '/nothing'].map(async (url) => (await app.inject(url)).statusCode));

  assert.deepEqual(await statuses(), [200, 200, 404]);
  for (const delayMs of [900, 900]) judge.note(delayMs);
  assert.deepEqual(await statuses(), [503, 200, 503]);
  const refused = await app.inject('/work');
  assert.equal(refused.headers['retry-after'], '5');
  assert.partialDeepStrictEqual(refused.json(), {
    Status: 'Error',
    Error: 'The server is overloaded; try again later',
  });
  assert.equal(served, 3);
  for (const delayMs of [0, 0]) judge.note(delayMs);
  assert.deepEqual(await statuses(), [200, 200, 404]);
  await app.close();
});
