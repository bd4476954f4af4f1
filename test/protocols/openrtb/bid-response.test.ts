import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type ExpectedResponse, readBidResponse } from '../../../src/protocols/openrtb/bid-response.ts';
import { seeded } from '../../support/seed.ts';

const expected: ExpectedResponse = {
  id: 'a1',
  impIds: new Set(['1']),
  usdPerUnit: (currency) => (currency === 'JPY' ? 0.005 : undefined),
  priceMax: 1_000_000,
};

const good = { id: 'b1', impid: '1', price: 2.5, adm: '<VAST/>' };
const withBid = (bid: unknown, rest: object = {}) => ({ id: 'a1', seatbid: [{ bid: [bid] }], ...rest });

const read = (response: unknown) =>
  readBidResponse(typeof response === 'string' ? response : JSON.stringify(response), expected);

const defaults = {
  id: 'b1',
  impId: '1',
  price: 2.5,
  winUrl: '',
  billingUrl: '',
  lossUrl: '',
  markup: '<VAST/>',
  adId: '',
  adDomains: [],
  bundle: '',
  creativeId: '',
  categories: [],
  attributes: [],
  dealId: '',
  width: 0,
  height: 0,
  expirySeconds: 0,
  markupType: 0,
  seat: '',
};

const taken: readonly (readonly [name: string, response: unknown, bid: object])[] = [
  ['the least that a bid needs', withBid(good), {}],
  ['null for what is not told', withBid({ ...good, adomain: null, nurl: null, w: null }, { cur: null }), {}],
  [
    'members that nobody knows',
    withBid({ ...good, foo: { bar: [1] }, iurl: 5 }, { ext: 'x', customdata: 1 }),
    {},
  ],
  ['currency in lower case', withBid(good, { cur: 'usd' }), {}],
  [
    'markup by win notice',
    withBid({ ...good, adm: '', nurl: 'https://d/n' }),
    { markup: '', winUrl: 'https://d/n' },
  ],
  [
    'markup that is only space, by win notice',
    withBid({ ...good, adm: ' \n', nurl: 'https://d/n' }),
    { markup: '', winUrl: 'https://d/n' },
  ],
  ['a price in whole dollars', withBid({ ...good, price: 3 }), { price: 3 }],
  ['a price of a millionth', withBid({ ...good, price: 1e-6 }), { price: 1e-6 }],
  ['the highest price', withBid({ ...good, price: 1_000_000 }), { price: 1_000_000 }],
  [
    'every member that is read',
    {
      id: 'a1',
      cur: 'USD',
      seatbid: [
        {
          seat: 's1',
          group: 0,
          bid: [
            {
              ...good,
              nurl: 'n',
              burl: 'b',
              lurl: 'l',
              adid: 'ad',
              adomain: ['brand.example'],
              bundle: 'com.brand',
              crid: 'c1',
              cat: ['IAB1', 'IAB2-3'],
              attr: [1, 16],
              dealid: 'd1',
              w: 640,
              h: 360,
              exp: 300,
              mtype: 2,
            },
          ],
        },
      ],
    },
    {
      winUrl: 'n',
      billingUrl: 'b',
      lossUrl: 'l',
      adId: 'ad',
      adDomains: ['brand.example'],
      bundle: 'com.brand',
      creativeId: 'c1',
      categories: ['IAB1', 'IAB2-3'],
      attributes: [1, 16],
      dealId: 'd1',
      width: 640,
      height: 360,
      expirySeconds: 300,
      markupType: 2,
      seat: 's1',
    },
  ],
];

describe('a bid is read', () => {
  for (const [name, response, bid] of taken) {
    test(name, () => {
      const { bids, faults } = read(response);
      assert.deepEqual(faults, []);
      const known = bids.map(({ received: _, ...members }) => members);
      assert.deepEqual(known, [{ ...defaults, ...bid }]);
    });
  }
});

const refused: readonly (readonly [response: unknown, code: string, path: string])[] = [
  ['', 'not_json', ''],
  ['<VAST/>', 'not_json', ''],
  ['{"id":"a1","seatbid":[{"bid":[{"id":"b","impid":"1","price":NaN}]}]}', 'not_json', ''],
  ['{"id":"a1","seatbid":[{"bid":', 'not_json', ''],
  ['null', 'wrong_type', ''],
  ['[]', 'wrong_type', ''],
  ['"text"', 'wrong_type', ''],
  [{ id: 'a1', seatbid: {} }, 'wrong_type', 'seatbid'],
  [{ id: 'a1', seatbid: 'x' }, 'wrong_type', 'seatbid'],
  [{ id: 'a1', seatbid: [null] }, 'wrong_type', 'seatbid[0]'],
  [{ id: 'a1', seatbid: [{}] }, 'wrong_type', 'seatbid[0].bid'],
  [{ id: 'a1', seatbid: [{ bid: {} }] }, 'wrong_type', 'seatbid[0].bid'],
  [{ id: 'a1', seatbid: [{ bid: [good], seat: {} }] }, 'wrong_type', 'seatbid[0].seat'],
  [withBid(good, { id: 'a2' }), 'wrong_id', 'id'],
  [withBid(good, { id: 1 }), 'wrong_id', 'id'],
  [withBid(good, { id: undefined }), 'missing', 'id'],
  [withBid(good, { cur: 'EUR' }), 'wrong_currency', 'cur'],
  [withBid(good, { cur: '' }), 'wrong_currency', 'cur'],
  [withBid(good, { cur: 840 }), 'wrong_type', 'cur'],
  [withBid({ ...good, adm: ' \t\n' }), 'missing', 'seatbid[0].bid[0].adm'],
  [withBid(null), 'wrong_type', 'seatbid[0].bid[0]'],
  [withBid([good]), 'wrong_type', 'seatbid[0].bid[0]'],
  [withBid({ ...good, id: undefined }), 'missing', 'seatbid[0].bid[0].id'],
  [withBid({ ...good, id: 7.5 }), 'wrong_type', 'seatbid[0].bid[0].id'],
  [withBid({ ...good, impid: undefined }), 'missing', 'seatbid[0].bid[0].impid'],
  [withBid({ ...good, impid: '2' }), 'wrong_id', 'seatbid[0].bid[0].impid'],
  [withBid({ ...good, impid: [1] }), 'wrong_type', 'seatbid[0].bid[0].impid'],
  [withBid({ ...good, price: undefined }), 'missing', 'seatbid[0].bid[0].price'],
  [withBid({ ...good, price: '2.5' }), 'wrong_type', 'seatbid[0].bid[0].price'],
  [withBid({ ...good, price: 'NaN' }), 'wrong_type', 'seatbid[0].bid[0].price'],
  [withBid({ ...good, price: true }), 'wrong_type', 'seatbid[0].bid[0].price'],
  [withBid({ ...good, price: -1 }), 'wrong_price', 'seatbid[0].bid[0].price'],
  [withBid({ ...good, price: 0 }), 'wrong_price', 'seatbid[0].bid[0].price'],
  [withBid({ ...good, price: 1e308 }), 'wrong_price', 'seatbid[0].bid[0].price'],
  [withBid({ ...good, price: 1_000_000.01 }), 'wrong_price', 'seatbid[0].bid[0].price'],
  [JSON.stringify(withBid(good)).replace('2.5', '1e999'), 'wrong_price', 'seatbid[0].bid[0].price'],
  [JSON.stringify(withBid(good)).replace('2.5', '-1e999'), 'wrong_price', 'seatbid[0].bid[0].price'],
  [withBid({ ...good, adm: undefined }), 'missing', 'seatbid[0].bid[0].adm'],
  [withBid({ ...good, adm: 5 }), 'wrong_type', 'seatbid[0].bid[0].adm'],
  [withBid({ ...good, nurl: ['x'] }), 'wrong_type', 'seatbid[0].bid[0].nurl'],
  [withBid({ ...good, adomain: 'brand.example other.example' }), 'wrong_type', 'seatbid[0].bid[0].adomain'],
  [withBid({ ...good, adomain: [{}] }), 'wrong_type', 'seatbid[0].bid[0].adomain'],
  [withBid({ ...good, attr: ['x'] }), 'wrong_type', 'seatbid[0].bid[0].attr'],
  [withBid({ ...good, w: -1 }), 'wrong_type', 'seatbid[0].bid[0].w'],
  [withBid({ ...good, exp: 1e30 }), 'wrong_type', 'seatbid[0].bid[0].exp'],
  [
    '{"id":"a1","seatbid":[{"bid":[{"__proto__":{"id":"b","impid":"1","price":1,"adm":"x"}}]}]}',
    'missing',
    'seatbid[0].bid[0].id',
  ],
];

describe('a fault is named, with its place', () => {
  for (const [response, code, path] of refused) {
    const shown = typeof response === 'string' ? response : JSON.stringify(response);
    test(`${shown.slice(0, 90)} is ${code}`, () => {
      const { bids, faults } = read(response);
      assert.deepEqual(bids, []);
      assert.equal(faults.length, 1);
      assert.partialDeepStrictEqual(faults, [{ code, path }]);
    });
  }

  test('a long value is told in part', () => {
    const [fault] = read(withBid({ ...good, impid: 'x'.repeat(1_000) })).faults;
    assert.equal(fault?.met, 'x'.repeat(64));
  });
});

describe('an invalid bid is known by its ID, with its loss notice', () => {
  const told = { ...good, adid: 'ad1', lurl: 'https://d/l' };
  const shown = { impId: '1', adId: 'ad1', seat: '', lossUrl: 'https://d/l' };
  const cases: readonly (readonly [name: string, response: unknown, code: string, shown: object])[] = [
    ['of another impression', withBid({ ...told, impid: '2' }), 'wrong_id', { impId: '2' }],
    ['in another currency', withBid(told, { cur: 'EUR' }), 'wrong_currency', {}],
    ['for another request', withBid(told, { id: 'a2' }), 'wrong_id', {}],
    ['without a price', withBid({ ...told, price: undefined }), 'missing', {}],
    ['without an ad', withBid({ ...told, adm: '' }), 'missing', {}],
    ['with members of other types', withBid({ ...told, impid: {}, adid: [2] }), 'wrong_type', { impId: '', adId: '' }],
    ['with a notice that is none', withBid({ ...told, price: -1, lurl: 5 }), 'wrong_type', { lossUrl: '' }],
    ['of a seat', { id: 'a1', seatbid: [{ seat: 's1', bid: [{ ...told, price: -1 }] }] }, 'wrong_price', { seat: 's1' }],
    ['of a seat that is none', { id: 'a1', seatbid: [{ seat: {}, bid: [told] }] }, 'wrong_type', {}],
  ]; // biome-ignore format: a table
  for (const [name, response, code, members] of cases) {
    test(name, () => {
      const { bids, invalid } = read(response);
      assert.deepEqual(bids, []);
      assert.deepEqual(
        invalid.map(({ fault, ...bid }) => ({ ...bid, code: fault.code })),
        [{ ...shown, ...members, code }],
      );
    });
  }

  test('without an ID it is unknown', () => {
    for (const id of [undefined, '', {}, null]) {
      assert.deepEqual(read(withBid({ ...told, id })).invalid, []);
    }
  });
});

const noBids: readonly (readonly [response: unknown, nbr: number | undefined])[] = [
  [{ id: 'a1' }, undefined],
  [{}, undefined],
  [{ id: 'a1', nbr: 8 }, 8],
  [{ id: 'a1', nbr: 3, seatbid: [] }, 3],
  [{ id: 'a1', nbr: 'x' }, undefined],
  [{ id: 'a1', seatbid: null }, undefined],
  [{ id: 'a1', seatbid: [{ bid: [] }] }, undefined],
];

describe('no bid', () => {
  for (const [response, nbr] of noBids) {
    test(JSON.stringify(response), () => {
      assert.partialDeepStrictEqual(read(response), { bids: [], faults: [], nbr });
    });
  }
});

describe('bad bids leave good ones alone', () => {
  const bad = [null, {}, 5, { ...good, price: -1 }, { ...good, impid: 'x' }, { ...good, adomain: {} }];

  test('whatever their number and order', () => {
    const bids = fc.array(fc.oneof(fc.constant(good), fc.constantFrom(...bad)), {
      maxLength: 20,
      size: 'max',
    });
    fc.assert(
      fc.property(fc.array(bids, { maxLength: 5 }), (seats) => {
        const response = read({ id: 'a1', seatbid: seats.map((bid) => ({ bid })) });
        const all = seats.flat();
        const goods = all.filter((bid) => bid === good).length;
        assert.equal(response.bids.length, goods);
        assert.equal(response.faults.length, all.length - goods);
      }),
      seeded(200),
    );
  });

  test('at most a hundred bids are looked at', () => {
    const response = read({ id: 'a1', seatbid: [{ bid: Array(100_000).fill({}) }] });
    assert.equal(response.faults.length, 101);
    assert.equal(response.faults.at(-1)?.code, 'too_many_bids');
  });
});

describe('whatever comes', () => {
  const key = fc.constantFrom(
    'id',
    'seatbid',
    'bid',
    'impid',
    'price',
    'adm',
    'adomain',
    'cur',
    'nbr',
    '__proto__',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, '', '1', 'a1', 'USD', 0, 1, -1, 2.5, 1e308),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 6 }),
    ),
  }));

  test('reading never throws, and each bid is whole', () => {
    fc.assert(
      fc.property(value, (response) => {
        for (const bid of read(response).bids) {
          assert.ok(bid.price > 0 && bid.price <= 1_000_000);
          assert.equal(bid.impId, '1');
          assert.notEqual(bid.markup + bid.winUrl, '');
        }
      }),
      seeded(1_000),
    );
  });

  test('any text is read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        readBidResponse(text, expected);
      }),
      seeded(200),
    );
  });

  test('a hundred thousand brackets are read', () => {
    assert.equal(read('['.repeat(100_000)).faults.length, 1);
    assert.equal(read(`{"id":"a1","seatbid":${'['.repeat(50_000)}${']'.repeat(50_000)}}`).faults.length, 1);
  });
});
