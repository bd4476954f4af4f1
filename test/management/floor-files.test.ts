import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFloors } from '../../src/management/floor-files/read-floors.ts';

/** As documents of the configuration have it. */
const rulesOf = (text: string) =>
  readFloors(text).rules.map(({ added, conditions, settings }) => ({ ...added, ...conditions, ...settings }));
const faultsOf = (text: string) =>
  readFloors(text).faults.map(({ place, text: fault }) => (place ? `${place}: ${fault}` : fault));

test('a table has rules by country and device, those with more conditions first', () => {
  const text = 'country;device;floor;currency\nDE,at;connected TV;1,5;eur\nUSA;4;"2";\n*;;0.2;\n';
  assert.deepEqual(rulesOf(text), [
    {
      Name: 'Floor AT, DE Connected TV',
      Countries: [{ CC: 'DE' }, { CC: 'AT' }],
      DeviceTypes: [3],
      Floor: 1.5,
      Currency: 'EUR',
      Priority: 7,
    },
    { Name: 'Floor US Phone', Countries: [{ CC: 'US' }], DeviceTypes: [4], Floor: 2, Priority: 7 },
    { Name: 'Floor * *', Floor: 0.2, Priority: 10 },
  ]);
  assert.deepEqual(faultsOf(text), []);
});

test('a table with a row for each country and a column for each device has a rule for each floor', () => {
  assert.deepEqual(rulesOf('Country,Any device,phone,Tablet\nAny country,0.1,,\nDE,,1.5 EUR,2\n'), [
    { Name: 'Floor * *', Floor: 0.1, Priority: 10 },
    {
      Name: 'Floor DE Phone',
      Countries: [{ CC: 'DE' }],
      DeviceTypes: [4],
      Floor: 1.5,
      Currency: 'EUR',
      Priority: 7,
    },
    { Name: 'Floor DE Tablet', Countries: [{ CC: 'DE' }], DeviceTypes: [5], Floor: 2, Priority: 7 },
  ]);
  assert.deepEqual(faultsOf('country,phone,phon\nDE,1,1\n'), ['row 1: "phon" is not a value of device']);
});

test('bad rows of a table are told by their numbers, and the others are read', () => {
  const text =
    'country,floor,currency\nXX,1,\nDE,much,\nAT,"1,234",\nUS,1 EUR,GBP\nFR,2,\nfr,3,\nGB,-1,\nIT,4,\n';
  assert.deepEqual(faultsOf(text), [
    'row 2: "XX" is not a value of country',
    'row 3: "much" is not a value of floor; write it like 1.5 or 1.5 EUR',
    'row 4: "1,234" is not a value of floor; write it like 1.5 or 1.5 EUR',
    'row 5: names two currencies, EUR and GBP',
    'row 8: "-1" is not a value of floor; write it like 1.5 or 1.5 EUR',
    'row 7: has the same conditions as row 6; leave one of them out',
  ]);
  assert.deepEqual(
    rulesOf(text).map(({ Name }) => Name),
    ['Floor FR', 'Floor IT'],
  );
  const unknown = readFloors('country,colour\nDE,1\n');
  assert.deepEqual(unknown.rules, []);
  assert.match(unknown.faults[0]?.text ?? '', /^row 1: colour is no column of floors; possible ones: /);
  assert.equal(unknown.faults[1]?.text, 'row 1: there is no column floor');
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
  ]) {
    assert.deepEqual(rulesOf(JSON.stringify(file)), rules);
    assert.deepEqual(faultsOf(JSON.stringify(file)), []);
  }
});

test('what Prebid has and rules have not is told', () => {
  const read = (schema: object, values: object) => faultsOf(JSON.stringify({ schema, values }));
  assert.deepEqual(read({ fields: ['gptSlot', 'size'] }, { '/1/home|*': 1, '*|big': 1, '*': 1 }), [
    '/1/home|*: gptSlot is no condition of floor rules; use * for it, and name supply or a Domain List in the rule',
    '*|big: "big" is not a value of size',
    '*: has 1 parts, and the schema 2 fields',
  ]);
  assert.deepEqual(readFloors('{'), { rules: [], faults: [{ text: 'the file is not valid JSON' }] });
  assert.equal(faultsOf('{}').length, 1);
});
