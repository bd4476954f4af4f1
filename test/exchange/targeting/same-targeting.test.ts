import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { demandRules } from '../../../src/exchange/targeting/rules.ts';
import { isSameTargeting } from '../../../src/exchange/targeting/same-targeting.ts';
import { objectWith } from './samples.ts';

type Sent = Readonly<Record<string, unknown>>;

describe('two versions of an object ask the same', () => {
  const cases: readonly (readonly [name: string, before: Sent, after: Sent, isSame: boolean])[] = [
    ['of nothing changed', { Countries: ['DE'] }, { Countries: ['DE'] }, true],
    ['of another name', {}, { Name: 'Other' }, true],
    ['of no restriction and none', { Countries: [] }, { Countries: [] }, true],
    ['not of a restriction that begins', { Countries: [] }, { Countries: ['DE'] }, false],
    ['not of one that ends', { Countries: ['DE'] }, { Countries: [] }, false],
    ['not of another key', { Countries: ['DE'] }, { Countries: ['AT'] }, false],
    ['not of one key more', { Countries: ['DE'] }, { Countries: ['DE', 'AT'] }, false],
    ['of keys in another order', { Countries: ['AT', 'DE'] }, { Countries: ['DE', 'AT'] }, true],
    ['not of a bound that changes', { MaxBidfloor: 1 }, { MaxBidfloor: 2 }, false],
  ];
  for (const [name, before, after, isSame] of cases) {
    test(name, () => {
      const [one, other] = [before, after].map((settings) => objectWith('DspVastTag', settings));
      assert.ok(one && other);
      assert.equal(isSameTargeting(demandRules, one, other), isSame);
    });
  }
});
