import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFloors } from '../../src/cli/config/read-floors.ts';

test('a table has rules by country and device, with faults by row', () => {
  assert.deepEqual(readFloors('country;device;floor;currency\nDE;phone;1.5;eur\n*;;0.2;\n'), {
    rules: [
      { Name: 'Floor DE phone', Countries: [{ CC: 'DE' }], DeviceTypes: [4], Floor: 1.5, Currency: 'EUR' },
      { Name: 'Floor * *', Floor: 0.2 },
    ],
    faults: [],
  });
  assert.deepEqual(readFloors('country,floor,colour\nXX,1,\nDE,much,\n').faults, [
    'row 1: colour is no column of floors; possible ones: country, device, mediaType, size, floor, name, currency, net, priority, skipPercent',
    'row 2: "XX" is not a value of country',
    'row 3: "much" is not a value of floor',
  ]);
});

test('a floors file of Prebid has rules in the order in which Prebid looks for them', () => {
  const data = {
    currency: 'EUR',
    skipRate: 10,
    floorMin: 0.5,
    schema: { fields: ['mediaType', 'size', 'country'] },
    values: { 'banner|300x250|DEU': 2, 'banner|*|*': 0.1, '*|300x250|*': 0.7, 'video|*|us': 4 },
    default: 0.2,
  };
  const shared = { Currency: 'EUR', SkipPercent: 10 };
  const rules = [
    {
      Name: 'Prebid banner|300x250|DEU',
      AdTypes: [1],
      SizesList: ['300x250'],
      Countries: [{ CC: 'DE' }],
      Floor: 2,
      Priority: 1,
    },
    { Name: 'Prebid banner|*|*', AdTypes: [1], Floor: 0.5, Priority: 3 },
    { Name: 'Prebid *|300x250|*', SizesList: ['300x250'], Floor: 0.7, Priority: 4 },
    { Name: 'Prebid video|*|us', AdTypes: [2], Countries: [{ CC: 'US' }], Floor: 4, Priority: 2 },
    { Name: 'Prebid default', Floor: 0.5, Priority: 20 },
  ].map((rule) => ({ ...rule, ...shared }));
  for (const file of [
    data,
    { floors: { data } },
    { data: { ...data, values: undefined, modelGroups: [data] } },
  ])
    assert.deepEqual(readFloors(JSON.stringify(file)), { rules, faults: [] });
});

test('what Prebid has and rules have not is told', () => {
  const read = (schema: object, values: object) => readFloors(JSON.stringify({ schema, values })).faults;
  assert.deepEqual(read({ fields: ['gptSlot', 'size'] }, { '/1/home|*': 1, '*|big': 1, '*': 1 }), [
    '/1/home|*: gptSlot is no condition of floor rules; use * for it, and name supply or a Domain List in the rule',
    '*|big: "big" is not a value of size',
    '*: has 1 parts, and the schema 2 fields',
  ]);
  assert.deepEqual(readFloors('{'), { rules: [], faults: ['the file is not valid JSON'] });
  assert.equal(readFloors('{}').faults.length, 1);
});
