import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { createListRegistry, type ListRegistry } from '../../../src/exchange/lists/list-registry.ts';
import type { Demand } from '../../../src/exchange/snapshot/demand.ts';
import { createCandidateIndex } from '../../../src/exchange/targeting/index/candidate-index.ts';
import { seeded } from '../../support/seed.ts';
import { opportunityWith } from '../unrestricted.ts';
import { type Arranged, exchange, fields, objectOf, opportunity, samples } from './arbitrary-exchange.ts';
import { naiveRefusal } from './naive-reading.ts';
import { assertRefusedCounted, demandOf, listsWith, objectWith, readingOf } from './samples.ts';

describe('the candidate index', () => {
  let lists: ListRegistry;
  before(async () => {
    lists = await listsWith(samples);
  });

  const built = (arranged: readonly Arranged[]) => {
    const objects = new Map<Demand, ReturnType<typeof objectOf>>();
    for (const [index, row] of arranged.entries()) {
      const object = objectOf(row, index + 1);
      objects.set(demandOf(object, lists, row.isOwnerActive), object);
    }
    const objectOfDemand = (demand: Demand) => objects.get(demand) ?? objectWith(demand.kind);
    return { objects, index: createCandidateIndex([...objects.keys()], readingOf(objectOfDemand), lists) };
  };

  test('selects and explains what the naive reading of the specification says', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(
        exchange,
        fc.array(opportunity, { minLength: 1, maxLength: 8 }),
        (arranged, opportunities) => {
          const { objects, index } = built(arranged);
          for (const met of opportunities) {
            const expected = [...objects].map(([demand, object]) => {
              if (!demand.isActive) return 'Status';
              if (!demand.account.isActive) return 'AdvertiserId';
              return naiveRefusal(object, met, samples);
            });
            for (const field of expected) seen.set(String(field), (seen.get(String(field)) ?? 0) + 1);
            const fitting = index.connected.filter((_, at) => expected[at] === undefined);
            assert.deepEqual(
              index.select(met).map(({ id }) => id),
              fitting.map(({ id }) => id),
            );
            const refused = index.connected.map((demand) => index.explain(demand, met) !== undefined);
            assert.deepEqual(
              refused,
              expected.map((field) => field !== undefined),
            );
            for (const [at, demand] of index.connected.entries()) {
              const field = index.explain(demand, met)?.field;
              if (expected[at] !== 'media') assert.equal(field, expected[at]);
            }
          }
          assertRefusedCounted(index, [...opportunities, ...opportunities.slice(0, 1)]);
        },
      ),
      // Fewer cases would leave out some rule.
      { ...seeded(120), numRuns: 120 },
    );
    const never = [...Object.keys(fields), 'undefined', 'media', 'Status', 'AdvertiserId'].filter(
      (field) =>
        !seen.has(field) && !/Mode$|^Type$|^TimeZone$|^HoursOf$|^(Banner|Video|Pop)Enabled$/.test(field),
    );
    assert.deepEqual(never, [], 'every rule refused somebody');
  });

  test('keeps the order of the connection over many words', () => {
    const objects = Array.from({ length: 1000 }, (_, at) =>
      objectWith('DspVastTag', at % 3 === 0 ? { Countries: ['DE'] } : {}, { id: 5000 - at }),
    );
    const none = createListRegistry();
    const demand = objects.map((object) => demandOf(object, none));
    const index = createCandidateIndex(
      demand,
      readingOf(({ id }) => objects[5000 - id] ?? objectWith('DspVastTag')),
      none,
    );
    assert.deepEqual(
      index.select(opportunityWith({ country: 'DE' })).map(({ id }) => id),
      demand.map(({ id }) => id),
    );
    assert.equal(index.select(opportunityWith({ country: 'FR' })).length, 666);
  });

  test('narrows down thousands by several rules, of which some leave whole words empty', () => {
    const objects = Array.from({ length: 3000 }, (_, at) =>
      objectWith(
        'DspVastTag',
        {
          ...(at % 3 === 0 && { Countries: ['DE'] }),
          ...(at % 200 < 150 && { DeviceTypes: [at % 7 === 0 ? 5 : 3] }),
          ...(at % 100 < 60 && { IabCategories: [at % 2 === 0 ? 'IAB1' : 'IAB2-1'] }),
          ...(at % 1000 < 900 && { Browsers: [{ Family: at % 11 === 0 ? 'Chrome' : 'Safari' }] }),
        },
        { id: at },
      ),
    );
    const none = createListRegistry();
    const demand = objects.map((object) => demandOf(object, none));
    const reading = readingOf(({ id }) => objects[id] ?? objectWith('DspVastTag'));
    const index = createCandidateIndex(demand, reading, none);
    const browser = { family: 'Chrome', major: '', minor: '' };
    for (const met of [
      opportunityWith({
        device: { types: [1, 5], browser },
        inventory: { categories: ['IAB1-3', 'IAB2-1'] },
      }),
      opportunityWith({ country: 'DE', device: { types: [3] }, inventory: { categories: ['IAB2'] } }),
      opportunityWith({ country: 'FR', device: { types: [3], browser } }),
    ]) {
      const expected = demand.filter((one) => index.explain(one, met) === undefined);
      assert.ok(expected.length > 0);
      assert.deepEqual(index.select(met), expected);
    }
  });

  test('of nothing connected selects nothing', () => {
    assert.deepEqual(
      createCandidateIndex(
        [],
        readingOf(() => objectWith('Campaign')),
        createListRegistry(),
      ).select(opportunityWith()),
      [],
    );
  });

  test('a list that changes counts for the next selection', async () => {
    const registry = await listsWith([{ kind: 'DomainList', id: 1, lines: ['example.com'] }]);
    const object = objectWith('DspVastTag', { DomainsBrandsList: [1] });
    const index = createCandidateIndex(
      [demandOf(object, registry)],
      readingOf(() => object),
      registry,
    );
    const met = opportunityWith({ inventory: { domain: 'example.com' } });
    assert.equal(index.select(met).length, 0);
    registry.remove('DomainList', 1);
    assert.equal(index.select(met).length, 1);
  });
});
