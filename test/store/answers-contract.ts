import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Refusal } from '../../src/fields/fault.ts';
import type { Engine } from './engine.ts';
import { newActor, type Opened, openedFor, roomOf } from './team-room.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const answer = (text: string) => ({ requestHash: `request of ${text}`, answer: text });

function expiry({ opened }: Opened): void {
  /** A room on a store of its own, whose clock stands where it is set. */
  const clockedRoom = async () => {
    const clock = { ms: Date.UTC(2026, 0, 1) };
    const { database } = opened();
    const store = await database.open(() => clock.ms);
    return { clock, ...roomOf(database, store, await newActor(store)) };
  };

  test('live for 24 hours, by whichever clock; then the key is free', async () => {
    const { clock, write, store } = await clockedRoom();
    const recall = async () => (await write((transaction) => transaction.recall('a')))?.answer;
    const remember = (text: string, key = 'a') =>
      write((transaction) => transaction.remember(key, answer(text)));
    await remember('first');
    clock.ms += dayMs - 1;
    assert.equal(await recall(), 'first');
    clock.ms += 1;
    assert.equal(await recall(), undefined);
    await remember('second');
    assert.equal(await recall(), 'second');
    // What was written by a clock that was fast stands in the way of none that came later.
    clock.ms += 10 * dayMs;
    await remember('fast', 'b');
    clock.ms -= 9 * dayMs;
    await write((transaction) => transaction.recall('a'));
    await remember('third');
    clock.ms += dayMs;
    await write((transaction) => transaction.recall('a'));
    await remember('fourth');
    assert.equal(await recall(), 'fourth');
    await store.close();
  });

  test('may be forgotten by a job that is then refused', async () => {
    const { clock, write, store } = await clockedRoom();
    await write((transaction) => transaction.remember('a', answer('old')));
    clock.ms += dayMs;
    const refused = write(async (transaction) => {
      assert.equal(await transaction.recall('a'), undefined);
      throw new Refusal('key_reused', 'refused');
    });
    await assert.rejects(refused, /refused/);
    await write((transaction) => transaction.remember('a', answer('new')));
    assert.equal((await write(({ recall }) => recall('a')))?.answer, 'new');
    await store.close();
  });
}

function forgetting(engine: Engine): void {
  test('are forgotten a lot at a time, and looked for once a minute when none is left', async () => {
    const database = await engine.fresh();
    const clock = { ms: Date.UTC(2026, 0, 1) };
    const store = await database.open(() => clock.ms);
    const { write } = roomOf(database, store, await newActor(store));
    const old = Array.from({ length: 450 }, (_, number) => `old ${number}`);
    await write(async ({ remember }) => {
      for (const key of old) await remember(key, answer(key));
    });
    const halfMs = minuteMs / 2;
    const left: number[] = [];
    for (const afterMs of [dayMs - 1, dayMs, 0, 0, 0, dayMs, halfMs, dayMs - halfMs, halfMs, halfMs + 1]) {
      clock.ms += afterMs;
      await write(({ remember }) => remember(`new ${left.length}`, answer('new')));
      left.push(await database.answers());
    }
    assert.deepEqual(left, [451, 252, 53, 3, 4, 1, 2, 2, 3, 3]);
    await store.close();
    await database.remove();
  });
}

function keeping({ room }: Opened): void {
  test("are the team's, and found by their key's hash", async () => {
    const [mine, theirs] = [await room(), await room()];
    await mine.write((transaction) => transaction.remember('a', answer('mine')));
    await theirs.write((transaction) => transaction.remember('a', answer('theirs')));
    const recalled = await mine.write(({ recall }) => Promise.all(['a', 'b'].map(recall)));
    assert.deepEqual(
      recalled.map((found) => found?.answer),
      ['mine', undefined],
    );
    assert.equal((await theirs.write(({ recall }) => recall('a')))?.requestHash, 'request of theirs');
  });

  test('go with a transaction that is undone', async () => {
    const { write } = await room();
    const undone = write(async (transaction) => {
      await transaction.remember('a', answer('undone'));
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    assert.equal(await write(({ recall }) => recall('a')), undefined);
  });
}

/** What the store promises of answers to requests that may come again. */
export function answersContract(engine: Engine): void {
  describe('remembered answers', () => {
    const opened = openedFor(engine);
    keeping(opened);
    expiry(opened);
    forgetting(engine);
  });
}
