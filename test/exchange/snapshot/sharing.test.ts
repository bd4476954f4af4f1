import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { compileExchange } from '../../../src/exchange/compile-exchange.ts';
import { createFollower } from '../../../src/exchange/snapshot/follower.ts';
import type { ThreadSharing } from '../../../src/exchange/snapshot/sharing.ts';
import { shareConfiguration } from '../../../src/serving/shared-configuration.ts';
import { joinThreadGroup, threadGroupMemory } from '../../../src/serving/thread-group.ts';
import { seeded } from '../../support/seed.ts';
import { anyRounds, idMax } from './any-changes.ts';
import { describeSnapshot } from './describe-snapshot.ts';
import { createNaiveFeed, type NaiveFeed } from './naive-feed.ts';
import { type Compiled, plainCompile } from './plain-compile.ts';

/** A first thread and two others, in this thread: what they say is cloned, as messages are. */
function createThreads({ feed }: NaiveFeed, isSilent: () => boolean) {
  const answers = new Map<string, (question: unknown) => Promise<unknown>>();
  const first: ThreadSharing = {
    leads: true,
    ask: async () => undefined,
    answer: (topic, reply) => void answers.set(topic, reply),
  };
  const other: ThreadSharing = {
    leads: false,
    answer: () => undefined,
    async ask(topic, question) {
      const reply = isSilent() ? undefined : answers.get(topic);
      return structuredClone(await reply?.(structuredClone(question)));
    },
  };
  return [first, other, other].map((sharing) => {
    const compiled: Compiled = [];
    return { ...createFollower(feed, plainCompile(compiled), sharing), compiled };
  });
}

const round = fc.record({ isSilent: fc.boolean(), follow: fc.tuple(fc.boolean(), fc.boolean()) });

test('threads that ask the first serve what is configured, also where it has no answer', async () => {
  const anyTime = fc.tuple(anyRounds, fc.array(round, { minLength: 10, maxLength: 10 }));
  await fc.assert(
    fc.asyncProperty(anyTime, async ([rounds, circumstances]) => {
      const naive = createNaiveFeed();
      let isSilent = false;
      const threads = createThreads(naive, () => isSilent);
      for (const thread of threads) await thread.load();
      for (const [place, changes] of rounds.entries()) {
        const { follow = [], isSilent: isSilentNow = false } = circumstances[place] ?? {};
        isSilent = isSilentNow;
        for (const change of changes) change(naive);
        const following = threads.filter((_, thread) => thread === 0 || follow[thread - 1] === true);
        await Promise.all(following.map((thread) => thread.catchUp()));
        const whole = createFollower(naive.feed, plainCompile());
        await whole.load();
        const expected = describeSnapshot(whole.current(), idMax);
        for (const { current } of following) {
          assert.equal(current().revision, whole.current().revision);
          assert.deepEqual(describeSnapshot(current(), idMax), expected);
        }
      }
      for (const thread of threads) thread.close();
    }),
    seeded(60),
  );
});

test('a list is compiled once for all threads', async () => {
  const naive = createNaiveFeed();
  const threads = createThreads(naive, () => false);
  const lists = () =>
    threads.map(({ compiled }) => compiled.filter((what) => what.startsWith('list')).length);
  naive.write('DomainList', 1, ['a.example']);
  naive.put('VastTag', 1, { connections: { DomainsBrandsList: [1] } });
  for (const thread of threads) await thread.load();
  assert.deepEqual(lists(), [1, 0, 0]);
  naive.write('DomainList', 1, ['b.example']);
  for (const thread of threads) await thread.catchUp();
  assert.deepEqual(lists(), [2, 0, 0]);
});

/** A configuration with a list, of which demand is connected to a tag. */
function smallFeed(): NaiveFeed {
  const naive = createNaiveFeed();
  naive.put('Publisher', 1, {});
  naive.put('Advertiser', 1, {});
  naive.write('DomainList', 1, ['a.example', 'sub.b.example']);
  for (const id of [1, 2, 3]) {
    naive.put('DspVastTag', id, { ownerId: 1, connections: { DomainsBrandsList: [1] } });
  }
  naive.put('VastTag', 1, { ownerId: 1, connections: { DspVastTags: [1, 2] } });
  return naive;
}

test('threads of a group serve from the memory of the first, follow it, and are started again', async (t) => {
  const naive = smallFeed();
  const memory = threadGroupMemory(3);
  const group = joinThreadGroup(memory, 0);
  group.channel.respond('revision', () => naive.feed.revision());
  const first = createFollower(naive.feed, compileExchange, shareConfiguration(group));
  await first.load();
  const start = (number: number) =>
    new Worker(new URL('./following-thread.ts', import.meta.url), { workerData: { memory, number, idMax } });
  const threads = [start(1), start(2)];
  t.after(async () => {
    await Promise.all(threads.map((thread) => thread.terminate()));
    first.close();
    group.channel.close();
  });
  const tellsTheSame = async (thread: Worker) => {
    const [told] = await once(thread, 'message');
    assert.deepEqual(told, structuredClone(describeSnapshot(first.current(), idMax)));
  };
  await Promise.all(threads.map(tellsTheSame));
  const changes: readonly (() => void)[] = [
    () => naive.put('DspVastTag', 2, { settings: { Countries: [{ CC: 'DE' }], MaxQps: 7 } }),
    () => naive.write('DomainList', 1, ['b.example']),
    () => naive.put('DspVastTag', 1, { status: 1 }),
    () => naive.put('VastTag', 1, { connections: { DspVastTags: [3, 2] } }),
    () => naive.put('Advertiser', 1, { status: 1 }),
  ];
  for (const change of changes) {
    change();
    await first.catchUp();
    const told = threads.map(tellsTheSame);
    for (const thread of threads) thread.postMessage('follow');
    await Promise.all(told);
  }
  await threads[0]?.terminate();
  group.release(1);
  threads[0] = start(1);
  await tellsTheSame(threads[0]);
});
