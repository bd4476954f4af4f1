import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { entityOf } from '../../src/entities/registry.ts';
import { Refusal } from '../../src/fields/fault.ts';
import type { Engine } from './engine.ts';
import { type Opened, openedFor, type TeamRoom } from './team-room.ts';

const domains = entityOf('DomainList');
const read = (room: TeamRoom, id: number, key = 'DomainList') =>
  Array.fromAsync(room.store.text(entityOf(key), id));

/** The parts, joined, with a turn of the event loop between them; or the code of the refusal to go on. */
async function readSlowly(room: TeamRoom, id: number): Promise<string> {
  const parts: string[] = [];
  try {
    for await (const part of room.store.text(domains, id)) {
      parts.push(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return parts.join();
}

function keeping({ room }: Opened): void {
  test('come back part by part, as they were given', async () => {
    const mine = await room();
    const text = ['a.example\nb.example', 'bücher.example', '🎈\u2028\t"\\', `${'x'.repeat(300_000)}`];
    const id = await mine.add('DomainList', { Name: 'list' }, { text });
    assert.deepEqual(await read(mine, id), text);
  });

  test('are empty where none was given, or an empty one, or of an object that is not there', async () => {
    const mine = await room();
    const id = await mine.add('DomainList', { Name: 'list' });
    const empty = await mine.add('DomainList', { Name: 'list' }, { text: [] });
    for (const list of [id, empty, empty + 1000]) assert.deepEqual(await read(mine, list), []);
  });

  test('are replaced whole, by more parts or by fewer', async () => {
    const mine = await room();
    const id = await mine.add('DomainList', { Name: 'list' }, { text: ['1', '2', '3'] });
    for (const text of [['a', 'b', 'c', 'd'], ['z'], [], ['y', 'x']]) {
      await mine.update('DomainList', id, { text });
      assert.deepEqual(await read(mine, id), text);
    }
  });

  test('stay when the object changes otherwise', async () => {
    const mine = await room();
    const id = await mine.add('DomainList', { Name: 'list' }, { text: ['a.example'] });
    await mine.update('DomainList', id, { document: { Name: 'renamed' } });
    await mine.setStatus('DomainList', id, 1);
    assert.deepEqual(await read(mine, id), ['a.example']);
  });
}

function parting({ room }: Opened): void {
  test('of lists of different kinds do not mix, though the IDs are the same', async () => {
    const mine = await room();
    const kinds = ['DomainList', 'AppList', 'IpList', 'KeywordList'];
    const ids: number[] = [];
    for (const key of kinds) ids.push(await mine.add(key, { Name: key }, { text: [`of ${key}`] }));
    for (const [index, key] of kinds.entries()) {
      assert.deepEqual(await read(mine, ids[index] ?? 0, key), [`of ${key}`]);
    }
  });

  test('are no part of the document', async () => {
    const mine = await room();
    const id = await mine.add('DomainList', { Name: 'list', DomainCount: 1 }, { text: ['a.example'] });
    const object = await mine.get('DomainList', id);
    assert.deepEqual(object.document, { Name: 'list', DomainCount: 1 });
    assert.deepEqual(JSON.stringify(await mine.changes()).includes('a.example'), false);
  });

  test('can be read while other writes go on, and by several at once', async () => {
    const mine = await room();
    const text = Array.from({ length: 50 }, (_, part) => `part ${part}`);
    const id = await mine.add('DomainList', { Name: 'list' }, { text });
    const writes = Array.from({ length: 20 }, () => mine.add('Tag', { Name: 'beside' }));
    const reads = await Promise.all([read(mine, id), read(mine, id), read(mine, id)]);
    for (const parts of reads) assert.deepEqual(parts, text);
    await Promise.all(writes);
  });

  test('are read as they were at one moment, or not to the end', async () => {
    const mine = await room();
    const texts = [20, 10, 30].map((parts, index) =>
      Array.from({ length: parts }, (_, part) => `${index} ${part}`),
    );
    const id = await mine.add('DomainList', { Name: 'list' }, { text: texts[0] ?? [] });
    let isDone = false;
    const updates = (async () => {
      for (const text of texts.slice(1)) await mine.update('DomainList', id, { text });
      isDone = true;
    })();
    const seen = new Set<string>();
    for (let reads = 0; !isDone || reads < 3; reads += 1) {
      seen.add(await readSlowly(mine, id));
    }
    await updates;
    const allowed = ['unavailable', ...texts.map((parts) => parts.join())];
    assert.deepEqual(
      [...seen].filter((parts) => !allowed.includes(parts)),
      [],
    );
    assert.deepEqual(await read(mine, id), texts[2]);
  });
}

/** Texts of lists, in parts. */
export function textsContract(engine: Engine): void {
  describe('texts of lists', () => {
    const opened = openedFor(engine);
    keeping(opened);
    parting(opened);
  });
}
