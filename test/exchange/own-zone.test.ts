import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { macroOf } from '../../src/protocols/openrtb/macros.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { bidResponse, type MockDsp, startMockDsp, vastAd, vastWrapper } from './mock-dsp.ts';
import { feedUrl, visitor } from './pop-room.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';

let room: VastRoom;
let dsp: MockDsp;

before(async () => {
  room = await openVastRoom();
  dsp = await startMockDsp();
});
after(() => Promise.all([room.close(), dsp.close()]));

const encoded = (url: string) => encodeURIComponent(url);
const otherHost = (url: string) => url.replace(/^https?:\/\/[^/]+/, 'https://ads.publisher.example');

/** URLs of wrappers, made from that of the tag that asks, and whether they are refused. */
const urls: readonly (readonly [name: string, urlOf: (own: string) => string, isLoop: boolean])[] = [
  ['the tag itself', (own) => own, true],
  ['with further parameters', (own) => `${own}&x=1#y`, true],
  ['by another host', otherHost, true],
  ['by another port and in capitals', (own) => own.replace(/^http:\/\/[^/]+/, 'HTTPS://ADS.EXAMPLE:8443'), true],
  ['with encoded letters', (own) => own.replace('zone=', 'z%6Fne=').replace('auth=', '%61uth='), true],
  ['with parameters in another order', (own) => own.replace(/\?(zone=\d+)&(auth=[^&]+)/, '?$2&$1'), true],
  ['behind a redirect', (own) => `https://r.example/go?url=${encoded(own)}`, true],
  ['behind two redirects', (own) => `https://r.example/?u=${encoded(`https://s.example/?v=${encoded(own)}`)}`, true],
  ['in the path of a redirect', (own) => `https://r.example/${own}`, true],
  ['with a macro that is removed', (own) => own.replace('&auth=', `${macroOf('IMP_TS')}&auth=`), true],
  ['another zone', (own) => own.replace(/zone=\d+/, 'zone=999'), false],
  ['another secret, which gets no ad', (own) => own.replace(/auth=[^&]+/, 'auth=other'), false],
  ['another server', () => 'https://dsp.example/vast?zone=1&auth=x', false],
  ['what is badly encoded', () => 'https://dsp.example/vast?zone=%&u=%E0%A4%A', false],
]; // biome-ignore format: a table

/** What became of the only demand object of a supply object. */
async function refusalOf(entity: string, { Id }: Values): Promise<readonly unknown[]> {
  const auctions = await room.call(`exchange/auctions?${entity}=${Id}`);
  const [{ Candidates = [] } = {}] = auctions as unknown as readonly { Candidates?: readonly Values[] }[];
  return [Candidates[0]?.Outcome, Candidates[0]?.Rule, Candidates[0]?.Field, Candidates[0]?.Met];
}

const loop = ['refused', 'invalid_creative', 'VASTAdTagURI', 'the requesting zone'];

describe('a wrapper that leads to the tag that asks is refused', () => {
  for (const [name, urlOf, isLoop] of urls) {
    test(name, async () => {
      const path = `/${name.replaceAll(/\W/g, '-')}`;
      const bidder = await room.add('ortb/dsprtbep', { ZoneUrlUsEast: `${dsp.url}${path}` });
      const tag = await room.add('ortb/vasttag', { DspRtbEps: [bidder.Id] });
      await room.served();
      const own = zoneUrl(tag);
      dsp.answer(path, (call) => bidResponse(call, { price: 3, adm: vastWrapper(urlOf(own)) }));
      const { text } = await room.vast(own);
      assert.equal(text.includes('<VASTAdTagURI'), !isLoop);
      const became = await refusalOf('VastTag', tag);
      assert.deepEqual(isLoop ? became : became[0], isLoop ? loop : 'won');
    });
  }

  test('by a VAST tag, too, and where it stands beside an ad', async () => {
    const demand = await room.add('ortb/dspvasttag', { ZoneUrlUsEast: `${dsp.url}/tag`, FixedCpm: 2 });
    const tag = await room.add('ortb/vasttag', { DspVastTags: [demand.Id] });
    await room.served();
    const wrapper = vastWrapper(zoneUrl(tag)).replace(/^<VAST[^>]*>|<\/VAST>$/g, '');
    dsp.answer('/tag', () => ({ body: vastAd().replace('</VAST>', `${wrapper}</VAST>`) }));
    assert.doesNotMatch((await room.vast(zoneUrl(tag))).text, /<Ad/);
    assert.deepEqual(await refusalOf('VastTag', tag), loop);
  });
});

const notCallable = ['refused', 'not_callable', '', 'the requesting zone'];

/** A URL without the macros that partners do not know. */
const plain = (url: string) => url.replaceAll(/&\w+=\{\w+\}/g, '');

for (const [how, urlOf] of [
  ['as it is', plain],
  ['behind a redirect', (own: string) => `${dsp.url}/redirect?to=${encoded(plain(own))}`],
] as const) {
  test(`a VAST tag whose URL is that of the tag that asks is not called: ${how}`, async () => {
    const demand = await room.add('ortb/dspvasttag', { ZoneUrlUsEast: 'https://dsp.example/', FixedCpm: 2 });
    const tag = await room.add('ortb/vasttag', { DspVastTags: [demand.Id] });
    const ZoneUrlUsEast = urlOf(zoneUrl(tag));
    await room.call('ortb/dspvasttag/update', { DspRtbEp: { Id: demand.Id, ZoneUrlUsEast } });
    await room.served();
    await room.vast(zoneUrl(tag));
    assert.deepEqual(await refusalOf('VastTag', tag), notCallable);
    assert.equal(dsp.calls('/redirect').length, 0);
  });
}

test('a pop feed whose URL is that of the feed that asks is not called', async () => {
  const demand = await room.add('xml/dsppopfeed', { FeedUrlUsEast: 'https://dsp.example/' });
  const feed = await room.add('xml/popfeed', { DspPopFeeds: [demand.Id] });
  const own = plain(feedUrl(feed));
  await room.call('xml/dsppopfeed/update', { DspPopFeed: { Id: demand.Id, FeedUrlUsEast: own } });
  await room.served();
  await (await fetch(feedUrl(feed, visitor))).text();
  assert.deepEqual(await refusalOf('PopFeed', feed), notCallable);
});
