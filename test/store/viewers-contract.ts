import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AddressCounts } from '../../src/store/statistics/interface.ts';
import { day, startMs } from '../statistics/counting.ts';
import { lot, market } from './market.ts';
import type { Opened } from './team-room.ts';

export function viewers(suite: Opened): void {
  test('counts impressions by viewer in the hour of each, and forgets them after the day on which they last count', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { demand } = await market(room);
    const hour = day * 24 + 9;
    const row = { ...demand, hour, address: '~viewer', impressions: 1, promised: 0 };
    const add = (...addresses: AddressCounts[]) => statistics.add([lot({ addresses })]);
    await add({ ...row, untilDay: day + 1 }, { ...row, hour: hour + 1, untilDay: day + 1 });
    await add({ ...row, untilDay: day + 1 }, { ...row, hour: hour + 1, untilDay: day + 40 });
    await add({ ...row, impressions: 0, promised: 1 });
    const known = async (ofDay: number) => {
      const rows = (await Array.fromAsync(statistics.addresses(ofDay))).flat();
      const own = rows.filter(({ kind, id }) => kind === demand.kind && id === demand.id);
      return own.map((one) => [one.hour - hour, (one.untilDay ?? day) - day, one.impressions, one.promised]);
    };
    const last = [1, 40, 1, 0];
    const later = [[0, 1, 2, 0], [1, 1, 1, 0], last];
    assert.deepEqual(await known(day), [[0, 0, 0, 1], ...later]);
    assert.deepEqual(await known(day + 1), later);
    await statistics.forget({ expiresMs: 0, flushedMs: startMs + 86_400_000 });
    assert.deepEqual(await known(day), later);
    await statistics.forget({ expiresMs: 0, flushedMs: startMs + 2 * 86_400_000 });
    assert.deepEqual(await known(day), [last]);
  });
}
