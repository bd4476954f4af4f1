import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Bid } from '../../../../src/exchange/demand/demand-kind.ts';
import { dspRtbEp } from '../../../../src/exchange/demand/dsp-rtb-ep/dsp-rtb-ep.ts';
import type { Opportunity } from '../../../../src/exchange/opportunity.ts';
import { type Reason, type Refusal, reasons } from '../../../../src/exchange/reasons.ts';
import { demandWith, solicitationWith } from './solicitations.ts';

const good = { id: 'b1', impid: '1', price: 2.5, adm: '<VAST/>' };

const response = (bids: readonly object[], rest: object = {}) =>
  JSON.stringify({ id: 'auction-1', bidid: 'r1', seatbid: [{ seat: 's1', bid: bids }], ...rest });

const read = (
  body: string,
  {
    status = 200,
    document = {},
    chance = {},
  }: { status?: number; document?: object; chance?: Partial<Opportunity> } = {},
) => dspRtbEp.read(demandWith({ ...document }), solicitationWith(chance), { status, headers: {}, body });

test('a bid, whole', () => {
  const demand = demandWith();
  const bid = {
    ...good,
    nurl: 'https://d.example/n',
    burl: 'https://d.example/b',
    lurl: 'https://d.example/l',
    adid: 'ad1',
    adomain: ['brand.example'],
    bundle: 'com.brand',
    crid: 'c1',
    cat: ['IAB1'],
    attr: [1],
    w: 640,
    h: 360,
    exp: 90,
    mtype: 2,
  };
  const expected: Bid = {
    id: 'b1',
    demand,
    priceCpmMicros: 2_500_000,
    media: 'video',
    markup: '<VAST/>',
    adDomains: ['brand.example'],
    appBundle: 'com.brand',
    categories: ['IAB1'],
    attributes: [1],
    creativeId: 'c1',
    seat: 's1',
    width: 640,
    height: 360,
    expiryMinutes: 60,
    validSeconds: 90,
    notices: { win: 'https://d.example/n', billing: 'https://d.example/b', loss: 'https://d.example/l' },
    impId: '1',
    bidId: 'r1',
    adId: 'ad1',
    dealId: '',
    creativeUrls: [],
    multiplier: 1,
    received: bid,
  };
  const answer = { status: 200, headers: {}, body: response([bid]) };
  assert.deepEqual(dspRtbEp.read(demand, solicitationWith(), answer), expected);
});

const pop: Partial<Opportunity> = { media: 'pop' };

const bids: readonly (readonly [name: string, result: Bid | Refusal, bid: Partial<Bid>])[] = [
  [
    'the highest of several',
    read(response([good, { ...good, id: 'b2', price: 3 }, { ...good, price: 1 }])),
    { id: 'b2' },
  ],
  ['the first of equal ones', read(response([good, { ...good, id: 'b2' }])), { id: 'b1' }],
  [
    'the highest that is good',
    read(response([{ ...good, price: 1e308 }, { ...good, price: 9, mtype: 1 }, good])),
    { id: 'b1' },
  ],
  [
    'of the highest seat',
    read(
      JSON.stringify({
        id: 'auction-1',
        seatbid: [
          { seat: 'a', bid: [good] },
          { seat: 'b', bid: [{ ...good, price: 4 }] },
        ],
      }),
    ),
    { seat: 'b' },
  ],
  [
    'whose markup the win notice gives',
    read(response([{ ...good, adm: undefined, nurl: 'https://d.example/n' }])),
    { markup: undefined },
  ],
  ['with an expiry of an hour', read(response([good])), { expiryMinutes: 60 }],
  [
    "with the endpoint's expiry",
    read(response([{ ...good, exp: 3_600 }]), { document: { ExpiryWindow: 5 } }),
    { expiryMinutes: 5 },
  ],
  [
    "with a bid's own time to be shown",
    read(response([{ ...good, exp: 61 }]), { document: { ExpiryWindow: 5 } }),
    { expiryMinutes: 5, validSeconds: 61 },
  ],
  [
    'of a pop with a URL',
    read(response([{ ...good, adm: 'https://a.example' }]), { chance: pop }),
    { markup: 'https://a.example', media: 'pop' },
  ],
  [
    'of a pop with XML',
    read(response([{ ...good, adm: '<ad><url>https://a.example</url></ad>' }]), { chance: pop }),
    { markup: '<ad><url>https://a.example</url></ad>' },
  ],
  [
    'in native',
    read(response([{ ...good, adm: '{"assets":[]}', mtype: 4 }]), { chance: { media: 'native' } }),
    { markup: '{"assets":[]}' },
  ],
];

describe('the bid', () => {
  for (const [name, result, bid] of bids) {
    test(name, () => assert.partialDeepStrictEqual(result, bid));
  }
});

/** Reasons of our own that share a code with a bidder's. */
const ours = new Set([
  ...['impressions_per_ip', 'frequency_cap', 'frequency_too_soon', 'frequency_unknown'],
  ...['invalid_address', 'data_centre', 'impossible_agent'],
]);

const byNbr = (reason: Reason, nbr: number): [string, Bid | Refusal, Refusal] => [
  `nbr ${nbr}`,
  read(`{"id":"auction-1","nbr":${nbr}}`),
  { reason, field: 'nbr', met: nbr },
];

const refusals: readonly (readonly [name: string, result: Bid | Refusal, refusal: Refusal])[] = [
  ['204', read('', { status: 204 }), { reason: 'no_bid' }],
  ['200 with nothing', read(' \n'), { reason: 'no_bid' }],
  ['no seats', read('{"id":"auction-1"}'), { reason: 'no_bid' }],
  ['a reason', read('{"id":"auction-1","nbr":3}'), { reason: 'known_bot', field: 'nbr', met: 3 }],
  [
    'another reason',
    read('{"id":"auction-1","nbr":15}'),
    { reason: 'insufficient_time', field: 'nbr', met: 15 },
  ],
  ...Object.entries(reasons)
    .filter(([name, code]) => code > 0 && code < 18 && !ours.has(name))
    .map(([reason, nbr]) => byNbr(reason as Reason, nbr)),
  ['a reason of its own', read('{"id":"auction-1","nbr":512}'), { reason: 'no_bid', field: 'nbr', met: 512 }],
  [
    '404',
    read(response([good]), { status: 404 }),
    { reason: 'invalid_response', field: 'status', wanted: 200, met: 404 },
  ],
  ['302', read('', { status: 302 }), { reason: 'invalid_response', field: 'status', wanted: 200, met: 302 }],
  ['HTML', read('<html>'), { reason: 'invalid_response', field: '', wanted: 'not_json', met: '<html>' }],
  [
    'another auction',
    read(response([good], { id: 'x' })),
    { reason: 'invalid_response', field: 'id', wanted: 'wrong_id', met: 'x' },
  ],
  [
    'euros',
    read(response([good], { cur: 'EUR' })),
    { reason: 'currency_not_accepted', field: 'cur', wanted: 'wrong_currency', met: 'EUR' },
  ],
  [
    'a negative price',
    read(response([{ ...good, price: -2 }])),
    { reason: 'invalid_price', field: 'seatbid[0].bid[0].price', wanted: 'wrong_price', met: -2 },
  ],
  [
    'less than a millionth',
    read(response([{ ...good, price: 1e-9 }])),
    { reason: 'invalid_price', field: 'price', met: 1e-9 },
  ],
  [
    'another impression',
    read(response([{ ...good, impid: '2' }])),
    { reason: 'invalid_response', field: 'seatbid[0].bid[0].impid', wanted: 'wrong_id', met: '2' },
  ],
  [
    'a banner for a video',
    read(response([{ ...good, mtype: 1 }])),
    { reason: 'incorrect_format', field: 'mtype', wanted: 2, met: 1 },
  ],
  [
    'a pop without markup',
    read(response([{ ...good, adm: '', nurl: 'https://a.example' }]), { chance: pop }),
    { reason: 'invalid_creative', field: 'adm' },
  ],
];

describe('no bid', () => {
  for (const [name, result, refusal] of refusals) {
    // Who bid in vain is told so by its `lurl` (lost-bids.test.ts).
    test(name, () => assert.deepEqual({ ...result, lost: 0 }, { ...refusal, lost: 0 }));
  }

  test('without an answer', () => {
    assert.deepEqual(dspRtbEp.read(demandWith(), solicitationWith(), undefined), { reason: 'error' });
  });
});
