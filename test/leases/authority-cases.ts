import {
  type BilledSum,
  contestedMs,
  type Grant,
  type HolderAnswer,
  type HolderReport,
  type LimitReport,
  leaseMs,
  type ResolvedMinutes,
} from '../../src/leases/authority.ts';
import { placeOf } from '../../src/leases/parts.ts';

/** What a report says of a limit; what is absent is as in `standard`. */
export type Said = Partial<LimitReport>;

/** What is expected of a grant: how much, and what else is of interest. */
type Expected = number | Partial<Grant>;

/** What a report says beside its limits, and what is expected of the answer. */
export interface Saying extends Partial<Pick<HolderReport, 'turn' | 'resolved'>> {
  /** Of all objects, or of some places; `follows`: the epoch as the holder was last answered. */
  readonly isWhole?: boolean | { readonly from: number; readonly to: number; readonly follows?: boolean };
  readonly grants?: readonly Expected[];
  readonly wantsWhole?: boolean;
  readonly holders?: number;
  readonly recalled?: HolderAnswer['recalled'];
  /** The report is rejected: as of an unknown holder, as one that comes late, or for a level below 0. */
  readonly fails?: 'unknown' | 'late' | 'level';
}

/** One step of a case. Holders have names. */
export type Step =
  | readonly ['join', holder: string]
  | readonly ['report', holder: string, limits: readonly Said[], saying?: Saying]
  | readonly ['leave', holder: string]
  | readonly ['settle', holder: string, billed?: readonly BilledSum[]]
  /** Who is gone, those first of which was heard least lately, and what is said of them. */
  | readonly [
      'gone',
      ...holders: readonly (readonly [name: string, lastAgoMs?: number, resolved?: ResolvedMinutes])[],
    ]
  | readonly ['forget', beforeDay: number]
  | readonly ['pass', ms: number]
  | readonly ['restart' | 'failOver' | 'loseAll'];

/** What is promised, and the steps that show it. */
export interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** So long at least is an authority away that loses all it knew. */
export const restartMs = 60_000;

/** A day of resources. */
export const day = 20_000;

/** What a report says of a limit where a case says nothing else. */
export const standard: LimitReport = {
  kind: 'VastTag',
  id: 1,
  measure: 'impressions',
  day,
  line: 100,
  before: 0,
  counted: 0,
  unlimited: 0,
  used: 0,
  open: 0,
  unused: 0,
  wanted: 0,
};

/** A rate, which has no days. */
export const rate = { measure: 'rate', day: 0 } as const;
/** A total of all days. */
export const total = { measure: 'total', day: 0 } as const;
export const impressionsTotal = { measure: 'impressionsTotal', day: 0 } as const;
/** What was billed of the object: nothing. */
export const billed = { kind: standard.kind, id: standard.id, day, impressions: 0, nanos: 0 };
/** Says of a limit that more is wanted. */
export const ask = (wanted: number, said: Said = {}): Said => ({ ...said, wanted });
/** Two holders. */
export const pair: readonly Step[] = [
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
    name: 'grants nothing of a limit that it does not know until it is told what the store had counted',
    steps: [
      ...pair,
      ['report', 'a', [ask(60, { counted: undefined })], { grants: [{ granted: 0, isKnown: false }] }],
      ['report', 'b', [ask(60, { counted: undefined })], { grants: [{ granted: 0, isContested: false }] }],
      ['report', 'a', [ask(60, { counted: 30 })], { grants: [{ granted: 60, before: 30, others: 0 }] }],
      [
        'report',
        'b',
        [ask(60, { counted: undefined })],
        { grants: [{ granted: 10, before: 30, isKnown: true }] },
      ],
      ['report', 'a', [ask(0, { used: 20, unused: 40 })], { grants: [{ others: 0 }] }],
      ['report', 'b', [ask(0, { used: 4, unused: 6 })], { grants: [{ others: 20 }] }],
    ],
  },
  {
    name: 'counts what nobody had reserved while the limit was not set',
    steps: [
      ...pair,
      ['report', 'a', [ask(60, { counted: 30 })], { grants: [{ granted: 60, before: 30 }] }],
      ['report', 'a', [ask(0, { used: 40, open: 15, unused: 20 })], { grants: [{ before: 30 }] }],
      // Of the 80, 30 were counted before, and 25 were reserved and are shown.
      [
        'report',
        'b',
        [ask(9, { counted: 80, unlimited: 20 })],
        { grants: [{ granted: 0, before: 55, others: 40 }] },
      ],
      ['report', 'b', [ask(9, { counted: 50, unlimited: 20 })], { grants: [{ before: 55 }] }],
    ],
  },
  {
    name: 'does not count again what others have shown of their shares since it was asked for the limit',
    steps: [
      ...pair,
      ['report', 'b', [ask(60, { counted: undefined })], { grants: [{ granted: 0, isKnown: false }] }],
      ['report', 'a', [ask(30, { counted: 0 })], { grants: [30] }],
      ['report', 'a', [ask(0, { used: 7, open: 7, unused: 23 })], { grants: [{ before: 0 }] }],
      ['report', 'b', [ask(60, { counted: 7 })], { grants: [{ granted: 60, before: 0, others: 7 }] }],
      ['report', 'a', [ask(0, { used: 7, open: 0, unused: 0 })], { grants: [{ before: 0 }] }],
      ['report', 'b', [ask(60, { used: 60, unused: 0 })], { grants: [33] }],
    ],
  },
  {
    name: 'begins with what the store had counted',
    steps: [
      ...pair,
      ['report', 'a', [ask(60, { counted: 30 })], { grants: [{ granted: 60, before: 30 }] }],
      [
        'report',
        'b',
        [ask(60, { id: 2, counted: 30, before: 40 })],
        { grants: [{ granted: 60, before: 40 }] },
      ],
      ['forget', day + 1],
      ['report', 'b', [ask(60, { counted: 50 })], { grants: [{ granted: 50, before: 50 }] }],
    ],
  },
  {
    name: 'grants nothing below a line that has fallen, and says how much all hold beyond it',
    steps: [
      ...pair,
      ['report', 'a', [ask(80)], { grants: [{ granted: 80, excess: 0 }] }],
      ['report', 'b', [ask(1, { line: 50 })], { grants: [{ granted: 0, excess: 30, isContested: false }] }],
      ['report', 'b', [ask(50)], { grants: [{ granted: 20, excess: 0 }] }],
      [
        'report',
        'a',
        [ask(9, { line: 50, before: 4, used: 30, unused: 50 })],
        { grants: [{ granted: 0, excess: 54 }] },
      ],
      [
        'report',
        'a',
        [ask(9, { line: 50, before: 4, used: 30, unused: 0 })],
        { grants: [{ granted: 0, excess: 4 }] },
      ],
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
    name: 'rejects levels below 0, which change nothing',
    steps: [
      ...pair,
      ['report', 'a', [ask(60)], { grants: [60] }],
      ['report', 'a', [ask(0, { used: -40, unused: 60 })], { fails: 'level' }],
      ['report', 'a', [ask(-1)], { fails: 'level' }],
      ['report', 'b', [ask(100)], { grants: [40] }],
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
    name: 'drops what a part of some objects leaves out of these, and of no others',
    steps: [
      ...pair,
      ['report', 'a', [ask(60), ask(60, { id: 2 }), ask(60, { id: 3 })], { grants: [60, 60, 60] }],
      ['report', 'a', [], { isWhole: { from: placeOf(2), to: placeOf(3) } }],
      ['report', 'b', [ask(100), ask(100, { id: 2 }), ask(100, { id: 3 })], { grants: [40, 100, 40] }],
    ],
  },
  {
    name: 'takes what is said again of an object after another part came late',
    steps: [
      ...pair,
      ['report', 'a', [ask(40)], { turn: 4, grants: [40] }],
      ['report', 'a', [ask(40, { id: 2 })], { turn: 6, grants: [40] }],
      ['report', 'a', [ask(100)], { turn: 5, fails: 'late' }],
      ['report', 'a', [ask(10, { unused: 40 })], { turn: 7, grants: [10] }],
      ['report', 'b', [ask(100), ask(100, { id: 2 })], { grants: [50, 60] }],
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
    name: 'names objects that another lacks and the report leaves out, while something of them is unused',
    steps: [
      ...pair,
      ['report', 'a', [ask(100), ask(50, { id: 2 })], { grants: [100, 50], recalled: [] }],
      ['report', 'b', [ask(1)], { grants: [0], recalled: [] }],
      ['report', 'a', [ask(0, { id: 2, unused: 50 })], { recalled: [{ kind: 'VastTag', id: 1 }] }],
      ['report', 'a', [ask(0, { unused: 100 })], { recalled: [] }],
      ['report', 'a', [ask(0, { used: 100 })], { recalled: [] }],
      ['report', 'a', [], { recalled: [] }],
      ['report', 'b', [ask(60, { id: 2 })], { grants: [50] }],
      ['report', 'a', [], { recalled: [{ kind: 'VastTag', id: 2 }] }],
      ['pass', contestedMs],
      ['report', 'a', [], { recalled: [] }],
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

/** What an authority promises of grants and reports, step by step. */
export const cases: readonly Case[] = [...granting, ...reporting];
