import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { privacyMacroNames } from '../../src/reference/privacy-macros.ts';
import { zoneUrl } from '../exchange/exchange-room.ts';
import { hostileText } from '../protocols/vast/hostile-text.ts';
import { pause } from '../support/pause.ts';
import { seeded } from '../support/seed.ts';
import { added } from './api.ts';
import { type LoggedServer, startLoggedServer } from './logged-server.ts';

const account = { Mail: 'a@example.com', Name: 'A', Country: 'DE' };
const syncUrl = 'https://dsp.example/match?to={redirect_url}$UID';

let server: LoggedServer | undefined;
/** What the queries of a supply object and of a partner begin with. */
let own = { supply: '', partner: '' };

/** Sends a request as it is; an answer that never comes is a failure, too. */
const send = (path: string, init: RequestInit = {}) =>
  fetch(`http://${server?.host}:${server?.port}${path}`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
    ...init,
  });

async function assertAnswered(path: string, init?: RequestInit): Promise<void> {
  const { status, body } = await send(path, init);
  await body?.cancel();
  assert.ok(status >= 200 && status < 500, `${path.slice(0, 200)} is answered ${status}`);
}

before(async () => {
  server = await startLoggedServer();
  const { api } = server;
  const advertiser = await added(api, 'advertiser', 'Advertiser', { ...account, Username: 'adv' });
  const publisher = await added(api, 'publisher', 'Publisher', { ...account, Username: 'pub' });
  const partner = { AdvertiserId: advertiser.Id, SyncType: 1, SyncUrl: syncUrl };
  const dsp = await added(api, 'ortb/dsprtbep', 'DspRtbEp', partner);
  const supply = { PublisherId: publisher.Id, DspRtbEps: [dsp.Id], SyncDomains: 'prebid.example' };
  const { searchParams } = new URL(zoneUrl(await added(api, 'ortb/rtbep', 'RtbEp', supply)));
  own = {
    supply: `zone=${searchParams.get('zone')}&auth=${searchParams.get('auth')}`,
    partner: `bidder=DspRtbEp-${dsp.Id}`,
  };
  const answer = async () =>
    (await send(`/cookie_sync?${own.supply}`, { method: 'POST', body: '{}' })).text();
  while (!(await answer()).includes('dsp.example')) await pause();
});
after(() => server?.close());

/** JSON of any type, deep, and long. */
const oddJson = fc.oneof(
  fc.json({ maxDepth: 4 }),
  hostileText.map((text) => JSON.stringify(text)),
  fc.constantFrom('null', 'true', '-1', '0.5', '1e999', '"1"', '[]', '{}', '["DspRtbEp-1"]', '"\\ud800"'),
  fc.constantFrom(
    `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    `${'{"bidders":'.repeat(10_000)}0${'}'.repeat(10_000)}`,
    `[${'"DspRtbEp-1",'.repeat(10_000)}{}]`,
    JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`member${at}`, at]))),
  ),
);
const objectOf = (names: readonly string[], value: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 })
    .map((members) => `{${members.map(([name, text]) => `"${name}":${text}`).join()}}`);
const way = fc.oneof(oddJson, objectOf(['bidders', 'filter'], oddJson));
const settings = fc.oneof(oddJson, objectOf(['iframe', 'image', '__proto__'], way));
const members = ['bidders', 'limit', 'account', 'coopSync', 'toString', '__proto__', ...privacyMacroNames];
const asked = fc
  .tuple(objectOf(members, oddJson), settings)
  .map(([body, filters]) => `{"filterSettings":${filters},${body.slice(1)}`.replace(/,}$/, '}'));

const oddValue = fc.oneof(
  hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('', '%', '%0d%0a', '%00', '%ff%fe', '%ED%A0%80', '$UID', '{uid}', 'iframe', 'b', '[]'),
  fc.constantFrom('a'.repeat(10_000), '1'.repeat(400), '%5B'.repeat(3000)),
  fc.constantFrom('https://', '//x', 'https://prebid.example/$UID', 'https://prebid.example:99999', 'https://[::'),
); // biome-ignore format: a table
const names = ['uid', 'f', 'type', 'redirect', 'bidder', 'zone', 'auth', '__proto__', ...privacyMacroNames];
const oddQuery = fc
  .array(fc.tuple(fc.constantFrom(...names), oddValue), { maxLength: 8 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));
const whose = fc.constantFrom('supply', 'partner', undefined);
const queryOf = (of: keyof typeof own | undefined, query: string) =>
  of === undefined ? query : `${own[of]}&${query}`;

describe('user sync answers whatever it is asked', () => {
  test('/cookie_sync: any type of each member', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(asked, oddJson), oddQuery, (body, query) =>
        assertAnswered(`/cookie_sync?${queryOf('supply', query)}`, { method: 'POST', body }),
      ),
      seeded(400),
    );
  });

  test('/setuid and /sync: any query', async () => {
    const path = fc.constantFrom('/setuid', '/sync');
    await fc.assert(
      fc.asyncProperty(path, whose, oddQuery, (at, of, query) =>
        assertAnswered(`${at}?${queryOf(of, query)}`),
      ),
      seeded(400),
    );
  });

  test('/optout: any form', async () => {
    const form = fc.oneof(
      oddQuery,
      oddJson,
      oddValue.map((value) => `choice=${value}`),
      fc.constant('choice=out&'.repeat(10_000)),
    );
    const site = fc.constantFrom('same-origin', 'cross-site', '');
    await fc.assert(
      fc.asyncProperty(form, site, (body, from) =>
        assertAnswered('/optout', { method: 'POST', body, headers: { 'sec-fetch-site': from } }),
      ),
      seeded(200),
    );
  });

  test('no fault is logged', () => {
    assert.doesNotMatch(server?.log() ?? '', /"level":[56]0|unexpected error/);
  });
});
