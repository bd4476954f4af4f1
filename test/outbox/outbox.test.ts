import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { frameOf, framesIn } from '../../src/outbox/frames.ts';
import { createOutboxWriter } from '../../src/outbox/outbox-writer.ts';
import type { Delivery } from '../../src/outbox/receiver.ts';
import { segmentPath, segmentsIn } from '../../src/outbox/segments.ts';
import { createShipping } from '../../src/outbox/shipping.ts';
import { takeAbandonedSlots, takeFirstSlot } from '../../src/outbox/slots.ts';
import { killChildren, startChild } from '../store/child.ts';
import { seed } from '../support/seed.ts';
import { smallDisk } from '../support/small-disk.ts';

const root = mkdtempSync(join(tmpdir(), 'bourse-outbox-'));
after(() => rmSync(root, { recursive: true, force: true }));
afterEach(killChildren);

const fresh = () => mkdtempSync(join(root, 'part-'));
const megabyte = 1024 * 1024;
const disk = smallDisk();
const skip = disk === undefined && 'only root may mount a small disk';

/** A receiver that remembers what it took, each delivery once; `fails` tells what becomes of the next. */
function remembering(fails: () => 'away' | 'lost answer' | undefined = () => undefined) {
  const taken = new Map<string, string[]>();
  const receive = async ({ key, records }: Delivery) => {
    const outcome = fails();
    if (outcome === 'away') throw new Error('away');
    // It knows by the key what it has: a repeated delivery must hold the same records.
    const texts = records.map(String);
    if (taken.has(key)) assert.deepEqual(taken.get(key), texts);
    taken.set(key, texts);
    if (outcome === 'lost answer') throw new Error('the answer was lost');
  };
  return { receiver: { name: 'test', receive }, taken: () => [...taken.values()].flat() };
}

type ShippingOptions = Parameters<typeof createShipping>[0];

function shippingOf(
  folder: string,
  receiver: ShippingOptions['receiver'],
  onFailure: ShippingOptions['onFailure'] = () => undefined,
) {
  return createShipping({
    receiver,
    folders: () => [folder],
    sourceOf: () => 'source',
    now: () => 0,
    onFailure,
  });
}

const bytesMax = 64 * megabyte;
const numbers = (from: number, until: number) =>
  Array.from({ length: until - from }, (_, index) => String(from + index));

async function append(folder: string, texts: readonly string[]): Promise<void> {
  const writer = createOutboxWriter({ folder, bytesMax });
  assert.deepEqual(
    await Promise.all(texts.map((text) => writer.append(Buffer.from(text)))),
    texts.map(() => true),
  );
  await writer.close();
}

describe('records', () => {
  test(`are read up to the first that is not whole, wherever it is cut or damaged (seed ${seed})`, () => {
    const records = fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(records, fc.nat(), fc.boolean(), (written, at, isCut) => {
        const bytes = Buffer.concat(written.map(frameOf));
        const place = at % bytes.length;
        const spoilt = isCut ? bytes.subarray(0, place) : Buffer.from(bytes);
        if (!isCut) spoilt[place] = (spoilt[place] ?? 0) ^ 0x40;
        let end = 0;
        const whole = written.filter((record) => {
          end += record.length + 8;
          return end <= place;
        });
        assert.deepEqual(
          framesIn(spoilt).map(({ record }) => [...record]),
          whole.map((record) => [...record]),
        );
      }),
      { seed },
    );
  });
});

describe('an outbox', () => {
  test('gives a receiver everything once and in order, and deletes what it has taken', async () => {
    const folder = fresh();
    const { receiver, taken } = remembering();
    const shipping = shippingOf(folder, receiver);
    await append(folder, numbers(0, 50));
    await shipping.shipAll();
    await append(folder, numbers(50, 70));
    await append(folder, numbers(70, 75));
    await shipping.shipAll();
    await shipping.shipAll();
    assert.deepEqual(taken(), numbers(0, 75));
    assert.equal((await segmentsIn(folder)).length, 1);
  });

  test('loses and doubles nothing while the receiver is away, or its answers are lost', async () => {
    const folder = fresh();
    const outcomes = ['away', 'away', 'lost answer', 'away', 'lost answer', 'lost answer'] as const;
    let attempt = 0;
    const { receiver, taken } = remembering(() => outcomes[attempt++]);
    for (let round = 0; round < 9; round += 1) {
      await append(folder, numbers(round * 10, round * 10 + 10));
      // A process of its own each time: what it knows stands in the folder.
      await shippingOf(folder, receiver)
        .shipAll()
        .catch(() => undefined);
    }
    assert.deepEqual(taken(), numbers(0, 90));
  });

  test('leaves out a torn tail, and what comes after it is read', async () => {
    const folder = fresh();
    await append(folder, numbers(0, 10));
    const [name = ''] = readdirSync(folder);
    appendFileSync(join(folder, name), frameOf(Buffer.from('torn')).subarray(0, 9));
    const { receiver, taken } = remembering();
    const shipping = shippingOf(folder, receiver);
    // It may still be under way.
    await shipping.shipAll();
    assert.equal(shipping.lostBytes(), 0);
    await append(folder, numbers(10, 20));
    await shipping.shipAll();
    assert.deepEqual(taken(), numbers(0, 20));
    assert.equal(shipping.lostBytes(), 9);
  });

  test('reports by name a file with a wrong byte, and reads on behind it', async () => {
    const folder = fresh();
    await append(folder, numbers(0, 10));
    await append(folder, numbers(10, 20));
    const [path = ''] = (await segmentsIn(folder)).map((segment) => segmentPath(folder, segment));
    const bytes = readFileSync(path);
    bytes[5 * 9 + 8] = 'x'.charCodeAt(0);
    writeFileSync(path, bytes);
    const { receiver, taken } = remembering();
    const told: string[] = [];
    const shipping = shippingOf(folder, receiver, (error, what) => told.push(`${error}; ${what}`));
    await shipping.shipAll();
    assert.deepEqual(taken(), [...numbers(0, 5), ...numbers(10, 20)]);
    const what = '45 bytes of the outbox are skipped: damage, or what a killed process did not finish';
    assert.deepEqual(told, [`Error: ${path} cannot be read from byte 45 on; ${what}`]);
  });

  test('takes no more when it is full, and again when a receiver has made room', async () => {
    const folder = fresh();
    let nowMs = 0;
    const writer = createOutboxWriter({ folder, bytesMax: 100_000, now: () => nowMs });
    const record = Buffer.alloc(40_000, 'x');
    const fill = async () => {
      nowMs += 20_000;
      return writer.append(record);
    };
    assert.deepEqual([await fill(), await fill(), await fill()], [true, true, false]);
    const { receiver, taken } = remembering();
    await shippingOf(folder, receiver).shipAll();
    assert.equal(taken().length, 2);
    await writer.close();
    // The file that was written to is deleted once there is a newer one.
    await append(folder, ['newer']);
    await shippingOf(folder, receiver).shipAll();
    assert.equal(await fill(), true);
    await writer.close();
  });

  test('rejects, and goes on in a new file, where the disk fails', async () => {
    const folder = join(fresh(), 'file');
    writeFileSync(folder, 'no folder');
    const writer = createOutboxWriter({ folder, bytesMax });
    await assert.rejects(writer.append(Buffer.from('a')));
    rmSync(folder);
    assert.equal(await writer.append(Buffer.from('b')), true);
    await writer.close();
    const { receiver, taken } = remembering();
    await shippingOf(folder, receiver).shipAll();
    assert.deepEqual(taken(), ['b']);
  });

  test('refuses on a full disk, in few files, and loses and reports nothing once there is room', {
    skip,
  }, async () => {
    const filler = join(disk ?? '', 'filler');
    writeFileSync(filler, Buffer.alloc(megabyte));
    const folder = join(disk ?? '', 'outbox');
    const writer = createOutboxWriter({ folder, bytesMax });
    const record = Buffer.alloc(20_000, 'x');
    let acknowledged = 0;
    const bring = async () => {
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => writer.append(record)));
      const written = outcomes.filter(({ status }) => status === 'fulfilled').length;
      acknowledged += written;
      return written;
    };
    while ((await bring()) > 0);
    for (let time = 0; time < 20; time += 1) await bring();
    assert.ok((await segmentsIn(folder)).length <= 3);
    rmSync(filler);
    assert.equal(await bring(), 3);
    await writer.close();
    const { receiver, taken } = remembering();
    const shipping = shippingOf(folder, receiver);
    await shipping.shipAll();
    assert.equal(taken().length, acknowledged);
    assert.equal(shipping.lostBytes(), 0);
  });

  test('has all that was acknowledged before kill -9, whenever that came', async () => {
    const folder = fresh();
    const module = new URL('./writer-process.ts', import.meta.url);
    let acknowledged = 0;
    const { receiver, taken } = remembering();
    for (const lines of [1, 40, 7]) {
      const child = startChild(module, [folder, String(acknowledged)]);
      for (let line = 0; line < lines; line += 1) acknowledged = Number(await child.line()) + 1;
      child.process.kill('SIGKILL');
      await child.ended;
      await shippingOf(folder, receiver).shipAll();
    }
    await append(folder, ['end']);
    await shippingOf(folder, receiver).shipAll();
    const seen = taken();
    for (const number of numbers(0, acknowledged)) assert.ok(seen.includes(number), `${number} is lost`);
  });
});

describe('the parts of processes', () => {
  test('are each for one process, and those of a process that was killed are taken over', async () => {
    const folder = fresh();
    const first = takeFirstSlot(folder);
    const second = takeFirstSlot(folder);
    assert.notEqual(first.id, second.id);
    assert.deepEqual(takeAbandonedSlots(folder), []);
    const child = startChild(new URL('./slot-process.ts', import.meta.url), [folder]);
    const third = await child.line();
    assert.deepEqual(takeAbandonedSlots(folder), []);
    child.process.kill('SIGKILL');
    await child.ended;
    const [left] = takeAbandonedSlots(folder);
    assert.equal(left?.folder, third);
    first.release();
    const again = takeFirstSlot(folder);
    assert.equal(again.id, first.id);
    for (const slot of [second, again, left]) slot?.release();
  });
});

test('what a receiver has taken stands in a file that is never half written', async () => {
  const folder = fresh();
  await append(folder, numbers(0, 3));
  const { receiver } = remembering();
  await shippingOf(folder, receiver).shipAll();
  const place = JSON.parse(readFileSync(join(folder, 'test.place'), 'utf8'));
  assert.deepEqual(place.from.segment, 1);
  // The rest of a write that was cut off stands beside it.
  writeFileSync(join(folder, 'test.place.new'), '{"from":{"segm');
  truncateSync(join(folder, 'test.place.new'), 3);
  await append(folder, numbers(3, 5));
  await shippingOf(folder, receiver).shipAll();
  assert.deepEqual((await segmentsIn(folder)).length, 1);
});
