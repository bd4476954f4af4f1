import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../build/find-field-tables.ts';
import type { Health } from '../../src/answers/object-health.ts';
import { readHealthSearch } from './health-search.ts';

const { isFine, stateOptions } = await import('./health.ts');
const { columnsOf } = await import('./figures.ts');

const healthy: Health = {
  Id: 1,
  Name: 'One',
  State: 'ok',
  Reasons: [],
  Missing: [],
  Since: '2027-01-01T00:00:00Z',
  LastRequest: null,
  Refusals: [],
  Limits: [],
};
const reason = { Reason: 'max_qps', Help: 'Too many' };
const time = '2027-01-01T10:00:00Z';
const fault: Health['LastFault'] = {
  ...reason,
  Field: '',
  Wanted: '',
  Met: '',
  Time: time,
  HttpStatus: 200,
  Markup: '',
  IsCut: 0,
  IsTolerated: 0,
};

test('states are counted, those without an object, too', () => {
  const counts = [
    { State: 'limited', Objects: 1 },
    { State: 'ok', Objects: 2000 },
  ] as const;
  assert.deepEqual(
    stateOptions(counts).map(({ label }) => label),
    [
      'not ready (0)',
      'paused (0)',
      'warning (0)',
      'at a limit (1)',
      'ok (2,000)',
      'idle (0)',
      'inactive (0)',
    ],
  );
});

describe('there is something to say of', () => {
  const cases: readonly (readonly [what: string, health: Partial<Health>, isSaid: boolean])[] = [
    ['what is well', { Unfilled: [], Paused: null, LastFault: null }, false],
    ['a state', { Reasons: [reason] }, true],
    ['a refusal', { Refusals: [{ ...reason, Refusals: 1, LostValue: 0 }] }, true],
    ['macros', { Unfilled: [{ Parameter: 'ifa', Requests: 1, Percent: 1 }] }, true],
    ['a pause', { Paused: { ...reason, Until: '', Threads: 1, OfThreads: 1 } }, true],
    ['a fault', { LastFault: fault }, true],
    ['few matches', { SyncCalls: 100, MatchRate: 9 }, true],
  ];
  for (const [what, health, isSaid] of cases)
    test(what, () => assert.equal(!isFine({ ...healthy, ...health }), isSaid));
});

describe('a figure of health', () => {
  type Side = keyof typeof columnsOf;
  const refusals = [
    { Reason: 'lost', Help: '', Refusals: 9, LostValue: 1 },
    { Reason: 'os_not_targeted', Help: '', Refusals: 7, LostValue: 0 },
    { Reason: 'below_floor', Help: '', Refusals: 4, LostValue: 0.1 },
  ];
  const cases: readonly (readonly [
    side: Side,
    title: string,
    health: Partial<Health>,
    cell: unknown,
    isTrouble?: true,
  ])[] = [
    ['demand', 'Calls', { Calls: 12_345 }, '12,345'],
    ['demand', 'Calls', {}, '0'],
    ['demand', 'Timeouts', {}, '–'],
    ['demand', 'Timeouts', { Timeouts: 1, Calls: 3 }, '1 · 33.3 %'],
    ['demand', 'Timeouts', { Timeouts: 2, Calls: 5 }, '2 · 40 %', true],
    ['demand', 'Errors', { Errors: 2, Calls: 21 }, '2 · 9.5 %'],
    ['demand', 'Errors', { Errors: 5, Calls: 5 }, '5 · 100 %', true],
    ['demand', 'Unavailable', { UnavailableRate: null }, '–'],
    ['demand', 'Unavailable', { UnavailableRate: 34, CallAttempts: 50 }, '34 %', true],
    ['demand', 'No bids', { NoBids: 5, Calls: 5 }, '5 · 100 %'],
    ['demand', 'Match rate', { MatchRate: null }, '–'],
    ['demand', 'Match rate', { MatchRate: 4, SyncCalls: 99 }, '4 %'],
    ['demand', 'Match rate', { MatchRate: 4, SyncCalls: 100 }, '4 %', true],
    ['demand', 'Match rate', { MatchRate: 41.5, SyncCalls: 100 }, '41.5 %'],
    ['demand', 'p50', {}, '–'],
    ['demand', 'p99', { LatencyP99: 12.6 }, '13 ms'],
    ['demand', 'Bids refused', { Refusals: refusals }, 'below floor 4'],
    ['demand', 'Bids refused', { Refusals: refusals.slice(0, 2) }, '–'],
    ['demand', 'Last fault', {}, '–'],
    ['demand', 'Last fault', { LastFault: fault }, { time }],
    ['supply', 'Fill', { FillRate: null }, '–'],
    ['supply', 'Fill', { FillRate: 0, Requests: 99, Impressions: 0 }, '0 %'],
    ['supply', 'Fill', { FillRate: 0, Requests: 100, Impressions: 0 }, '0 %', true],
    ['supply', 'Invalid', { InvalidRate: 10 }, '10 %'],
    ['supply', 'Invalid', { InvalidRate: 10.04 }, '10 %', true],
    ['supply', 'Ended most by', { Refusals: refusals.slice(1) }, 'os not targeted 7'],
    ['supply', 'Last request', {}, 'none for a day'],
    ['supply', 'Last request', { LastRequest: time }, { time }],
  ];
  for (const [side, title, health, cell, isTrouble] of cases)
    test(`${title}: ${JSON.stringify(cell)}${isTrouble ? ', which is trouble' : ''}`, () => {
      const column = columnsOf[side].find((one) => one.title === title) ?? assert.fail(title);
      const known = { ...healthy, ...health };
      assert.deepEqual(column.cell(known), cell);
      assert.equal(column.isTrouble?.(known) ?? false, isTrouble ?? false);
    });
});

describe('the address of the health', () => {
  const cases: readonly (readonly [sent: object, read: object])[] = [
    [{}, {}],
    [{ side: 'demand', q: '', state: 'constructor' }, {}],
    [
      { side: 'supply', q: 42, state: 'ok', open: 'VastTag:1', more: 'x' },
      { side: 'supply', q: '42', state: 'ok', open: 'VastTag:1' },
    ],
  ];
  for (const [sent, read] of cases)
    test(JSON.stringify(sent), () =>
      assert.deepEqual(
        Object.fromEntries(
          Object.entries(readHealthSearch({ ...sent })).filter(([, value]) => value !== undefined),
        ),
        read,
      ),
    );
});
