import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { advanceFinding, openFinding } from '../../src/alerts/advance-finding.ts';
import { judgeMeasurement, type Observation } from '../../src/alerts/judge.ts';
import { type Rule, ruleOf } from '../../src/alerts/rule.ts';
import { ruleInWords } from '../../src/alerts/words.ts';
import type { Finding } from '../../src/store/alerts/interface.ts';

const ruleWith = (values: object): Rule => ruleOf({ Measure: 'Impressions', ...values });

type Holds = Observation['holds'];

/** Whether conditions hold for a figure, and one before: rule, now, before, expected. */
const conditions: readonly (readonly [
  rule: object,
  value: number,
  before: number | undefined,
  holds: Holds,
])[] = [
  [{ Condition: 'Below', Threshold: 10 }, 9.99, undefined, 'yes'],
  [{ Condition: 'Below', Threshold: 10 }, 10, undefined, 'no'],
  [{ Condition: 'Below', Threshold: -5, Measure: 'Profit' }, -6, undefined, 'yes'],
  [{ Condition: 'Below', Threshold: 10, Hysteresis: 5 }, 14.9, undefined, 'nearly'],
  [{ Condition: 'Below', Threshold: 10, Hysteresis: 5 }, 15, undefined, 'no'],
  [{ Condition: 'Above', Threshold: 40 }, 40, undefined, 'no'],
  [{ Condition: 'Above', Threshold: 40 }, 40.1, undefined, 'yes'],
  [{ Condition: 'Above', Threshold: 40, Hysteresis: 10 }, 31, undefined, 'nearly'],
  [{ Condition: 'Above', Threshold: 40, Hysteresis: 10 }, 29, undefined, 'no'],
  [{ Condition: 'Nothing' }, 0, undefined, 'yes'],
  [{ Condition: 'Nothing' }, 1, undefined, 'no'],
  [{ Condition: 'Nothing', Hysteresis: 10 }, 10, undefined, 'nearly'],
  [{ Condition: 'Nothing', Hysteresis: 10 }, 11, undefined, 'no'],
  [{ Condition: 'FallsBy', Threshold: 50 }, 50, 100, 'yes'],
  [{ Condition: 'FallsBy', Threshold: 50 }, 51, 100, 'no'],
  [{ Condition: 'FallsBy', Threshold: 50 }, 0, 0, 'no'],
  [{ Condition: 'FallsBy', Threshold: 50, Hysteresis: 20 }, 60, 100, 'nearly'],
  [{ Condition: 'FallsBy', Threshold: 50, Measure: 'Profit' }, -200, -100, 'yes'],
  [{ Condition: 'RisesBy', Threshold: 50 }, 150, 100, 'yes'],
  [{ Condition: 'RisesBy', Threshold: 50 }, 149, 100, 'no'],
  [{ Condition: 'RisesBy', Threshold: 50 }, 5, 0, 'no'],
];

describe('a condition', () => {
  for (const [values, value, before, expected] of conditions) {
    test(`${JSON.stringify(values)} of ${value} after ${before}: ${expected}`, () => {
      const measured = (figure: number) => ({ value: figure, volume: 0, of: undefined });
      const then = before === undefined ? undefined : measured(before);
      assert.equal(judgeMeasurement(ruleWith(values), measured(value), then).holds, expected);
    });
  }

  test('of a share says nothing where there is nothing it is a share of', () => {
    const rule = ruleWith({ Condition: 'Below', Threshold: 10, Measure: 'FillRate' });
    assert.deepEqual(judgeMeasurement(rule, { value: 0, volume: 0, of: 0 }, undefined), {
      value: null,
      compared: null,
      holds: 'no',
    });
    assert.equal(judgeMeasurement(rule, { value: 0, volume: 0, of: 1 }, undefined).holds, 'yes');
    for (const Condition of ['Below', 'Above', 'Nothing', 'FallsBy', 'RisesBy']) {
      const about = ruleWith({ Condition, Threshold: 1, Measure: 'Discrepancy' });
      const nothing = { value: null, volume: 1, of: 1 };
      const [now, before] = [
        judgeMeasurement(about, nothing, { ...nothing, value: 9 }),
        judgeMeasurement(about, { ...nothing, value: 9 }, nothing),
      ];
      assert.deepEqual([now.value, now.holds, before.compared], [null, 'no', null], Condition);
    }
  });

  test('wants its volume: now, and of a fall before', () => {
    const volume = { MinVolume: 100, MinVolumeOf: 'Requests' };
    const nothing = ruleWith({ Condition: 'Nothing', ...volume });
    assert.equal(judgeMeasurement(nothing, { value: 0, volume: 99, of: undefined }, undefined).holds, 'no');
    assert.equal(judgeMeasurement(nothing, { value: 0, volume: 100, of: undefined }, undefined).holds, 'yes');
    const falls = ruleWith({ Condition: 'FallsBy', Threshold: 50, ...volume });
    const gone = { value: 0, volume: 0, of: undefined };
    assert.equal(judgeMeasurement(falls, gone, { value: 9, volume: 100, of: undefined }).holds, 'yes');
    assert.equal(judgeMeasurement(falls, gone, { value: 9, volume: 99, of: undefined }).holds, 'no');
  });
});

/** What minute by minute is seen, and in which minute (from 0) it fires and ends. */
const courses: readonly (readonly [
  what: string,
  rule: object,
  seen: readonly Holds[],
  began: number | undefined,
  ended: number | undefined,
])[] = [
  ['at once', { HoldMinutes: 0, EndMinutes: 0 }, ['yes', 'no'], 0, 1],
  ['after it held', { HoldMinutes: 2, EndMinutes: 0 }, ['yes', 'yes', 'yes', 'no'], 2, 3],
  ['never, where it does not last', { HoldMinutes: 2 }, ['yes', 'yes', 'no'], undefined, undefined],
  ['not by what is nearly so', { HoldMinutes: 1 }, ['yes', 'nearly'], undefined, undefined],
  [
    'until it has not held for long enough',
    { HoldMinutes: 0, EndMinutes: 2 },
    ['yes', 'no', 'no', 'yes', 'no', 'no', 'no'],
    0,
    6,
  ],
  ['on, while it nearly holds', { HoldMinutes: 0, EndMinutes: 1 }, ['yes', 'no', 'nearly', 'no', 'no'], 0, 4],
];

describe('an alert fires', () => {
  for (const [what, values, seen, began, ended] of courses) {
    test(what, () => {
      const rule = ruleWith({ Condition: 'Nothing', ...values });
      let finding: Finding | undefined;
      for (const [minute, holds] of seen.entries()) {
        const look = { rule, words: '', nowMs: minute * 60_000, checkedMs: (minute - 1) * 60_000 };
        const one = { kind: '', id: 0, name: '', value: 0, compared: null, detail: '', holds };
        finding = finding ? advanceFinding(finding, one, look) : openFinding(one, look);
      }
      assert.equal(finding?.beganMs, began === undefined ? undefined : began * 60_000);
      assert.equal(finding?.endedMs, ended === undefined ? undefined : ended * 60_000);
    });
  }

  test('not by what held before nobody looked for a while', () => {
    const rule = ruleWith({ Condition: 'Nothing', HoldMinutes: 10 });
    const one = { kind: '', id: 0, name: '', value: 0, compared: null, detail: '', holds: 'yes' as const };
    const first = openFinding(one, { rule, words: '', nowMs: 0, checkedMs: 0 });
    const later = advanceFinding(first, one, { rule, words: '', nowMs: 3_600_000, checkedMs: 0 });
    assert.equal(later?.beganMs, undefined);
    assert.equal(later?.heldSinceMs, 3_600_000);
  });
});

/** What rules say in words. */
const sentences: readonly (readonly [values: object, words: string])[] = [
  [
    {
      Condition: 'Above',
      Measure: 'TimeoutRate',
      Threshold: 40,
      Window: 30,
      GroupBy: 'Demand',
      MinVolume: 100,
      Hysteresis: 10,
    },
    'For each demand object: the timeout rate is above 40 % over 30 minutes, if there are at least 100 calls. It fires once that has lasted 5 minutes, and ends once it has been over for 5 minutes (30 % or less).',
  ],
  [
    {
      Condition: 'Nothing',
      Measure: 'Impressions',
      Window: 30,
      MinVolume: 1000,
      MinVolumeOf: 'Requests',
      HoldMinutes: 0,
      EndMinutes: 1,
      Filters: [{ Field: 'Country', Operator: 'NotIn', Values: ['DE'] }],
    },
    'There are no impressions over 30 minutes, if there are at least 1,000 requests, where country is not DE. It fires at once, and ends once it has been over for 1 minute.',
  ],
  [
    {
      Condition: 'FallsBy',
      Measure: 'Revenue',
      Threshold: 50,
      Window: 120,
      CompareTo: 'Week',
      GroupBy: 'Publisher',
    },
    'For each publisher: the revenue is 50 % or more lower than at the same time a week before over 2 hours. It fires once that has lasted 5 minutes, and ends once it has been over for 5 minutes.',
  ],
  [
    {
      Condition: 'Below',
      Measure: 'Impressions',
      Threshold: 1000,
      Window: 1440,
      HoldMinutes: 0,
      EndMinutes: 0,
    },
    'The impressions are below 1,000 over 1 day. It fires at once, and ends as soon as it is over.',
  ],
  [
    { Condition: 'Nothing', Measure: 'FillRate', HoldMinutes: 0, EndMinutes: 0 },
    'The fill rate is 0 over 1 hour. It fires at once, and ends as soon as it is over.',
  ],
  [
    { Condition: 'PartnerPaused', Measure: '', HoldMinutes: 0, EndMinutes: 0 },
    'A partner is not called for a while because its calls fail. It fires at once, and ends as soon as it is over.',
  ],
];

describe('in words', () => {
  for (const [values, words] of sentences) {
    test(words.slice(0, 60), () => assert.equal(ruleInWords(ruleWith(values)), words));
  }
});
