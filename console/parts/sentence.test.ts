import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../build/find-field-tables.ts';
import { amountText } from './value-text.ts';

const { entityOf } = await import('../field-tables.ts');
const { fieldOf, fieldsOf, sentenceOf } = await import('../fields.ts');
const { inSentences, sentenceText, wordsAround } = await import('./sentence.ts');

const campaign = entityOf('Campaign') ?? assert.fail('no campaigns');
const field = (name: string) => fieldOf(campaign, name) ?? assert.fail(name);
const frequency = sentenceOf(field('FrequencyKey'));

describe('fields of frequency say together', () => {
  const none = {
    ...{ FrequencyCap: 0, FrequencyHours: 0, FrequencyMinMinutes: 0 },
    ...{ FrequencyKey: 0, FrequencyUnknown: 0 },
  };
  const cases = [
    ['nothing, where none is set', none, ''],
    [
      'the whole rule',
      { ...none, FrequencyCap: 3, FrequencyHours: 24, FrequencyMinMinutes: 30, FrequencyKey: 2 },
      'At most 3 impressions in any 24 h, at least 30 min apart, for each IP address; viewers without it: show, uncounted',
    ],
    [
      'only what is set',
      { ...none, FrequencyMinMinutes: 30, FrequencyUnknown: 1 },
      'At least 30 min apart, for each user ID; viewers without it: do not show',
    ],
    ['one impression', { FrequencyCap: 1 }, 'At most 1 impression'],
    ['what of it has changed', { FrequencyHours: 48, FrequencyKey: 1 }, 'In any 48 h, for each device ID'],
    ['nothing of what has no effect', { FrequencyCap: 0, FrequencyHours: 24, FrequencyKey: 1 }, ''],
  ] as const;
  for (const [what, values, text] of cases)
    test(what, () => assert.equal(sentenceText(frequency, values), text));
});

test('fields that make a sentence stand together, each other one alone', () => {
  const all = fieldsOf(campaign);
  const groups = inSentences(all, (one) => one);
  assert.deepEqual(groups.flat(), all);
  assert.deepEqual(
    groups.filter((group) => group.length > 1).map((group) => group.map(({ name }) => name)),
    [frequency.map(({ name }) => name)],
  );
  assert.deepEqual(wordsAround(field('FrequencyMinMinutes').phrase ?? ''), ['at least ', ' apart']);
});

test('one of a unit is said as one', () => {
  assert.deepEqual(
    (['impressions', 'requests/s', 'rows', 'ms', 'min'] as const).map((unit) => amountText(1, unit)),
    ['1 impression', '1 request/s', '1 row', '1 ms', '1 min'],
  );
});
