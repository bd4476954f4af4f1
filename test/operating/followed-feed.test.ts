import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfigurationFeed } from '../../src/exchange/configuration.ts';
import { followForAll } from '../../src/threads/followed-feed.ts';
import type { ThreadChannel } from '../../src/threads/thread-channel.ts';

/** Two threads of a process on one database: what they ask of it, and when each hears of a commit. */
function startTwo() {
  const subscribed: ((value: unknown) => void)[] = [];
  const channel = {
    publish: (_: string, value: unknown) => {
      for (const listener of subscribed) listener(value);
    },
    subscribe: (_: string, listener: (value: unknown) => void) => void subscribed.push(listener),
  } as ThreadChannel;
  const state = { last: 7, nowMs: 0, isAway: false, asked: [0, 0] };
  const commits: (() => void)[] = [];
  const [first, second] = [0, 1].map((number) => {
    const revision = async () => {
      state.asked[number] = (state.asked[number] ?? 0) + 1;
      if (state.isAway) throw new Error('away');
      return state.last;
    };
    const onChange = (listener: () => void) => {
      commits[number] = listener;
      return () => undefined;
    };
    const feed = { revision, onChange } as unknown as ConfigurationFeed;
    return followForAll(feed, { number, threadsMax: 2, channel }, () => state.nowMs);
  });
  assert.ok(first && second);
  return { state, first, second, hears: () => commits[1]?.() };
}

test('one thread asks for the last revision, and the other only when it hears of a commit', async () => {
  const { state, first, second, hears } = startTwo();
  assert.equal(await second.revision(), 7, 'at its start it asks');
  for (let round = 1; round <= 10; round += 1) {
    state.nowMs = 1000 * round;
    await first.revision();
    assert.equal(await second.revision(), 7);
  }
  assert.deepEqual(state.asked, [10, 1]);
  state.last = 8;
  hears();
  assert.equal(await second.revision(), 8, 'before the first thread has asked');
  state.last = 9;
  await first.revision();
  assert.equal(await second.revision(), 9, 'told by the first, though it has heard of no commit');
  assert.deepEqual(state.asked, [11, 2]);
});

test('where the first thread is silent, and after a failure, the other asks by itself', async () => {
  const { state, first, second, hears } = startTwo();
  await second.revision();
  await first.revision();
  state.nowMs = 3000;
  state.last = 8;
  assert.equal(await second.revision(), 8);
  await first.revision();
  state.isAway = true;
  hears();
  await assert.rejects(second.revision());
  state.isAway = false;
  state.last = 9;
  assert.equal(await second.revision(), 9, 'what it heard of is not forgotten');
});
