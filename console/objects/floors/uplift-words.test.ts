import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RuleFigures, upliftWords } from './uplift-words.ts';

const control = { Opportunities: 10, Bids: 8, Impressions: 4, Cost: 0, Revenue: 0.02, PerThousand: 2 };

test('says what a rule brought, how sure that is, and when nobody knows', () => {
  const cases: readonly (readonly [Pick<RuleFigures, 'Control' | 'Uplift'>, string])[] = [
    [
      { Control: control, Uplift: { PerThousand: 0.24, Low: 0.08, High: 0.42 } },
      '+12 % revenue per 1,000 requests, between +4 % and +21 %.',
    ],
    [
      { Control: control, Uplift: { PerThousand: -0.2, Low: -0.3, High: -0.1 } },
      '−10 % revenue per 1,000 requests, between −15 % and −5 %.',
    ],
    [
      { Control: control, Uplift: { PerThousand: 0.02, Low: -0.1, High: 0.14 } },
      'No clear difference: between −5 % and +7 % revenue per 1,000 requests.',
    ],
    [
      { Control: { ...control, PerThousand: 0 }, Uplift: { PerThousand: 2, Low: 1, High: 3 } },
      '+$2.00 revenue per 1,000 requests, between +$1.00 and +$3.00.',
    ],
    [{ Control: control, Uplift: null }, 'Not enough traffic yet to tell.'],
  ];
  for (const [figures, words] of cases) assert.equal(upliftWords(figures), words);
});
