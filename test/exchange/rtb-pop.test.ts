import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask } from './ask.ts';
import { type ExchangeRoom, openExchange, type Stored, zoneUrl } from './exchange-room.ts';
import { type Partner, startPartner } from './partner.ts';
import { browser, runJsCheck } from './pop-room.ts';

/** What the partner's feed answers. */
let offered = '';
let room: ExchangeRoom;
let partner: Partner;

before(async () => {
  room = await openExchange();
  partner = await startPartner({ '/feed': (response) => response.end(offered) });
});
after(async () => {
  await partner.close();
  await room.close();
});

const request = {
  id: 'r1',
  at: 1,
  imp: [{ id: '1', instl: 1, ext: { type: 'popunder' } }],
  site: { page: 'https://news.example/page' },
  device: { ip: '203.0.113.7', ua: 'Browser/1' },
};

async function addEndpoint(values: object, feed: object = {}): Promise<Stored> {
  const dsp = await room.add('xml/dsppopfeed', {
    FeedUrlUsEast: `${partner.url}/feed?u={url}`,
    SendOriginalSite: 1,
    ...feed,
  });
  const endpoint = await room.add('ortb/rtbep', {
    PublisherProfitShare: 100,
    PopEnabled: 1,
    DspPopFeeds: [dsp.Id],
    ...values,
  });
  await room.served();
  return endpoint;
}

async function bid(endpoint: Stored): Promise<{ price: number; adm: string } | undefined> {
  const response = await fetch(zoneUrl(endpoint), { method: 'POST', body: JSON.stringify(request) });
  if (response.status === 204) return undefined;
  const { seatbid } = (await response.json()) as { seatbid: { bid: { price: number; adm: string }[] }[] };
  return seatbid[0]?.bid[0];
}

test('a DSP Pop Feed bids for the pops of an RTB EP, which lead on when they are opened', async () => {
  offered = '<result><record><bid>0.003</bid><url>https://dsp.example/ü?a=1&amp;b=2</url></record></result>';
  const endpoint = await addEndpoint({ RevenueCountingMethod: 2 });
  const { price, adm } = (await bid(endpoint)) ?? assert.fail('no bid');
  assert.equal(price, 3);
  // An RTB EP hides no site.
  assert.equal(partner.seen.at(-1)?.url, `/feed?u=${encodeURIComponent(request.site.page)}`);
  for (const _ of [1, 2])
    assert.equal((await ask(adm)).headers.location, 'https://dsp.example/%C3%BC?a=1&b=2');
  // The token of an offer counts by its own trackers alone.
  const token = adm.slice(adm.indexOf('t=') + 2);
  const { status, headers } = await ask(`${room.server.url}/click/${token}`);
  assert.deepEqual([status, headers.location], [204, undefined]);
  const { Bills, NetImpressions, Clicks } = await room.statistics(endpoint, (row) => row.Bills === 1);
  assert.deepEqual([Bills, NetImpressions, Clicks], [1, 1, 0]);
});

test('a pop is opened by a visitor alone, whom the page of JsCheck lets on', async () => {
  offered = '{"bid":0.003,"url":"https://dsp.example/"}';
  const endpoint = await addEndpoint({ RevenueCountingMethod: 2 }, { JsCheck: 1, SendOriginalSite: 0 });
  const { adm } = (await bid(endpoint)) ?? assert.fail('no bid');
  for (const headers of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }]) {
    const { status, headers: answered } = await ask(adm, headers);
    assert.deepEqual([status, answered.location], [204, undefined]);
  }
  // No other tracker goes around the page.
  for (const event of ['impression', 'click', 'clicktracking'])
    assert.equal((await ask(adm.replace('/open?', `/${event}?`))).headers.location, undefined);
  const page = await ask(adm);
  assert.equal(page.status, 200);
  assert.equal((await room.statistics(endpoint)).Bills, 0);
  const { status, headers } = await ask(room.server.url + runJsCheck(page.text));
  assert.deepEqual(
    [status, headers.location, headers['referrer-policy']],
    [302, 'https://dsp.example/', 'no-referrer'],
  );
  const { Bills, NetImpressions, Invalid } = await room.statistics(endpoint, (row) => row.Bills === 1);
  assert.deepEqual([Bills, NetImpressions, Invalid], [1, 1, undefined]);
});

test('a program is not led on', async () => {
  offered = '{"bid":0.003,"url":"https://dsp.example/"}';
  const endpoint = await addEndpoint({ RevenueCountingMethod: 2 }, { JsCheck: 1 });
  const { adm } = (await bid(endpoint)) ?? assert.fail('no bid');
  const next = runJsCheck((await ask(adm)).text, {
    navigator: { webdriver: true, userAgent: browser, language: 'en' },
  });
  assert.equal((await ask(room.server.url + next)).status, 204);
  assert.equal((await room.statistics(endpoint)).Bills, 0);
});

test('XML goes out where PopAdmXml wants it', async () => {
  offered = '{"bid":0.003,"url":"https://dsp.example/"}';
  const { adm } = (await bid(await addEndpoint({ PopAdmXml: 1 }))) ?? assert.fail('no bid');
  assert.match(adm, /^<\?xml .*<url>http.*\/track\/open\?t=/);
});

for (const hostile of [
  '',
  'garbage',
  '<!DOCTYPE a><a/>',
  '{"bid":-1,"url":"https://dsp.example/"}',
  '{"bid":1,"url":"javascript:x"}',
]) {
  test(`${JSON.stringify(hostile)} is no bid`, async () => {
    offered = hostile;
    assert.equal(await bid(await addEndpoint({})), undefined);
  });
}
