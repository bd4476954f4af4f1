import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import '../build/find-field-tables.ts';
import type { Health } from '../../src/answers/object-health.ts';
import { seeded } from '../../test/support/seed.ts';
import { readHealthSearch } from './health-search.ts';

const { isFine, shownHealth, stateOptions } = await import('./health.ts');
const { columnsOf } = await import('./figures.ts');
const { entityOf } = await import('../field-tables.ts');

const entity = entityOf('DspRtbEp') ?? assert.fail('there is no such entity');
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
const row = (health: Partial<Health>) => ({ entity, health: { ...healthy, ...health } });

describe('what is shown of the health of objects', () => {
  const known = [
    row({ Name: 'idle', State: 'idle' }),
    row({ Name: 'busy', CallAttempts: 900, UnavailableRate: 1 }),
    row({ Name: 'worse', CallAttempts: 10, UnavailableRate: 30 }),
    row({ Name: 'quiet', CallAttempts: 90, UnavailableRate: 1 }),
    row({ Name: 'unfilled', Requests: 100, Impressions: 10 }),
    row({ Name: 'campaign', Bids: 500 }),
    row({ Name: 'also campaign', Bids: 500 }),
    row({ Name: 'paused', State: 'paused' }),
    row({ Name: 'limited', State: 'limited' }),
    row({ Name: 'warned', State: 'warning' }),
    row({ Name: 'off', State: 'inactive' }),
  ];
  const cases: readonly (readonly [search: Parameters<typeof shownHealth>[1], names: string])[] = [
    [{}, 'paused warned limited unfilled worse busy quiet also campaign campaign idle off'],
    [{ q: 'CAMP' }, 'also campaign campaign'],
    [{ state: 'ok', q: 'u' }, 'unfilled busy quiet'],
    [{ state: 'constructor' }, ''],
  ];
  for (const [search, names] of cases)
    test(JSON.stringify(search), () =>
      assert.equal(
        shownHealth(known, search)
          .map(({ health }) => health.Name)
          .join(' '),
        names,
      ),
    );

  test('is in one order: that of some of them is the same without the others', () => {
    const count = fc.option(fc.nat(3), { nil: undefined });
    const one = fc.record({
      Name: fc.constantFrom('a', 'b'),
      State: fc.constantFrom<Health['State']>('ok', 'idle', 'paused'),
      CallAttempts: count,
      UnavailableRate: fc.constantFrom(null, 0, 50),
      Requests: count,
      Impressions: count,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(one, fc.boolean())), (all) => {
        const rows = all.map(([health, isTaken]) => ({ ...row(health), isTaken }));
        const some = rows.filter(({ isTaken }) => isTaken);
        const inOrder = shownHealth(rows, {}).filter((known) => some.some((taken) => taken === known));
        assert.deepEqual(inOrder, shownHealth(some, {}));
      }),
      seeded(300),
    );
  });
});

test('states are counted, those without an object, too', () => {
  assert.deepEqual(
    stateOptions([row({}), row({ State: 'limited' }), row({})]).map(({ label }) => label),
    ['not ready (0)', 'paused (0)', 'warning (0)', 'at a limit (1)', 'ok (2)', 'idle (0)', 'inactive (0)'],
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
    [{ side: 'demand', q: '', state: 7 }, {}],
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
