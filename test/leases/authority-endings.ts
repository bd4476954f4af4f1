import { goneMs, leaseMs, safeRateMs } from '../../src/leases/authority.ts';
import { placeOf, placesEnd } from '../../src/leases/parts.ts';
import {
  ask,
  billed,
  type Case,
  day,
  impressionsTotal,
  pair,
  rate,
  restartMs,
  type Said,
  total,
} from './authority-cases.ts';

/** Between the objects 1 and 7. */
const middle = placeOf(5);

const ending: readonly Case[] = [
  {
    name: 'frees what one that leaves has not used, and keeps what it has used',
    steps: [
      ...pair,
      ['report', 'a', [ask(100)], { grants: [100] }],
      ['report', 'a', [ask(0, { used: 30, open: 20, unused: 70 })], { grants: [0] }],
      ['leave', 'a'],
      ['leave', 'a'],
      ['report', 'b', [ask(100)], { grants: [{ granted: 70, before: 0 }] }],
    ],
  },
  {
    name: 'settles what was promised: what was kept counts, the rest is free',
    steps: [
      ...pair,
      ['report', 'a', [ask(100)], { grants: [100] }],
      ['report', 'a', [ask(0, { used: 30, open: 20, unused: 70 })], { resolved: { ad: 7, offer: 3 } }],
      ['leave', 'a'],
      ['gone', ['a', 0, { ad: 7, offer: 3 }]],
      [
        'settle',
        'a',
        [
          { ...billed, impressions: 5, nanos: 99 },
          { ...billed, day: day + 1, impressions: 50 },
        ],
      ],
      ['gone'],
      ['report', 'b', [ask(100)], { grants: [{ granted: 85, before: 15 }] }],
      ['settle', 'a', [{ ...billed, impressions: 5 }]],
      ['report', 'b', [ask(0, { unused: 85 })], { grants: [{ granted: 0, before: 15 }] }],
    ],
  },
  {
    name: 'settles amounts of a day, totals of all, and of requests and bids all that was used',
    steps: [
      ...pair,
      [
        ...(['report', 'a'] as const),
        [
          ask(0, { measure: 'amount', used: 50, open: 40 }),
          ask(0, { ...total, used: 60, open: 50 }),
          ask(0, { ...impressionsTotal, used: 95, open: 92 }),
          ask(0, { measure: 'requests', used: 20, unused: 9 }),
          ask(0, { measure: 'bids', used: 21, unused: 9 }),
        ],
      ],
      ['leave', 'a'],
      [
        'settle',
        'a',
        [
          { ...billed, impressions: 90, nanos: 7 },
          { ...billed, day: day + 1, impressions: 1, nanos: 8 },
        ],
      ],
      [
        ...(['report', 'b'] as const),
        [{ measure: 'amount' }, total, impressionsTotal, { measure: 'requests' }, { measure: 'bids' }],
        { grants: [{ before: 17 }, { before: 25 }, { before: 94 }, { before: 20 }, { before: 21 }] },
      ],
    ],
  },
  {
    name: 'settles never more than was held, and what may have been used where nobody has left',
    steps: [
      ...pair,
      ['report', 'a', [ask(8), ask(5, { measure: 'requests', used: 4 })], { grants: [8, 5] }],
      ['pass', goneMs],
      ['report', 'b', []],
      ['gone', ['a', goneMs]],
      ['settle', 'a', [{ ...billed, impressions: 12 }]],
      ['report', 'b', [ask(0), { measure: 'requests' }], { grants: [{ before: 8 }, { before: 9 }] }],
    ],
  },
  {
    name: 'knows who is gone by silence, and keeps all that it had until it is settled',
    steps: [
      ...pair,
      ['report', 'a', [ask(60)], { resolved: { ad: 2, offer: 1 }, grants: [60] }],
      ['pass', goneMs - 1],
      ['gone'],
      ['report', 'b', [ask(100)], { grants: [40] }],
      ['settle', 'a'],
      ['pass', 1],
      ['gone', ['a', goneMs, { ad: 2, offer: 1 }]],
      ['report', 'b', [ask(100, { unused: 40 })], { grants: [0] }],
      ['report', 'a', [ask(0, { unused: 60 })], { grants: [0], holders: 2 }],
      ['gone'],
      ['settle', 'a'],
      ['report', 'a', [ask(9, { unused: 60 })], { grants: [0] }],
    ],
  },
  {
    name: 'says of one that has never reported when it joined',
    steps: [
      ['join', 'a'],
      ['pass', 1000],
      ['join', 'b'],
      ['leave', 'b'],
      ['gone', ['b', 0, { ad: 0, offer: 0 }]],
      ['pass', goneMs - 1000],
      ['gone', ['a', goneMs, { ad: 0, offer: 0 }], ['b', goneMs - 1000]],
    ],
  },
  {
    name: 'keeps the safe share of a rate for whoever is silent, for some time',
    steps: [
      ...pair,
      ['report', 'a', [ask(80, rate)], { grants: [80] }],
      ['report', 'a', [ask(0, { ...rate, used: 30, unused: 50 })]],
      ['pass', leaseMs],
      ['report', 'b', [ask(100, rate)], { grants: [{ granted: 70, others: 30 }] }],
      ['pass', leaseMs],
      ['report', 'a', []],
      ['report', 'b', [ask(80, { ...rate, unused: 20 })], { grants: [{ granted: 50, others: 30 }] }],
      ['report', 'a', [ask(9, { ...rate, used: 20, unused: 10 })], { grants: [0] }],
      ['pass', safeRateMs - 1],
      ['report', 'b', [ask(80, { ...rate, unused: 0 })], { grants: [80] }],
      ['report', 'b', [ask(80, { ...rate, unused: 0 })], { grants: [80] }],
      ['report', 'b', [ask(80, { ...rate, unused: 80 })], { grants: [{ granted: 0, others: 20 }] }],
      ['pass', 1],
      ['report', 'b', [ask(80, { ...rate, unused: 80 })], { grants: [{ granted: 20, others: 0 }] }],
      ['report', 'a', []],
      ['report', 'b', [ask(80, { ...rate, unused: 99 })], { grants: [{ granted: 1, others: 0 }] }],
    ],
  },
  {
    name: 'frees the rate of whoever is silent, and of whoever has left',
    steps: [
      ...pair,
      ['report', 'a', [ask(80, rate)], { grants: [80] }],
      ['report', 'b', [ask(80, rate)], { grants: [20] }],
      ['pass', leaseMs - 1],
      ['report', 'b', [ask(80, { ...rate, unused: 20 })], { grants: [0] }],
      ['pass', 1],
      ['report', 'b', [ask(80, { ...rate, unused: 20 })], { grants: [80] }],
      ['report', 'a', [], { holders: 2 }],
      ['report', 'b', [ask(1, { ...rate, unused: 99 })], { grants: [1] }],
      ['leave', 'b'],
      ['report', 'a', [ask(200, rate)], { grants: [100] }],
      ['settle', 'b'],
      ['report', 'a', [ask(200, { ...rate, unused: 90 })], { grants: [{ granted: 10, before: 0 }] }],
    ],
  },
  {
    name: 'forgets days that are over, and neither totals nor rates',
    steps: [
      ...pair,
      ['report', 'a', [ask(60), ask(60, { day: day + 1 }), ask(60, total), ask(60, rate)]],
      ['forget', day + 1],
      [
        ...(['report', 'b'] as const),
        [ask(100, { before: 3 }), ask(100, { day: day + 1 }), ask(100, total), ask(100, rate)],
        { grants: [{ granted: 97, before: 3 }, 40, 40, 40] },
      ],
      ['leave', 'a'],
      ['settle', 'a', [{ ...billed, impressions: 60 }]],
      ['report', 'b', [ask(0, { unused: 97 })], { grants: [{ before: 3 }] }],
    ],
  },
];

/** More than a database changes at once. */
const many = (said: Said): Said[] => Array.from({ length: 4100 }, (_, index) => ({ id: index + 1, ...said }));

const large: readonly Case[] = [
  {
    name: 'frees and settles all of one that has left, however much it is',
    steps: [
      ...pair,
      ['report', 'a', many(ask(60, { used: 30, open: 5 }))],
      ['leave', 'a'],
      ['report', 'b', many(ask(100)), { grants: many({}).map(() => ({ granted: 70, before: 0 })) }],
      ['settle', 'a'],
      ['gone'],
      [
        'report',
        'b',
        many(ask(100, { unused: 70 })),
        { grants: many({}).map(() => ({ granted: 5, before: 25 })) },
      ],
    ],
  },
  {
    name: 'settles all of one that is gone, and forgets all days that are over',
    steps: [
      ...pair,
      ['report', 'a', many(ask(60, { measure: 'requests', used: 30 }))],
      ['pass', goneMs],
      ['report', 'b', []],
      ['settle', 'a'],
      ['report', 'a', [], { fails: 'unknown' }],
      ['gone'],
      ['report', 'b', many({ measure: 'requests' }), { grants: many({}).map(() => ({ before: 90 })) }],
      ['forget', day + 1],
      ['report', 'b', many({ measure: 'requests' }), { grants: many({}).map(() => ({ before: 0 })) }],
    ],
  },
];

const failing: readonly Case[] = [
  {
    name: 'loses nothing by a restart',
    steps: [
      ...pair,
      ['report', 'a', [ask(60, { before: 5 })], { turn: 3, grants: [60] }],
      ['restart'],
      ['report', 'a', [ask(0)], { turn: 3, fails: 'late' }],
      ['report', 'b', [ask(100)], { grants: [{ granted: 35, before: 5 }], wantsWhole: false, holders: 2 }],
    ],
  },
  {
    name: 'grants nothing after a failover until it has heard all of everybody',
    steps: [
      ...pair,
      ['join', 'c'],
      ['report', 'a', [ask(10)], { grants: [10] }],
      ['failOver'],
      ['report', 'a', [ask(10, { unused: 10 })], { grants: [0], wantsWhole: true }],
      ['report', 'a', [ask(10, { unused: 10 })], { isWhole: true, grants: [0], wantsWhole: false }],
      ['report', 'b', [ask(9, { used: 50 })], { isWhole: true, grants: [0], wantsWhole: false }],
      ['leave', 'c'],
      ['report', 'a', [ask(50, { unused: 10 })], { grants: [40], wantsWhole: false }],
      ['join', 'd'],
      ['report', 'b', [ask(10, { id: 2 })], { grants: [10], wantsWhole: false }],
    ],
  },
  {
    name: 'grants nothing after a failover until parts of everybody have covered all, one after the other',
    steps: [
      ...pair,
      ['report', 'a', [ask(60)], { grants: [60] }],
      ['failOver'],
      ['report', 'b', [], { isWhole: true, wantsWhole: false }],
      ['report', 'a', [], { isWhole: { from: 0, to: middle }, wantsWhole: true }],
      ['report', 'b', [ask(1)], { grants: [0] }],
      // The end without what comes before it.
      ['report', 'a', [], { isWhole: { from: middle, to: placesEnd }, wantsWhole: true }],
      ['report', 'b', [ask(1)], { grants: [0] }],
      ['report', 'a', [], { isWhole: { from: 0, to: middle }, wantsWhole: true }],
      [
        ...(['report', 'a'] as const),
        [ask(5, { id: 7 })],
        { isWhole: { from: middle, to: placesEnd, follows: true }, wantsWhole: false, grants: [5] },
      ],
      ['report', 'b', [ask(100)], { grants: [100] }],
    ],
  },
  {
    name: 'counts no parts of before another failover',
    steps: [
      ...pair,
      ['failOver'],
      ['report', 'b', [], { isWhole: true, wantsWhole: false }],
      ['report', 'a', [], { isWhole: { from: 0, to: middle }, wantsWhole: true }],
      ['pass', 1],
      ['failOver'],
      ['report', 'a', [], { isWhole: { from: middle, to: placesEnd, follows: true }, wantsWhole: true }],
      ['report', 'b', [ask(1)], { isWhole: true, grants: [0] }],
      ['report', 'a', [], { isWhole: true, wantsWhole: false }],
      ['report', 'b', [ask(1)], { grants: [1] }],
    ],
  },
  {
    name: 'does not wait after a failover for whoever is silent, but for whoever comes back',
    steps: [
      ...pair,
      ['pass', leaseMs],
      ['failOver'],
      ['report', 'a', [ask(1)], { isWhole: true, grants: [0] }],
      ['pass', leaseMs - 1],
      ['report', 'a', [ask(1)], { grants: [0] }],
      ['pass', 1],
      ['report', 'a', [ask(1)], { grants: [1] }],
      ['report', 'b', [ask(1)], { grants: [0], wantsWhole: true }],
      ['report', 'a', [ask(1, { unused: 1 })], { grants: [0] }],
      ['report', 'b', [ask(1)], { isWhole: true, grants: [1], wantsWhole: false }],
      ['report', 'a', [ask(1, { unused: 1 })], { grants: [1] }],
    ],
  },
  {
    name: 'grants nothing for a while where it has lost everything, and numbers nobody as before',
    steps: [
      ...pair,
      ['report', 'a', [ask(60)], { grants: [60] }],
      ['pass', restartMs],
      ['loseAll'],
      ['join', 'c'],
      ['report', 'a', [ask(1)], { fails: 'unknown' }],
      ['report', 'c', [ask(1, { used: 60 })], { isWhole: true, grants: [0], wantsWhole: false, holders: 1 }],
      ['pass', leaseMs - 1],
      ['report', 'c', [ask(1, { used: 60 })], { grants: [0] }],
      ['pass', 1],
      ['report', 'c', [ask(100, { used: 60 })], { grants: [40] }],
      ['settle', 'a'],
      ['gone'],
    ],
  },
  {
    name: 'grants nothing for a while after a failover where it knows nobody',
    steps: [
      ['join', 'a'],
      ['leave', 'a'],
      ['failOver'],
      ['join', 'b'],
      ['report', 'b', [ask(1)], { isWhole: true, grants: [0], wantsWhole: false }],
      ['pass', leaseMs],
      ['report', 'b', [ask(1)], { grants: [1] }],
    ],
  },
];

/** What an authority promises where holders end, and where it fails itself, step by step. */
export const endingCases: readonly Case[] = [...ending, ...large, ...failing];
