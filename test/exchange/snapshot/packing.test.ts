import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { exchangeKindNames, servedKindNames } from '../../../src/entities/kinds.ts';
import type { ConfigurationObject, ServedObject } from '../../../src/exchange/configuration.ts';
import { runAtOnce } from '../../../src/exchange/cooperative-task.ts';
import { createLocationReader, createObjectLog } from '../../../src/exchange/snapshot/object-locations.ts';
import { createObjectPacker } from '../../../src/exchange/snapshot/object-packer.ts';
import { type PackedObject, plainObject } from '../../../src/exchange/snapshot/packed-object.ts';
import { limitsOf } from '../../../src/exchange/snapshot/stored-settings.ts';
import { randomStream, seeded } from '../../support/seed.ts';
import { settingsOf } from '../settings-of.ts';

const anyText = fc.string({ unit: 'binary' });
const anyIds = fc.array(fc.nat({ max: 2 ** 40 }), { maxLength: 4 });
/** What a setting may be once it was stored: JSON, or nothing. */
const anyValue = fc.option(
  fc.oneof(
    anyText,
    fc.double({ noNaN: true }).map((value) => value + 0),
    fc.array(anyText),
    fc.jsonValue(),
  ),
  { nil: undefined },
);
const anyLimit = fc.oneof(fc.constant(0), fc.nat(), fc.constant(0.25));
const limitFields = ['MaxQps', 'RequestsDailyLimit', 'BidsDailyLimit', 'ImpressionsDailyLimit'] as const;
const anyLimits = fc.record(Object.fromEntries(limitFields.map((field) => [field, anyLimit])));
const anySecrets = fc.option(
  fc.record({ Auth: fc.array(fc.record({ Value: anyText, UntilMs: fc.nat({ max: 2 ** 45 }) })) }),
  { nil: undefined },
);
const anyZones = fc.option(
  fc.array(fc.record({ Zone: anyText, Turn: fc.constantFrom(0, 1), FromMs: fc.nat(), UntilMs: fc.nat() })),
  { nil: undefined },
);

/** As JSON has it: `-0` is 0 there, and members without a value are not there within values. */
const stored = (value: unknown) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

const anyObject: fc.Arbitrary<ConfigurationObject> = fc.constantFrom(...exchangeKindNames).chain((entity) => {
  const usual = settingsOf(entity);
  const others = Object.keys(usual).filter(
    (name) => !/Limit|MaxQps|Profit|Match|Referer|Pacing|Flights|Frequency/.test(name),
  );
  return fc
    .record({
      id: fc.nat({ max: 2 ** 50 }),
      teamId: fc.nat(),
      status: fc.constantFrom(0, 1),
      ownerId: fc.option(fc.nat(), { nil: undefined }),
      sent: fc.dictionary(fc.constantFrom(...others), anyValue),
      limits: anyLimits,
      connections: fc.record({ VastTags: anyIds, Tags: anyIds }),
      formerSecrets: anySecrets,
      formerZones: anyZones,
      textRevision: fc.nat(),
    })
    .map(({ sent, limits, connections, formerSecrets, formerZones, ...rest }) => {
      const own = Object.entries(sent).map(([name, value]) => [name, stored(value)]);
      const settings = { ...usual, ...Object.fromEntries(own), ...('MaxQps' in usual ? limits : {}) };
      const secrets = formerSecrets && { formerSecrets: stored(formerSecrets) };
      const zones = formerZones && { formerZones: stored(formerZones) };
      const object = { entity, ...rest, connections: stored(connections), settings, ...secrets, ...zones };
      return object as unknown as ConfigurationObject;
    });
});

const isServed = (object: ConfigurationObject): object is ServedObject =>
  (servedKindNames as readonly string[]).includes(object.entity);

/** All that a packing holds, as another thread gets it. */
function readElsewhere(packing: ReturnType<typeof createObjectPacker>): ConfigurationObject[] {
  // A clone has the same shared memory, as a message to a thread would.
  const told = structuredClone(createObjectLog(packing).since({ after: undefined, forms: 0, segments: [] }));
  return runAtOnce(createLocationReader().read(told, () => undefined));
}

/** Another thread, which follows the objects of a log. */
function followerOf(log: ReturnType<typeof createObjectLog>) {
  const told = createLocationReader();
  const held = new Map<number, ConfigurationObject>();
  let after: number | undefined;
  return {
    held,
    follow() {
      const answer = structuredClone(log.since({ ...told.known(), after }));
      after = answer.number;
      for (const object of runAtOnce(told.read(answer, ({ id }) => held.get(id))))
        held.set(object.id, object);
    },
  };
}

describe('an object that is kept as bytes', () => {
  test('opened is what was packed, in another thread too, with the limits of its settings', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyObject, { selector: ({ id }) => id, maxLength: 8 }), (objects) => {
        const packing = createObjectPacker();
        const packed = packing.pack(objects);
        packing.serve(packed);
        const byId = ({ id: a }: ConfigurationObject, { id: b }: ConfigurationObject) => a - b;
        assert.deepEqual(packed.map(plainObject), objects);
        assert.deepEqual(readElsewhere(packing).map(plainObject).sort(byId), objects.toSorted(byId));
        for (const [place, object] of objects.entries()) {
          if (isServed(object)) assert.deepEqual((packed[place] as PackedObject).limits, limitsOf(object));
        }
      }),
      seeded(300),
    );
  });

  test('may be longer than a segment', () => {
    const packing = createObjectPacker();
    const settings = { ...settingsOf('VastTag'), Name: 'ä'.repeat(5_000_000) };
    const own = { entity: 'VastTag', id: 1, teamId: 1, ownerId: 1, status: 0 } as const;
    const [packed] = packing.pack([{ ...own, settings, connections: {} }]);
    assert.equal(packed?.settings.Name, settings.Name);
  });
});

describe('memory of objects', () => {
  const count = 200;
  const segmentBytes = 64 * 1024;
  const tagWith = (id: number, size: number): ConfigurationObject<'DspVastTag'> => ({
    ...({ entity: 'DspVastTag', id, teamId: 1, ownerId: 1, status: 0 } as const),
    connections: {},
    textRevision: 0,
    settings: { ...settingsOf('DspVastTag'), Name: `${id}:`.padEnd(size, '.') },
  });
  const bytesIn = (packing: ReturnType<typeof createObjectPacker>) =>
    packing.segments().reduce((sum, { memory }) => sum + memory.byteLength, 0);

  test('of those that were replaced is given back, in other threads too, and all stay what they are', () => {
    const random = randomStream();
    const packing = createObjectPacker(segmentBytes);
    const log = createObjectLog(packing);
    const sizes = new Map<number, number>();
    const put = (ids: readonly number[]) => {
      for (const id of ids) sizes.set(id, 100 + Math.floor(random() * 4000));
      const packed = packing.pack(ids.map((id) => tagWith(id, sizes.get(id) ?? 0)));
      packing.serve(packed);
      log.noteAdded(packed, 1);
      const moved = runAtOnce(packing.compact());
      log.noteMoved(moved);
      return moved.length;
    };
    const others = [0.9, 0.3, 0.01].map((chance) => ({ ...followerOf(log), chance }));
    put(Array.from({ length: count }, (_, id) => id));
    let moves = 0;
    for (let round = 0; round < 1000; round += 1) {
      moves += put(Array.from({ length: 10 }, () => Math.floor(random() * count)));
      const served = packing.served().reduce((sum, { bytes }) => sum + bytes, 0);
      // Twice its own bytes, what does not fit at the end of a segment, and the one that is written.
      assert.ok(bytesIn(packing) < 2.3 * served + 2 * segmentBytes, `round ${round}: ${bytesIn(packing)}`);
      for (const { chance, follow } of others) if (random() < chance) follow();
    }
    assert.ok(moves > count, `${moves} objects were moved`);
    const memories = new Set(packing.segments().map(({ number }) => number));
    for (const { follow, held } of others) {
      follow();
      assert.equal(held.size, count);
      for (const [id, object] of held) {
        assert.deepEqual(plainObject(object), tagWith(id, sizes.get(id) ?? 0));
        assert.ok(memories.has((object as PackedObject).location.segment.number), 'no other memory is kept');
      }
    }
  });

  test('of pages that were read and never served is given back', () => {
    const packing = createObjectPacker(segmentBytes);
    for (let round = 0; round < 50; round += 1) {
      packing.pack(Array.from({ length: 50 }, (_, id) => tagWith(id, 4000)));
      runAtOnce(packing.compact());
    }
    assert.equal(packing.segments().length, 1);
  });

  test('is collected by itself, though V8 does not count what threads share', async () => {
    const packing = createObjectPacker();
    const seen = new Map<number, WeakRef<SharedArrayBuffer>>();
    for (let round = 0; round < 100; round += 1) {
      packing.serve(packing.pack([1, 2, 3, 4].map((id) => tagWith(id, 1_000_000))));
      runAtOnce(packing.compact());
      for (const { number, memory } of packing.segments()) seen.set(number, new WeakRef(memory));
      await turn();
    }
    const alive = seen.values().filter((memory) => memory.deref() !== undefined);
    assert.ok(seen.size >= 90);
    assert.ok(alive.toArray().length < 50);
  });
});
