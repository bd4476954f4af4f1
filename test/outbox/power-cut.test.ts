import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createOutboxWriter } from '../../src/outbox/outbox-writer.ts';
import type { Receiver } from '../../src/outbox/receiver.ts';
import { createShipping } from '../../src/outbox/shipping.ts';
import { type Syncs, type WatchedDisk, watchDisk } from './power-cut.ts';

const root = mkdtempSync(join(tmpdir(), 'bourse-power-cut-'));
after(() => rmSync(root, { recursive: true, force: true }));

const fresh = () => mkdtempSync(join(root, 'disk-'));
const below = ['events', '0', 'thread'];
const bytesMax = 2 ** 30;

/** By key; what comes again must be the same. */
type Taken = Map<string, readonly string[]>;

function receiverOf(taken: Taken): Receiver {
  return {
    name: 'test',
    async receive({ key, records }) {
      const texts = records.map((record) => record.toString('latin1', 0, 8));
      assert.deepEqual(texts, taken.get(key) ?? texts);
      taken.set(key, texts);
    },
  };
}

const shippingOf = (folder: string, taken: Taken) =>
  createShipping({
    receiver: receiverOf(taken),
    folders: () => [folder],
    sourceOf: () => 'source',
    now: () => 0,
    onFailure: assert.ifError,
  });

/** What was there at an instant. */
interface Cut {
  readonly disk: string;
  readonly acknowledged: readonly string[];
  readonly taken: Taken;
}

interface Run {
  readonly syncs?: Syncs;
  readonly recordBytes?: number;
  readonly groups: readonly number[];
  /** Called with the group’s number; then the group is written. */
  readonly before?: (group: number, disk: WatchedDisk) => void;
}

/** Writes in groups and ships after each third, and cuts the power after every sync and acknowledgement. */
async function cutsOf({ syncs = 'all', recordBytes = 8, groups, before }: Run): Promise<Cut[]> {
  const computer = fresh();
  const folder = join(computer, ...below);
  const cuts: Cut[] = [];
  const acknowledged: string[] = [];
  const taken: Taken = new Map();
  const cut = () => {
    const target = fresh();
    disk.leaveIn(target);
    cuts.push({ disk: target, acknowledged: [...acknowledged], taken: new Map(taken) });
  };
  const disk = watchDisk(computer, syncs, cut);
  try {
    const writer = createOutboxWriter({ folder, bytesMax });
    const shipping = shippingOf(folder, taken);
    let number = 0;
    for (const [index, size] of groups.entries()) {
      before?.(index, disk);
      const group = Array.from({ length: size }, () => String(number++).padEnd(8));
      const outcomes = await Promise.allSettled(
        group.map((text) => writer.append(Buffer.alloc(recordBytes, text))),
      );
      acknowledged.push(...group.filter((_, at) => outcomes[at]?.status === 'fulfilled'));
      cut();
      if (index % 3 === 2) await shipping.shipAll();
    }
    await writer.close();
  } finally {
    disk.close();
  }
  return cuts;
}

interface Outcome {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

/** What becomes of acknowledged records where another process goes on with what a cut has left. */
async function outcomeOf(cuts: readonly Cut[]): Promise<Outcome> {
  const lost = new Set<string>();
  const doubled = new Set<string>();
  for (const { disk, acknowledged, taken } of cuts) {
    const folder = join(disk, ...below);
    const writer = createOutboxWriter({ folder, bytesMax });
    await writer.append(Buffer.from('later'.padEnd(8)));
    await writer.close();
    await shippingOf(folder, taken).shipAll();
    const there = [...taken.values()].flat();
    for (const text of acknowledged) {
      const times = there.filter((one) => one === text).length;
      if (times === 0) lost.add(text);
      if (times > 1) doubled.add(text);
    }
  }
  return { lost: [...lost], doubled: [...doubled] };
}

const allOnce: Outcome = { lost: [], doubled: [] };

describe('when the power is cut, whatever was not synced is gone:', () => {
  const groups = [1, 1, 5, 40, 1, 7, 1, 1, 1];

  test('all that was acknowledged is still there, and arrives once, at any instant', async () => {
    const cuts = await cutsOf({ groups });
    assert.ok(cuts.length > 2 * groups.length);
    assert.deepEqual(await outcomeOf(cuts), allOnce);
  });

  test('also where files are full and new ones begin', async () => {
    const cuts = await cutsOf({ groups: [9, 9, 1, 1], recordBytes: 2 ** 20 });
    assert.deepEqual(await outcomeOf(cuts), allOnce);
  });

  test('also after the name of a new file could not be synced', async () => {
    const cuts = await cutsOf({ groups, before: (group, disk) => group === 0 && disk.failFolder('thread') });
    assert.equal(cuts.at(-1)?.acknowledged.length, 57);
    assert.deepEqual(await outcomeOf(cuts), allOnce);
  });

  for (const syncs of ['of files', 'of folders'] as const) {
    test(`and it is noticed where syncs ${syncs} alone reach the disk`, async () => {
      const { lost } = await outcomeOf(await cutsOf({ groups: [1, 5], syncs }));
      assert.ok(lost.length > 0);
    });
  }
});
