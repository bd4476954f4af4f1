import {
  type Billed,
  contestedMs,
  goneMs,
  type HolderReport,
  type LimitReport,
  leaseMs,
  type Resolved,
} from '../../src/leases/authority.ts';

/** What a report says of a limit; what is absent is as in `standard`. */
export type Said = Partial<LimitReport>;

/** What is expected of a grant: how much, and what else is of interest. */
type Expected =
  | number
  | { readonly granted?: number; readonly isContested?: boolean; readonly before?: number };

/** What a report says beside its limits, and what is expected of the answer. */
export interface Saying extends Partial<Pick<HolderReport, 'turn' | 'isWhole' | 'resolved'>> {
  readonly grants?: readonly Expected[];
  readonly wantsWhole?: boolean;
  readonly holders?: number;
  /** The report is rejected: as of an unknown holder, or as one that comes late. */
  readonly fails?: 'unknown' | 'late';
}

/** One step of a case. Holders have names. */
export type Step =
  | readonly ['join', holder: string]
  | readonly ['report', holder: string, limits: readonly Said[], saying?: Saying]
  | readonly ['leave', holder: string]
  | readonly ['settle', holder: string, billed?: readonly Billed[]]
  /** Who is gone, those first of which was heard least lately, and what is said of them. */
  | readonly [
      'gone',
      ...holders: readonly (readonly [name: string, lastAgoMs?: number, resolved?: Resolved])[],
    ]
  | readonly ['forget', beforeDay: number]
  | readonly ['pass', ms: number]
  | readonly ['restart' | 'failOver' | 'loseAll'];

interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** So long at least is an authority away that loses all it knew. */
export const restartMs = 60_000;

/** A day of resources. */
export const day = 20_000;

/** What a report says of a limit where a case says nothing else. */
export const standard: LimitReport = {
  ...{ kind: 'VastTag', id: 1, measure: 'impressions', day },
  ...{ line: 100, before: 0, used: 0, open: 0, unused: 0, wanted: 0 },
};

const rate = { measure: 'rate', day: 0 } as const;
const total = { measure: 'total', day: 0 } as const;
const billed = { kind: standard.kind, id: standard.id, day, impressions: 0, nanos: 0 };
const ask = (wanted: number, said: Said = {}): Said => ({ ...said, wanted });
const pair: readonly Step[] = [
  ['join', 'a'],
  ['join', 'b'],
];

const granting: readonly Case[] = [
  {
    name: 'grants what is wanted, as far as the line goes',
    steps: [
      ...pair,
      ['report', 'a', [ask(60)], { grants: [60] }],
      ['report', 'b', [ask(60)], { grants: [40] }],
      ['report', 'b', [ask(60, { unused: 40 })], { grants: [0] }],
      ['report', 'a', [ask(0, { used: 50, unused: 0 })], { grants: [0] }],
      ['report', 'b', [ask(60, { unused: 40 })], { grants: [10] }],
    ],
  },
  {
    name: 'counts what was counted before, and keeps the most that it was told',
    steps: [
      ...pair,
      ['report', 'a', [ask(10, { before: 95 })], { grants: [{ granted: 5, before: 95 }] }],
      ['report', 'b', [ask(10, { before: 20 })], { grants: [{ granted: 0, before: 95 }] }],
      ['report', 'b', [ask(10, { before: 20, line: 120 })], { grants: [{ granted: 10, before: 95 }] }],
      [
        'report',
        'a',
        [ask(10, { before: 97, line: 120, unused: 5 })],
        { grants: [{ granted: 8, before: 97 }] },
      ],
    ],
  },
  {
    name: 'grants nothing below a line that has fallen, and takes nothing away',
    steps: [
      ...pair,
      ['report', 'a', [ask(80)], { grants: [80] }],
      ['report', 'b', [ask(1, { line: 50 })], { grants: [{ granted: 0, isContested: false }] }],
      ['report', 'b', [ask(50)], { grants: [20] }],
    ],
  },
  {
    name: 'counts a grant as held until the next report, whether the answer came or not',
    steps: [
      ...pair,
      ['report', 'a', [ask(70)], { grants: [70] }],
      ['report', 'b', [ask(70)], { grants: [30] }],
      ['report', 'a', [ask(70)], { grants: [70] }],
      ['report', 'a', [ask(20, { unused: 30 })], { grants: [20] }],
      ['report', 'b', [ask(70)], { grants: [50] }],
    ],
  },
  {
    name: 'knows resources by kind, object, measure and day',
    steps: [
      ['join', 'a'],
      ['report', 'a', [ask(100)], { grants: [100] }],
      [
        ...(['report', 'a'] as const),
        [
          ask(100, { kind: 'RtbTag' }),
          ask(100, { id: 2 }),
          ask(100, { measure: 'requests' }),
          ask(100, { day: day + 1 }),
          ask(1, { unused: 100 }),
        ],
        { grants: [100, 100, 100, 100, 0] },
      ],
    ],
  },
  {
    name: 'answers in the order of the report, also where it says nothing',
    steps: [
      ['join', 'a'],
      ['report', 'a', [], { grants: [], wantsWhole: false, holders: 1 }],
      ['report', 'a', [ask(3, { id: 9 }), ask(1, { id: 7 }), ask(2, { id: 8 })], { grants: [3, 1, 2] }],
      ['report', 'a', [ask(30, { id: 8 }), ask(10, { id: 7 }), ask(20, { id: 9 })], { grants: [30, 10, 20] }],
    ],
  },
  {
    name: 'takes amounts of any size that numbers hold',
    steps: [
      ...pair,
      ['report', 'a', [ask(2 ** 52, { measure: 'amount', line: 2 ** 53 - 1 })], { grants: [2 ** 52] }],
      [
        'report',
        'b',
        [ask(2 ** 53 - 1, { measure: 'amount', line: 2 ** 53 - 1 })],
        { grants: [2 ** 52 - 1] },
      ],
    ],
  },
];

const reporting: readonly Case[] = [
  {
    name: 'rejects a report that comes late or again, which changes nothing',
    steps: [
      ...pair,
      ['report', 'a', [ask(40)], { turn: 5, grants: [40] }],
      ['report', 'a', [ask(50)], { turn: 5, fails: 'late' }],
      ['report', 'a', [ask(50)], { turn: 4, isWhole: true, fails: 'late' }],
      ['report', 'b', [ask(100)], { grants: [60] }],
      ['report', 'a', [ask(0)], { turn: 9, grants: [0] }],
      ['report', 'b', [ask(100, { unused: 60 })], { grants: [40] }],
    ],
  },
  {
    name: 'leaves what a report leaves out as it was, but for a whole one',
    steps: [
      ...pair,
      ['report', 'a', [ask(60), ask(60, { id: 2 })], { grants: [60, 60] }],
      ['report', 'a', [ask(0, { unused: 60 })], { grants: [0] }],
      ['report', 'b', [ask(100, { id: 2 })], { grants: [40] }],
      ['report', 'a', [ask(0, { unused: 60 })], { isWhole: true, grants: [0] }],
      ['report', 'b', [ask(100, { id: 2, unused: 40 }), ask(100)], { grants: [60, 40] }],
    ],
  },
  {
    name: 'rejects holders that it does not know, and numbers none twice',
    steps: [
      ['join', 'a'],
      ['leave', 'a'],
      ['report', 'a', [ask(1)], { fails: 'unknown' }],
      ['settle', 'a'],
      ['report', 'a', [ask(1)], { fails: 'unknown' }],
      ['join', 'b'],
      ['leave', 'a'],
      ['settle', 'a'],
      ['report', 'b', [ask(100)], { grants: [100], holders: 1 }],
    ],
  },
  {
    name: 'counts the holders that were heard of lately, and have not left',
    steps: [
      ...pair,
      ['join', 'c'],
      ['report', 'a', [], { holders: 3 }],
      ['leave', 'c'],
      ['report', 'a', [], { holders: 2 }],
      ['pass', leaseMs - 1],
      ['report', 'a', [], { holders: 2 }],
      ['pass', 1],
      ['report', 'a', [], { holders: 1 }],
      ['report', 'b', [], { holders: 2 }],
    ],
  },
  {
    name: 'says of a limit that another wanted more, for a while, and not what one wanted oneself',
    steps: [
      ...pair,
      ['report', 'a', [ask(100)], { grants: [{ granted: 100, isContested: false }] }],
      ['report', 'b', [ask(1)], { grants: [{ granted: 0, isContested: false }] }],
      ['pass', contestedMs - 1],
      ['report', 'a', [ask(0, { unused: 100 })], { grants: [{ isContested: true }] }],
      ['pass', 1],
      ['report', 'a', [ask(0, { unused: 100 })], { grants: [{ isContested: false }] }],
      ['report', 'b', [ask(1)], { grants: [0] }],
      ['report', 'a', [ask(0, { unused: 90 })], { grants: [{ isContested: true }] }],
      ['report', 'b', [ask(1)], { grants: [1] }],
      ['report', 'a', [ask(0, { unused: 90 })], { grants: [{ isContested: false }] }],
    ],
  },
  {
    name: 'forgets a wish with the holder that has left, or no longer says anything of the limit',
    steps: [
      ...pair,
      ['join', 'c'],
      ['report', 'a', [ask(100)], { grants: [100] }],
      ['report', 'b', [ask(1)], { grants: [0] }],
      ['report', 'c', [ask(1)], { grants: [{ granted: 0, isContested: true }] }],
      ['leave', 'b'],
      ['report', 'c', [ask(1)], { grants: [{ isContested: false }] }],
      ['report', 'a', [ask(0, { unused: 100 })], { grants: [{ isContested: true }] }],
      ['report', 'c', [], { isWhole: true }],
      ['report', 'a', [ask(0, { unused: 100 })], { grants: [{ isContested: false }] }],
    ],
  },
];

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
          { ...billed, day: day + 1, nanos: 8 },
        ],
      ],
      [
        ...(['report', 'b'] as const),
        [{ measure: 'amount' }, total, { measure: 'requests' }, { measure: 'bids' }],
        { grants: [{ before: 17 }, { before: 25 }, { before: 20 }, { before: 21 }] },
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

/** What an authority promises, step by step. */
export const cases: readonly Case[] = [...granting, ...reporting, ...ending, ...failing];
