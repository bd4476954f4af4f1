import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Counts } from '../../src/reference/counters.ts';
import { openAlertRoom } from './alert-room.ts';

const { api, count, isFiring, logOf, minutes } = await openAlertRoom();

interface Case {
  readonly what: string;
  readonly rule: object;
  /** What a minute counts while all is well, and while it is not. */
  readonly well: Partial<Counts>;
  readonly ill: Partial<Counts>;
  /** Minutes from the fault until its share of the window is beyond the bound. */
  readonly within: number;
}

const bySupply = { GroupBy: 'Supply' };
const byDemand = { GroupBy: 'Demand' };
const called = { calls: 100, answers: 100, bids: 90 };
const shown = { impressions: 10, revenueNanos: 10_000_000 };

const cases: readonly Case[] = [
  {
    what: 'a partner that is paused after its first failures',
    rule: { Condition: 'Above', Measure: 'UnavailableRate', Threshold: 40, Window: 15, MinVolume: 100 },
    well: called,
    ill: { calls: 1, timeouts: 1, pausedCalls: 99 },
    within: 7,
  },
  {
    what: 'the same of each partner',
    rule: {
      Condition: 'Above',
      Measure: 'UnavailableRate',
      Threshold: 40,
      Window: 1,
      MinVolume: 100,
      ...byDemand,
    },
    well: called,
    ill: { calls: 1, timeouts: 1, pausedCalls: 99 },
    within: 1,
  },
  ...[1, 7, 15, 20, 120].map(
    (Window): Case => ({
      what: `no impressions for ${Window} minutes`,
      rule: { Condition: 'Nothing', Measure: 'Impressions', Window, ...(Window === 7 ? bySupply : {}) },
      well: shown,
      ill: { bids: 1 },
      within: Window,
    }),
  ),
  {
    what: 'revenue below a bound',
    rule: { Condition: 'Below', Measure: 'Revenue', Threshold: 0.1, Window: 20, ...byDemand },
    well: shown,
    ill: {},
    within: 11,
  },
];

/** Minutes after the hour at which faults begin: in the middle of quarter hours, and at their ends. */
const faultsAt = [3, 16, 30, 44] as const;

describe('a fault is seen once its minutes are in the window, whenever it begins', () => {
  for (const [place, { what, rule, well, ill, within }] of cases.entries()) {
    test(what, async () => {
      const alerts = [
        await api.add('Alert', { Name: 'At once', ...rule, HoldMinutes: 0, EndMinutes: 0 }),
        await api.add('Alert', { Name: 'Held', ...rule, HoldMinutes: 5, EndMinutes: 0 }),
      ];
      const wellMinutes = 120 + (faultsAt[place % faultsAt.length] ?? 0);
      for (let minute = 0; minute < wellMinutes; minute += 1) {
        await count(well);
        await minutes(1);
      }
      assert.deepEqual(await Promise.all(alerts.map(isFiring)), [0, 0], 'while all is well');
      const fired: [number, number] = [0, 0];
      for (let minute = 1; fired.includes(0) && minute <= within + 5; minute += 1) {
        await count(ill);
        await minutes(1);
        for (const [index, alert] of alerts.entries()) {
          if (fired[index] === 0 && (await isFiring(alert)) === 1) fired[index] = minute;
        }
      }
      assert.deepEqual(fired, [within, within + 5]);
      await count(well);
      await minutes(1);
      if (Object.hasOwn(well, 'impressions') && ill.bids) {
        const [first] = await logOf(alerts[0] ?? { Id: 0 });
        assert.equal(first?.Ending, 'over', 'with the first minute that is well');
      }
    });
  }
});
