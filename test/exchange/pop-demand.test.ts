import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask } from './ask.ts';
import { type Partner, startPartner } from './partner.ts';
import {
  browser,
  feedUrl,
  openPopRoom,
  type PopRoom,
  shown,
  site,
  target,
  visitor,
  xmlRecord,
} from './pop-room.ts';

let room: PopRoom;
let partner: Partner;

before(async () => {
  room = await openPopRoom();
  const body = (text: string) => (response: { end(text: string): void }) => response.end(text);
  partner = await startPartner({
    '/xml': body(
      xmlRecord(
        '<title>T &amp; U</title><description>D</description><bid>0.0035</bid><url>https://shown.example/</url><click><![CDATA[https://dsp.example/go?a=1&b=2]]></click>',
      ),
    ),
    '/ampersand': body(
      '<ads><ad bid="0.002"><url>https://dsp.example/go?a=1&b=2&amp;c=&#51;</url></ad></ads>',
    ),
    '/attributes': body(
      '<results><listing bid="0.001" redirect="https://dsp.example/low"/><listing bid="0.003" redirect="https://dsp.example/high"/></results>',
    ),
    '/json': body(
      '{"result":[{"title":"T","url":"https://dsp.example/j","description":"D","bid":"0.0031"}]}',
    ),
    '/json-nested': body(
      '{"status":"ok","data":{"ads":[{"cpc":0.0001,"link":"https://dsp.example/low"},{"cpc":0.0032,"clickUrl":"https://dsp.example/n","domain":"nested.example"}]}}',
    ),
    '/cpm': body('{"bid":3.5,"url":"https://dsp.example/cpm"}'),
    '/garbage': body('\0\u0001<<<<{{{ no answer'),
    '/binary': (response) => response.end(Buffer.alloc(4096, 0xfe)),
    '/empty': body('   '),
    '/no-record': body('<result></result>'),
    '/html': body('<html><body><h1>It works!</h1><br></body></html>'),
    '/deep': body('['.repeat(200_000)),
    '/deep-xml': body('<a>'.repeat(50_000)),
    '/open-cdata': body(`<a>&${'<![CDATA['.repeat(20_000)}`),
    '/dtd': body(
      `<!DOCTYPE r [<!ENTITY a "https://evil.example/">]>${'<result><record><bid>1</bid><url>&a;</url></record></result>'}`,
    ),
    '/external': body(
      '<!DOCTYPE r SYSTEM "http://127.0.0.1:1/evil.dtd"><result><record><bid>1</bid><url>https://evil.example/</url></record></result>',
    ),
    '/negative': body(xmlRecord('<bid>-1</bid><url>https://dsp.example/</url>')),
    '/zero': body(xmlRecord('<bid>0</bid><url>https://dsp.example/</url>')),
    '/absurd': body(xmlRecord('<bid>1e300</bid><url>https://dsp.example/</url>')),
    '/not-a-number': body(xmlRecord('<bid>NaN</bid><url>https://dsp.example/</url>')),
    '/comma': body(xmlRecord('<bid>0,5</bid><url>https://dsp.example/</url>')),
    '/script': body(xmlRecord('<bid>0.01</bid><url>javascript:alert(1)</url>')),
    '/split': body('{"bid":0.01,"url":"https://dsp.example/\\r\\nSet-Cookie: a=1\\r\\n\\r\\nbody"}'),
    '/long': body(JSON.stringify({ bid: 0.01, url: `https://dsp.example/${'a'.repeat(100_000)}` })),
    '/status': (response) =>
      response.writeHead(500).end(xmlRecord('<bid>0.01</bid><url>https://dsp.example/</url>')),
    '/hang-up': (response) => response.destroy(),
    '/slow': () => undefined,
    '/endless': (response) => {
      const timer = setInterval(() => response.write(' '.repeat(65_536)), 1);
      response.on('close', () => clearInterval(timer));
    },
  });
});
after(async () => {
  await partner.close();
  await room.close();
});

describe('a DSP Pop Feed', () => {
  const hostile = [
    '/garbage',
    '/binary',
    '/empty',
    '/no-record',
    '/html',
    '/deep',
    '/deep-xml',
    '/open-cdata',
    '/dtd',
    '/external',
    '/negative',
    '/zero',
    '/absurd',
    '/not-a-number',
    '/comma',
    '/script',
    '/long',
    '/status',
    '/hang-up',
    '/slow',
    '/endless',
    '/nothing',
  ];
  test('hostile answers are no bids, and harm nobody beside them', async () => {
    const { Id } = await room.addCampaign({ Cpm: 0.5 });
    const dsps: number[] = [];
    for (const path of hostile) dsps.push((await room.addDsp({ FeedUrlUsEast: partner.url + path })).Id);
    const feed = await room.addFeed({
      Tmax: 700,
      PublisherProfitShare: 100,
      Campaigns: [Id],
      DspPopFeeds: dsps,
    });
    await room.served();
    const record = shown(await ask(feedUrl(feed, visitor)));
    assert.equal(record.bid, 0.0005);
    assert.equal((await ask(record.click)).headers.location, target);
    const [auction] = (await room.call('exchange/auctions?Limit=1')) as unknown as readonly {
      Candidates: readonly { Entity: string; Outcome: string; Rule: string }[];
    }[];
    const outcomes = auction?.Candidates.filter(({ Entity }) => Entity === 'DspPopFeed') ?? [];
    assert.equal(outcomes.length, hostile.length);
    for (const { Outcome, Rule } of outcomes)
      assert.ok(Outcome === 'refused' && Rule !== 'lost', JSON.stringify(outcomes));
  });

  test('no answer splits headers', async () => {
    const dsp = await room.addDsp({ FeedUrlUsEast: `${partner.url}/split` });
    const feed = await room.addFeed({ DspPopFeeds: [dsp.Id] });
    await room.served();
    const { headers } = await ask(shown(await ask(feedUrl(feed, visitor))).click);
    assert.equal(headers.location, 'https://dsp.example/Set-Cookie:%20a=1body');
    assert.equal(headers['set-cookie'], undefined);
  });

  test('is asked with the macros filled, and told of the platform instead of the site unless both sides allow it', async () => {
    const macros = 'i={ip}&u={url}&q={query}&s={subid}&x={uid}&c={country}';
    const asked: unknown[] = [];
    for (const SendOriginalSite of [0, 1]) {
      const dsp = await room.addDsp({
        FeedUrlUsEast: `${partner.url}/macros?${macros}`,
        SendOriginalSite: 1,
      });
      const feed = await room.addFeed({ DspPopFeeds: [dsp.Id], SendOriginalSite });
      await room.served();
      await ask(feedUrl(feed, { ...visitor, query: 'a b&c', subid: 's/1', uid: 'u1' }));
      const { url, headers } = partner.seen.at(-1) ?? {};
      const { u, ...others } = Object.fromEntries(new URLSearchParams(url?.split('?')[1]));
      asked.push(u, headers?.['x-device-referer']);
      assert.deepEqual(others, { i: '203.0.113.7', q: 'a b&c', s: 's/1', x: 'u1', c: '' });
      assert.equal(headers?.['x-device-user-agent'], browser);
    }
    const own = `${room.server.url}/`;
    assert.deepEqual(asked, [own, own, site, site]);
  });
});
