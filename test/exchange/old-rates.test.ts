import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ratesRead, writeRates } from '../support/rates.ts';
import { zoneUrl } from './exchange-room.ts';
import { openRtbRoom, post } from './rtb-room.ts';

test('rates that are too old are refused by name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-rates-'));
  const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000).toJSON().slice(0, 10);
  const room = await openRtbRoom(undefined, { ratesFile: writeRates(folder, eightDaysAgo) });
  try {
    await ratesRead(room.server.url);
    const campaign = await room.campaign({ Type: 2, Currency: 'EUR' });
    const endpoint = await room.endpoint({ Campaigns: [campaign.Id] });
    await room.served();
    const imp = [{ id: '1', banner: { w: 300, h: 250 } }];
    const site = { domain: 'site.example' };
    const explained = async (members: object) =>
      (await room.call('exchange/explain', {
        RtbEp: { Id: endpoint.Id },
        Request: { OpenRtb: { id: 'a', imp, site, ...members } },
      })) as { Outcome: string; Field: string; Met: unknown; Candidates: { Rule: string; Field: string }[] };
    const { Candidates } = await explained({});
    assert.deepEqual(
      Candidates.map(({ Rule, Field }) => [Rule, Field]),
      [['currency_not_accepted', 'Currency']],
    );
    const { Outcome, Field, Met } = await explained({ cur: ['EUR'] });
    assert.deepEqual([Outcome, Field, Met], ['currency_not_accepted', 'cur', ['EUR']]);
    const { status } = await post(zoneUrl(endpoint), { id: 'a', imp, site, cur: ['EUR'] });
    assert.equal(status, 204);
  } finally {
    await room.close();
    rmSync(folder, { recursive: true });
  }
});
