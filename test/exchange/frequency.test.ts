import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { startTestServer } from '../support/server.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-frequency-'));
const databaseUrl = `sqlite:${join(folder, 'bourse.db')}`;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const ada = 'ada-lovelace-7';
const ifa = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

let room: RtbRoom;
/** How late it is since the beginning. */
let nowMs = Date.UTC(2027, 5, 15, 12);
const pass = (ms: number) => {
  nowMs += ms;
  mock.timers.setTime(nowMs);
};

before(async () => {
  mock.timers.enable({ apis: ['Date'], now: nowMs });
  room = await openRtbRoom(undefined, { databaseUrl });
});
after(async () => {
  await room.close();
  mock.timers.reset();
  rmSync(folder, { recursive: true, force: true });
});

const banner = { Type: 2, Html: '<p>Hi</p>', Width: 300, Height: 250 };
const requestBy = (user: string, more: Values = {}) =>
  requestOf([bannerImp], { ...(user && { user: { id: user } }), ...more });

async function endpointFor(campaign: Values, supply: Values = {}): Promise<Stored> {
  const { Id } = await room.campaign({ ...banner, ...campaign });
  const endpoint = await room.endpoint({ Campaigns: [Id], ...supply });
  await room.served();
  return endpoint;
}

/** The answer's ad, shown at once; undefined if there is none. */
async function shown(endpoint: Stored, request: Values): Promise<string | undefined> {
  const { pathname, search } = new URL(zoneUrl(endpoint));
  const { bids } = await post(room.server.url + pathname + search, request);
  const [bid] = bids;
  const url = bid && room.server.url + new URL(bid.nurl).pathname + new URL(bid.nurl).search;
  if (url) assert.equal((await fetch(url)).status, 200);
  return url;
}

async function reasonsFor(endpoint: Stored, OpenRtb: Values): Promise<readonly Values[]> {
  const { url, token } = room.server;
  const answer = await fetch(`${url}/api/exchange/explain`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ RtbEp: { Id: endpoint.Id }, Request: { OpenRtb } }),
  });
  const { Refusals, Candidates } = (await answer.json()) as {
    readonly Refusals: readonly Values[];
    readonly Candidates: readonly { readonly Refusals: readonly Values[] }[];
  };
  return [...Refusals, ...Candidates.flatMap((one) => one.Refusals)];
}

const settings = { FrequencyCap: 2, FrequencyHours: 24, FrequencyMinMinutes: 30, FrequencyUnknown: 1 };

for (const [what, key, who, again] of [
  ['a device', 1, { device: { ifa } }, { device: { ifa: ifa.toUpperCase() } }],
  ['an address', 2, { device: { ip: '2001:db8::1' } }, { device: { ip: '2001:db8::2' } }],
] as const)
  test(`FrequencyKey ${key}: ${what}`, async () => {
    const endpoint = await endpointFor({}, { ...settings, FrequencyKey: key });
    const asked = (members: Values) => requestBy(`user-${nowMs}`, members);
    assert.ok(await shown(endpoint, asked(who)));
    pass(minuteMs);
    assert.equal(await shown(endpoint, asked(again)), undefined);
    const [soon] = await reasonsFor(endpoint, asked(again));
    assert.equal(soon?.Rule, 'frequency_too_soon');
  });

const refusing = { regs: { gdpr: 1 } };
for (const [what, request] of [
  ['a user without an ID', requestBy('')],
  ['one whose ID is 0', requestBy('0')],
  ['one without consent', requestBy(ada, refusing)],
  ['one who opts out', requestBy(ada, { regs: { us_privacy: '1YYN' } })],
  ['one with lmt', requestBy(ada, { device: { lmt: 1 } })],
] as const)
  test(`FrequencyUnknown, ${what}`, async () => {
    const [open, closed] = [
      await endpointFor({ ...settings, FrequencyUnknown: 0 }),
      await endpointFor(settings),
    ];
    for (const time of ['first', 'second', 'third']) assert.ok(await shown(open, request), time);
    assert.equal(await shown(closed, request), undefined);
    const [unknown] = await reasonsFor(closed, request);
    assert.deepEqual([unknown?.Rule, unknown?.Wanted], ['frequency_unknown', 'user']);
  });

test('FrequencyCap and FrequencyMinMinutes of a campaign by user, explained, over a restart', async () => {
  const endpoint = await endpointFor(settings);
  const asked = requestBy(ada);
  assert.ok(await shown(endpoint, asked));
  assert.equal(await shown(endpoint, asked), undefined);
  const [soon] = await reasonsFor(endpoint, asked);
  assert.partialDeepStrictEqual(soon, {
    Rule: 'frequency_too_soon',
    Field: 'FrequencyMinMinutes',
    Wanted: 30,
    Met: 'again from 2027-06-15T12:33Z',
  });
  assert.ok(await shown(endpoint, requestBy('grace')), 'another user');
  pass(31 * minuteMs);
  assert.ok(await shown(endpoint, asked));
  pass(31 * minuteMs);
  assert.equal(await shown(endpoint, asked), undefined);
  await room.close();
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile())
      assert.ok(!readFileSync(join(file.parentPath, file.name)).includes(ada), `${file.name} has the ID`);
  const server = await startTestServer({ databaseUrl, allowPrivateDemand: true });
  room = { ...room, server, close: () => server.close() };
  assert.equal(await shown(endpoint, asked), undefined);
  const [cap] = await reasonsFor(endpoint, asked);
  // What was shown before the start counts as shown at the end of its hour.
  assert.deepEqual([cap?.Rule, cap?.Met], ['frequency_cap', '2, again from 2027-06-16T13:00Z']);
  assert.ok(await shown(endpoint, requestBy('edith')));
  pass(25 * hourMs);
  assert.ok(await shown(endpoint, asked), 'a day and an hour later at the latest');
});
