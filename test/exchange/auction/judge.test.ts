import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SupplyKind, supplyKindNames } from '../../../src/entities/kinds.ts';
import { judgeBid } from '../../../src/exchange/auction/judge.ts';
import type { Bid } from '../../../src/exchange/demand/demand-kind.ts';
import type { Opportunity } from '../../../src/exchange/opportunity.ts';
import { markupKind } from '../../../src/protocols/markup-kind.ts';
import { assertGrowsEvenly } from '../../support/work-bound.ts';
import { bidOf, demandOf, opportunity, supplyOf } from '../demand/examples.ts';
import { settingsOf } from '../settings-of.ts';
import { blockCases } from './block-cases.ts';
import { formatCases, kinds } from './format-cases.ts';
import { cases, type Document, wrapper } from './judge-cases.ts';
import { taxonomyCases } from './taxonomy-cases.ts';
import { vastCases } from './vast-cases.ts';

/** A kind of supply that has all these settings. */
function kindWith(sent: Document): SupplyKind {
  const hasAll = (kind: SupplyKind) => Object.keys(sent).every((name) => name in settingsOf(kind));
  return supplyKindNames.find(hasAll) ?? assert.fail();
}

function verdict(supply: Document, bid: Partial<Bid>, given: Partial<Opportunity>) {
  return judgeBid(supplyOf(kindWith(supply), supply), bidOf(bid), { ...opportunity, ...given });
}

const allCases = {
  ...cases,
  ...vastCases,
  ...formatCases,
  'what the request blocks': blockCases,
  'the taxonomy of categories': taxonomyCases,
};

for (const [rule, casesOfRule] of Object.entries(allCases)) {
  describe(rule, () => {
    for (const [name, supply, bid, given, expected] of casesOfRule) {
      test(name, () => {
        const met = verdict(supply, bid, given);
        if (expected === undefined) assert.equal(met, undefined);
        else assert.partialDeepStrictEqual(met, expected);
      });
    }
  });
}

describe('the kind of markup', () => {
  for (const [markup, kind] of kinds) {
    test(JSON.stringify(markup.slice(0, 40)), () => assert.equal(markupKind(markup), kind));
  }

  test('takes no longer for what is hostile', () => {
    const length = 500_000;
    for (const part of [
      '<!--',
      '<!---->',
      '<?',
      '<!doctype',
      ' \n',
      '<a:',
      '{"',
      '[',
      '%20',
      '&amp;',
      'A',
      '\\',
    ]) {
      assertGrowsEvenly(() => markupKind(part.repeat(length / part.length)), part);
    }
  });
});

describe("a DSP RTB EP's own lists", () => {
  const listed: readonly [name: string, demand: Document, bid: Partial<Bid>, expected: object | undefined][] =
    [
      [
        'a seat in a blacklist',
        { SeatListMode: 0, SeatList: 's1' },
        { seat: 's1' },
        { reason: 'seat_listed', field: 'SeatList', met: 's1' },
      ],
      ['a seat in a whitelist', { SeatListMode: 1, SeatList: 's1\ns2' }, { seat: 's2' }, undefined],
      [
        'no seat, whitelist',
        { SeatListMode: 1, SeatList: 's1' },
        {},
        { reason: 'seat_listed', wanted: 'listed', met: '' },
      ],
      [
        'a creative in a blacklist',
        { CridListMode: 0, CridList: 'c1' },
        { creativeId: 'c1' },
        { reason: 'creative_id_listed' },
      ],
      ['no lists', {}, { seat: 's1', creativeId: 'c1' }, undefined],
    ];
  for (const [name, document, bid, expected] of listed) {
    test(name, () => {
      const met = verdict({}, { ...bid, demand: demandOf('DspRtbEp', document) }, {});
      if (expected === undefined) assert.equal(met, undefined);
      else assert.partialDeepStrictEqual(met, expected);
    });
  }
});

test('the first rule in the order of the steps refuses', () => {
  const supply = {
    AdDomainsBrandsBlacklist: 'brand.example',
    BlockedAdIabCategories: ['IAB1'],
    VastInlineOnly: 1,
  };
  const bid = { adDomains: ['brand.example'], categories: ['IAB1'], markup: wrapper };
  const reasons = [
    verdict(supply, { ...bid, priceCpmMicros: 1 }, { floorCpmMicros: 2 }),
    verdict(supply, bid, {}),
    verdict({ ...supply, AdDomainsBrandsBlacklist: '' }, bid, {}),
    verdict({ VastInlineOnly: 1 }, bid, {}),
  ].map((refusal) => refusal?.reason);
  assert.deepEqual(reasons, ['below_floor', 'domain_blocked', 'category_blocked', 'not_inline']);
});
