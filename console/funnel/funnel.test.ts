import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ReasonStage, reasonStages } from '../../src/reference/reason-stages.ts';
import { funnelIn } from './funnel.ts';

type Reasons = Readonly<Record<string, readonly [refusals: number, lostValue?: number]>>;

const answer = (Total: Readonly<Record<string, number>>, reasons: Reasons = {}) => ({
  Total,
  Rows: Object.entries(reasons).map(([Reason, [Refusals, LostValue = 0]]) => ({
    Reason,
    ReasonHelp: `${Reason} means`,
    Refusals,
    LostValue,
  })),
});

interface Case {
  readonly name: string;
  readonly own?: Readonly<Record<string, number>>;
  readonly ownReasons?: Reasons;
  readonly offered: Readonly<Record<string, number>>;
  readonly reasons: Reasons;
  /** Counts and gaps of the bars, in their order. */
  readonly steps: readonly (readonly [key: string, count: number, gap: number])[];
  readonly order: readonly string[];
  readonly notTaken?: number;
}

const cases: readonly Case[] = [
  {
    name: 'a supply object whose numbers add up',
    own: { Requests: 100, Opportunities: 100 },
    ownReasons: { country_not_targeted: [10], max_qps: [5] },
    offered: { Calls: 150, Answers: 120, Bids: 70, Wins: 20, Impressions: 20, BidValue: 0.5 },
    reasons: {
      os_not_targeted: [25],
      too_many_calls: [5],
      timed_out: [20],
      unreachable: [10],
      no_bid: [50],
      below_floor: [30, 0.1],
      lost: [20, 0.2],
    },
    steps: [
      ['Requests', 100, 0],
      ['Offered', 180, 0],
      ['Calls', 150, 0],
      ['Answers', 120, 0],
      ['Bids', 70, 0],
      ['Wins', 20, 0],
      ['Impressions', 20, 0],
    ],
    order: [
      'lost',
      'below_floor',
      'no_bid',
      'os_not_targeted',
      'timed_out',
      'country_not_targeted',
      'unreachable',
      'max_qps',
      'too_many_calls',
    ],
    notTaken: 5,
  },
  {
    name: 'a demand object with answers of several bids, bids behind a winner, and ads that are not shown',
    offered: { Calls: 10, Answers: 10, Bids: 14, Wins: 5, Impressions: 4 },
    reasons: { no_bid: [2], lost: [7, 1] },
    steps: [
      ['Offered', 10, 0],
      ['Calls', 10, 0],
      ['Answers', 10, 6],
      ['Bids', 14, -2],
      ['Wins', 5, -1],
      ['Impressions', 4, 0],
    ],
    order: ['lost', 'no_bid'],
  },
  {
    name: 'campaigns and direct links, which bid without a call, beside demand that is called',
    offered: { Calls: 10, Answers: 8, Bids: 11, UncalledBids: 5, Wins: 4, Impressions: 4 },
    reasons: { timed_out: [2], no_bid: [2], lost: [7, 1], inactive: [3] },
    steps: [
      ['Offered', 18, 0],
      ['Calls', 15, 0],
      ['Answers', 13, 0],
      ['Bids', 11, 0],
      ['Wins', 4, 0],
      ['Impressions', 4, 0],
    ],
    order: ['lost', 'inactive', 'no_bid', 'timed_out'],
  },
  {
    name: 'a limit refuses before the call, or where it has lost a value, a bid',
    offered: { Calls: 4, Answers: 4, Bids: 4, Wins: 1, Impressions: 1 },
    reasons: { spent_daily_limit: [3, 0.2], impressions_per_ip: [6] },
    steps: [
      ['Offered', 10, 0],
      ['Calls', 4, 0],
      ['Answers', 4, 0],
      ['Bids', 4, 0],
      ['Wins', 1, 0],
      ['Impressions', 1, 0],
    ],
    order: ['spent_daily_limit', 'impressions_per_ip'],
  },
];

for (const { name, own, ownReasons, offered, reasons, steps, order, notTaken = 0 } of cases) {
  test(`a funnel: ${name}`, () => {
    const funnel = funnelIn({
      ...(own && { own: answer(own), ownReasons: answer({}, ownReasons) }),
      offered: answer(offered),
      reasons: answer({}, reasons),
    });
    assert.deepEqual(
      funnel.steps.map(({ key, count, gap }) => [key, count, gap]),
      steps,
    );
    assert.deepEqual(
      funnel.losses.map(({ reason }) => reason),
      order,
    );
    assert.equal(funnel.notTaken, notTaken);
  });
}

test('a reason stands at one stage', () => {
  const all = Object.values(reasonStages).flat();
  assert.deepEqual(
    all.filter((name, index) => all.indexOf(name) < index),
    [],
  );
  const stages: readonly ReasonStage[] = ['notCalled', 'timeouts', 'errors', 'noBids', 'bids'];
  assert.deepEqual(Object.keys(reasonStages), stages);
});
