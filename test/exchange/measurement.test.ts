import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isSampled } from '../../src/exchange/trackers/measurement.ts';
import { assertRefused } from '../management/refusals.ts';
import { addUsers } from '../management/users.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import {
  audioImp,
  bannerImp,
  nativeImp,
  openRtbRoom,
  popImp,
  post,
  type RtbRoom,
  requestOf,
  videoImp,
} from './rtb-room.ts';

const MeasurementUrl =
  'https://measure.example/i?a={auction_id}&p={publisher_id}&s={supply_id}&d={site}&z={size}&m={medium}&c={creative_id}&b={price_bucket}&g={gdpr}&gc={gdpr_consent}&gs={gpp_sid}&q="<\'';

let room: RtbRoom;
let dsp: Bidder;
let markup = '';
let demand: Stored;
const native = JSON.stringify({ assets: [], link: { url: 'https://brand.example/' }, eventtrackers: [] });
const vast =
  '<VAST version="3.0"><Ad><InLine><AdSystem>x</AdSystem><AdTitle>t</AdTitle><Impression><![CDATA[https://i.example/]]></Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360"><![CDATA[https://cdn.example/f.mp4]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>';

before(async () => {
  room = await openRtbRoom();
  dsp = await startBidder(() => ({ adm: markup, crid: 'a&b "c"' }));
  demand = await room.dsp({ ZoneUrlUsEast: dsp.url });
});
after(async () => {
  await dsp.close();
  await room.close();
});

const measured = (values: Values = {}) =>
  room.endpoint({ ThirdPartyPostbidEnable: 1, ThirdPartyPercentage: 100, DspRtbEps: [demand.Id], ...values });

async function markupFor(endpoint: Stored, imp: object, members: object = {}): Promise<string> {
  const { bids, status } = await post(zoneUrl(endpoint), requestOf([imp], members));
  assert.equal(status, 200, JSON.stringify(imp));
  return bids[0]?.adm ?? '';
}

/** Sets the team's URL, and waits until the exchange uses it. */
async function setUrl(url: string): Promise<void> {
  await room.call('team/update', { Team: { MeasurementUrl: url } });
  const endpoint = await measured();
  await room.served();
  const start = url.slice(0, 24);
  for (;;) {
    markup = '<p>ad</p>';
    if ((await markupFor(endpoint, bannerImp)).includes(start)) return;
    await delay(20);
  }
}

async function measuredOf(endpoint: Stored, groups: readonly string[] = []): Promise<number> {
  const today = new Date().toJSON().slice(0, 10);
  const { Total } = await room.call('statistics/report', {
    From: today,
    To: today,
    Measures: ['Measured'],
    Total: 1,
    GroupBy: groups,
    Filters: [{ Field: 'Supply', Operator: 'In', Values: [`RtbEp:${endpoint.Id}`] }],
  });
  return Number((Total as Values).Measured);
}

describe('ThirdPartyPostbidEnable and ThirdPartyPercentage', () => {
  test('add the measurement of the team to each medium, each value encoded, and count the ads', async () => {
    await setUrl(MeasurementUrl);
    const endpoint = await measured({ ConsentMode: 1 });
    const regs = { gdpr: 1, gpp_sid: [7, 8] };
    const nested = (size: string, medium: string) =>
      `p=${room.publisher.Id}&s=${endpoint.Id}&d=news.example&z=${size}&m=${medium}&c=a%26b%20%22c%22&b=2&g=1&gc=CPxx&gs=7%2C8&q=`;
    await room.served();
    const cases: readonly (readonly [imp: object, adm: string, RegExp, string])[] = [
      [videoImp, vast, /<Impression><!\[CDATA\[(https:\/\/measure[^\]]+)\]\]>/, nested('640x360', 'video')],
      [
        audioImp,
        vast.replace('video/mp4', 'audio/mpeg'),
        /<Impression><!\[CDATA\[(https:\/\/measure[^\]]+)\]\]>/,
        nested('', 'audio'),
      ],
      [
        bannerImp,
        '<p>ad</p>',
        /<img src="(https:\/\/measure[^"]+)" width="1"/,
        nested('300x250', 'banner').replaceAll('&', '&amp;'),
      ],
      [nativeImp, native, /\{"event":1,"method":1,"url":"(https:\/\/measure[^"]+)/, nested('', 'native')],
      [
        nativeImp,
        native.replace(',"eventtrackers":[]', ''),
        /"imptrackers":\[.*"(https:\/\/measure[^"]+)/,
        nested('', 'native'),
      ],
    ];
    for (const [imp, adm, found, wanted] of cases) {
      markup = adm;
      const answered = await markupFor(endpoint, imp, { regs, user: { consent: 'CPxx' } });
      const url = found.exec(answered)?.[1] ?? assert.fail(answered);
      assert.ok(url.includes(wanted), `${url} beside ${wanted}`);
      assert.match(url, /\?a=[0-9a-f-]{36}&/);
      assert.equal(answered.split('https://measure.example').length, 2, 'once');
    }
    await room.call('exchange/explain', { RtbEp: { Id: endpoint.Id } });
    while ((await measuredOf(endpoint)) < cases.length) await delay(20);
    assert.equal(await measuredOf(endpoint), cases.length);
    assert.equal(await measuredOf(endpoint, ['Country']), cases.length);
  });

  test('leave alone what is not to be measured, and count nothing of it', async () => {
    markup = '<p>ad</p>';
    const rows: readonly (readonly [what: string, values: Values, imp: object, members?: object])[] = [
      ['switched off', { ThirdPartyPostbidEnable: 0 }, bannerImp],
      ['no percent', { ThirdPartyPercentage: 0 }, bannerImp],
      ['a test', {}, bannerImp, { test: 1 }],
      ['a pop', {}, popImp],
    ];
    for (const [what, values, imp, members] of rows) {
      const endpoint = await measured(values);
      await room.served();
      const before = dsp.requests.length;
      const { bids } = await post(zoneUrl(endpoint), requestOf([imp], members));
      assert.ok(dsp.requests.length > before, what);
      assert.ok(!JSON.stringify(bids).includes('measure.example'), what);
      assert.equal(await measuredOf(endpoint), 0, what);
    }
  });

  test('put no plain HTTP into secure pages', async () => {
    await setUrl('http://measure.example/i');
    const endpoint = await measured();
    await room.served();
    assert.ok(!(await markupFor(endpoint, { ...bannerImp, secure: 1 })).includes('measure.example'));
  });

  test('choose auctions by their ID, about that percentage of them', () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `${index}-auction-${index * 7919}`);
    for (const percentage of [0, 0.5, 20, 99.9, 100]) {
      const count = ids.filter((id) => isSampled(id, percentage)).length;
      assert.ok(Math.abs(count / ids.length - percentage / 100) < 0.01, `${percentage}: ${count}`);
      assert.deepEqual(
        ids.filter((id) => isSampled(id, percentage)),
        ids.filter((id) => isSampled(id, percentage)),
      );
    }
  });

  test('the URL is an administrator’s, is checked, and stands in the history', async () => {
    const set = async (token: string, body: object) => {
      const answer = await fetch(`${room.server.url}/api/team/update`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) as Values };
    };
    const [manager] = await addUsers(room.server, [{ role: 1, teamId: 1 }]);
    const wanted = { Team: { MeasurementUrl: 'https://other.example/{creative_id}' } };
    assertRefused(await set(manager?.token ?? '', wanted), { status: 403 });
    for (const url of [
      'ftp://x.example/',
      'measure',
      'https://x.example/{user_id}',
      'https://x.example/{AUCTION_PRICE}',
    ]) {
      assertRefused(await set(room.server.token, { Team: { MeasurementUrl: url } }), {
        status: 406,
        paths: ['Team.MeasurementUrl'],
      });
    }
    const { body } = await set(room.server.token, wanted);
    assert.partialDeepStrictEqual(body, { Status: 'Ok', ...wanted });
    assert.partialDeepStrictEqual(await room.call('team/get'), wanted.Team);
    const rows = (await room.call('history/get?Entity=Team&Order=newest')) as unknown as readonly Values[];
    assert.deepEqual(((rows[0]?.Changes ?? []) as readonly Values[])[0]?.New, wanted.Team.MeasurementUrl);
  });
});
