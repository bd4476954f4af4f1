import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readRates, UnreadableRates } from '../../../src/protocols/rates/read-rates.ts';

const prebid = (conversions: unknown, dataAsOf: unknown = '2027-01-29') =>
  JSON.stringify({ dataAsOf, conversions, generatedAt: '2027-01-29T12:00:00.000Z' });

const ecb = (cubes: string, time = 'time="2027-01-29"') => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject>
<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
<Cube><Cube ${time}>${cubes}</Cube></Cube></gesmes:Envelope>`;

const usd = '<Cube currency="USD" rate="1.0857"/>';

describe('rates', () => {
  test("in Prebid's form: what a unit is worth in USD", () => {
    const { date, usdPerUnit } = readRates(
      prebid({ USD: { USD: 1, EUR: 0.8, JPY: 160 }, GBP: { EUR: 1.2 } }),
    );
    assert.equal(date, '2027-01-29');
    assert.deepEqual(
      [...usdPerUnit],
      [
        ['EUR', 1.25],
        ['JPY', 0.00625],
      ],
    );
  });

  test('a rate to USD itself outranks the one that follows from USD', () => {
    const { usdPerUnit } = readRates(prebid({ USD: { EUR: 0.92, GBP: 0.8 }, EUR: { USD: 1.0857 } }));
    assert.deepEqual(
      [...usdPerUnit],
      [
        ['EUR', 1.0857],
        ['GBP', 1.25],
      ],
    );
  });

  test('of the European Central Bank: by EUR, with cross rates', () => {
    const { date, usdPerUnit } = readRates(ecb(`${usd}<Cube currency='JPY' rate='2.1714'/>`));
    assert.equal(date, '2027-01-29');
    assert.deepEqual(
      [...usdPerUnit],
      [
        ['EUR', 1.0857],
        ['JPY', 0.5],
      ],
    );
  });

  test('a day with a time', () => {
    assert.equal(readRates(prebid({ USD: { EUR: 0.9 } }, '2027-01-29T00:00:00.000Z')).date, '2027-01-29');
  });
});

const many = Object.fromEntries(Array.from({ length: 401 }, (_, at) => [`C${at}`, 1]));

const faults: readonly (readonly [what: string, text: string, fault: RegExp])[] = [
  ['no JSON', 'rates', /it is neither JSON nor XML/],
  ['a list', '[]', /it is neither JSON nor XML/],
  ['no conversions', '{"dataAsOf":"2027-01-29"}', /conversions must be an object, but is missing/],
  [
    'no date',
    '{"conversions":{"USD":{"EUR":0.9}}}',
    /dataAsOf must be a day like 2027-01-31, but is missing/,
  ],
  ['a day that is none', prebid({ USD: { EUR: 0.9 } }, '2027-02-30'), /dataAsOf must be a day .*2027-02-30/],
  ['a code in small letters', prebid({ USD: { eur: 0.9 } }), /conversions\.USD has "eur", which is no code/],
  [
    'a member of all objects',
    '{"dataAsOf":"2027-01-29","conversions":{"__proto__":{"USD":1}}}',
    /"__proto__"/,
  ],
  ['a rate of 0', prebid({ USD: { EUR: 0 } }), /conversions\.USD\.EUR must be a number above 0, but is 0/],
  ['a rate below 0', prebid({ USD: { EUR: -1 } }), /EUR must be a number above 0/],
  ['a text', prebid({ USD: { EUR: '0.9' } }), /EUR must be a number above 0, but is "0.9"/],
  ['a rate that is none', prebid({ USD: { EUR: 1e-9 } }), /one EUR must be worth 1e-7 to 100 USD/],
  ['a rate that is too low', prebid({ USD: { EUR: 1e9 } }), /one EUR must be worth/],
  ['nothing', prebid({ USD: { USD: 1 } }), /it names no currency besides USD/],
  ['too many', prebid({ USD: many }), /more than 400 currencies/],
  ['too long', ' '.repeat(1_048_577), /more than 1048576 characters/],
  ['XML without USD', ecb('<Cube currency="JPY" rate="1"/>'), /it has no rate of USD/],
  ['XML without a day', ecb(usd, ''), /time must be a day/],
  ['XML with a rate that is none', ecb('<Cube currency="USD" rate="1e3"/>'), /USD must be a number above 0/],
  ['XML without a rate', ecb('<Cube currency="USD"/>'), /USD must be a number above 0, but is missing/],
  ['XML of several days', ecb(`${usd}</Cube><Cube time="2027-01-28">`), /several days/],
  ['a page', '<html><p>', /not well-formed/],
  ['a DOCTYPE', '<!DOCTYPE html><html/>', /DOCTYPE/],
  ['too many elements', ecb('<Cube/>'.repeat(2001)), /more than 2000 elements/],
];

describe('rates that cannot be read', () => {
  for (const [what, text, fault] of faults) {
    test(what, () => {
      assert.throws(
        () => readRates(text),
        (error) => error instanceof UnreadableRates && fault.test(error.message),
      );
    });
  }
  test('whatever is sent', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((one) => `{"conversions":${one}}`),
        ),
        (text) => {
          assert.throws(() => readRates(text), UnreadableRates);
        },
      ),
    );
  });
});
