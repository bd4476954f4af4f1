import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayMs, hourMs, minuteMs, openAlertRoom } from './alert-room.ts';
import type { Fetched } from './api.ts';

const { api, clock, count, isFiring, later, logOf, minutes, one, supply } = await openAlertRoom();

const noDataOf = async ({ Id }: Fetched) => String((await api.one('Alert', Id)).NoData);
const atOnce = { HoldMinutes: 0, EndMinutes: 0 };
const nothing = { Name: 'Nothing', Condition: 'Nothing', Measure: 'Impressions', Window: 20, ...atOnce };
const falls = {
  Name: 'Falls',
  Condition: 'FallsBy',
  Measure: 'Impressions',
  Threshold: 50,
  Window: 30,
  ...atOnce,
};

/** The server was off for so long. */
async function off(ms: number) {
  clock.ms += ms;
  await one.judge();
}

/** What was counted by the minute in the two hours before a time so many minutes ago. */
async function steady(impressions: number, minutesAgo: number) {
  for (let ago = minutesAgo; ago < minutesAgo + 120; ago += 1) await count({ impressions }, ago);
}

/** After how many minutes an alert first fires; says on the way that there are no data. */
async function firesAfter(alert: Fetched, most: number, each: () => Promise<void> = async () => undefined) {
  for (let minute = 1; minute <= most; minute += 1) {
    await each();
    await minutes(1);
    if ((await isFiring(alert)) === 1) return minute;
    assert.match(await noDataOf(alert), /^no data/, `minute ${minute}`);
  }
  return undefined;
}

describe('no data is not a fall', () => {
  for (const [what, rule, wanted] of [
    ['nothing', nothing, 20],
    ['nothing by the quarter hour', { ...nothing, Window: 135 }, 135],
    ['too little', { ...nothing, Condition: 'Below', Threshold: 10 }, 20],
  ] as const) {
    test(`${what} is judged once the server has run for the window, and told then`, async () => {
      await off(80 * dayMs);
      const alert = await api.add('Alert', rule);
      const fired = await firesAfter(alert, wanted);
      assert.ok(fired !== undefined && fired >= wanted * 0.95, String(fired));
      assert.equal(await noDataOf(alert), '');
    });
  }

  test('a fall since yesterday is judged once the server has run for the window', async () => {
    await steady(10, 1440 - 60);
    await off(hourMs);
    const alert = await api.add('Alert', falls);
    assert.equal(await firesAfter(alert, 40), 30);
  });

  test('nothing is compared with a time in which no server ran', async () => {
    await off(80 * dayMs);
    await steady(10, 1440 - 60);
    await later(90);
    const alert = await api.add('Alert', falls);
    assert.equal(await firesAfter(alert, 60), undefined);
    assert.match(
      await noDataOf(alert),
      /^no data to compare with: nothing was counted until .* UTC; it will be judged from .* UTC$/,
    );
  });

  test('of a new object nothing can be missed before it has counted for the window', async () => {
    const fresh = await api.add('VastTag', { Name: 'New tag' });
    await count({ impressions: 5 }, 60);
    const rule = { ...nothing, GroupBy: 'Supply', MinVolume: 100, MinVolumeOf: 'Requests' };
    const alert = await api.add('Alert', rule);
    const one = () => count({ requests: 50 }, 0, null, fresh);
    await one();
    await minutes(2);
    assert.equal(await firesAfter(alert, 40, one), 19);
    assert.deepEqual(
      (await logOf(alert)).map(({ ObjectId }) => ObjectId),
      [fresh.Id],
    );
  });

  test('what fires goes on where the server was off, and ends by what comes', async () => {
    const alert = await api.add('Alert', { ...nothing, GroupBy: 'Supply' });
    await count({ impressions: 5 }, 30);
    await minutes(1);
    assert.equal(await isFiring(alert), 1);
    await off(40 * minuteMs);
    await minutes(5);
    assert.deepEqual([await isFiring(alert), (await logOf(alert)).length], [1, 1]);
    assert.match(await noDataOf(alert), /^no data: nothing was counted/);
    await count({ impressions: 5 });
    await minutes(1);
    const [ended] = await logOf(alert);
    assert.deepEqual([await isFiring(alert), ended?.Ending, ended?.ObjectId], [0, 'over', supply.Id]);
  });

  test('a restart within two minutes is no time without data', async () => {
    const alert = await api.add('Alert', nothing);
    await count({ impressions: 5 }, 19);
    await off(2 * minuteMs);
    assert.deepEqual([await isFiring(alert), await noDataOf(alert)], [1, '']);
  });
});

describe('a fall against the day before', () => {
  for (const fault of [1, 7, 16]) {
    test(`that begins ${fault} minutes into a quarter hour is told when its minutes fill half of the window`, async () => {
      await steady(10, 1440 - 90);
      await steady(10, 1);
      const alert = await api.add('Alert', falls);
      for (let minute = 0; minute < fault; minute += 1) {
        await count({ impressions: 10 });
        await minutes(1);
        assert.deepEqual([await isFiring(alert), await noDataOf(alert)], [0, '']);
      }
      let fired = 0;
      while ((await isFiring(alert)) === 0 && fired < 40) {
        fired += 1;
        await minutes(1);
      }
      assert.equal(fired, 15);
    });
  }
});
