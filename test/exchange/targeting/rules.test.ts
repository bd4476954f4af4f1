import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { ServedObject } from '../../../src/exchange/configuration.ts';
import type { ListRegistry } from '../../../src/exchange/lists/list-registry.ts';
import type { Opportunity } from '../../../src/exchange/opportunity.ts';
import { compileChecks } from '../../../src/exchange/targeting/compile-checks.ts';
import { demandRules, supplyRules } from '../../../src/exchange/targeting/rules.ts';
import { opportunityWith } from '../unrestricted.ts';
import { crawledDemandRows, crawledSupplyRows } from './crawled-rows.ts';
import { demandRows, samples } from './demand-rows.ts';
import { listsWith, objectWith } from './samples.ts';
import { supplyRows } from './supply-rows.ts';

describe('targeting rules', () => {
  let lists: ListRegistry;
  before(async () => {
    lists = await listsWith(samples);
  });
  const firstRefusal = (object: ServedObject, rules: typeof supplyRules, met: Opportunity) =>
    compileChecks(object, rules, lists)
      .map((check) => check(met))
      .find((refusal) => refusal !== undefined);

  for (const [side, rules, rows] of [
    ['demand', demandRules, [...demandRows, ...crawledDemandRows]],
    ['supply', supplyRules, [...supplyRows, ...crawledSupplyRows]],
  ] as const) {
    for (const [what, [entity, values], met, expected] of rows) {
      test(`${side}: ${what}`, () => {
        const refusal = firstRefusal(objectWith(entity, values), rules, opportunityWith(met));
        assert.deepEqual(refusal, expected);
      });
    }
  }

  test('a long restriction is told in short', () => {
    const PubIdList = Array.from({ length: 1000 }, (_, line) => `pub-${line}`).join('\n');
    const object = objectWith('DspVastTag', { PubIdListMode: 1, PubIdList });
    const refusal = firstRefusal(object, demandRules, opportunityWith({ sellerId: 'x' }));
    assert.ok(Array.isArray(refusal?.wanted));
    assert.deepEqual(refusal.wanted.slice(-2), ['pub-19', 'and 980 more']);
  });
});
