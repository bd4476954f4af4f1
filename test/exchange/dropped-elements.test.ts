import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { macroOf } from '../../src/protocols/openrtb/macros.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp, vastAd, vastWrapper } from './mock-dsp.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';

const scriptIn = (namespace: string) => `<h:script xmlns:h="${namespace}">alert(1)</h:script>`;
const omid =
  '<AdVerifications><Verification vendor="v.example-omid"><script>kept</script></Verification></AdVerifications>';
const extensions = (namespace: string) =>
  `<Extensions><Extension type="x">${scriptIn(namespace)}${omid}</Extension></Extensions>`;
const xhtml = 'http://www.w3.org/1999/xhtml';
const inLine = (namespace = xhtml) =>
  vastAd().replace('</Creatives>', `</Creatives>${extensions(namespace)}`);
const wrapper = vastWrapper('https://dsp.example/next').replace(
  '</Wrapper>',
  `${extensions(xhtml)}</Wrapper>`,
);

let room: VastRoom;
let dsp: MockDsp;
before(async () => {
  [room, dsp] = await Promise.all([openVastRoom(), startMockDsp()]);
});
after(() => Promise.all([room.close(), dsp.close()]));

/** Demand that answers a document. */
const demand = {
  async tag(document: string, path: string) {
    dsp.answer(path, () => ({ body: document }));
    const { Id } = await room.add('ortb/dspvasttag', { FixedCpm: 5, ZoneUrlUsEast: dsp.url + path });
    return { DspVastTags: [Id] };
  },
  async bidder(document: string, path: string) {
    dsp.answer(path, (call) => {
      const { id, imp } = JSON.parse(call.body);
      const bid = {
        id: 'b',
        impid: imp[0].id,
        price: 5,
        adm: document,
        adomain: ['brand.example'],
        crid: 'c',
      };
      return { body: JSON.stringify({ id, bidid: 'xhtml', seatbid: [{ seat: '-', bid: [bid] }] }) };
    });
    const { Id } = await room.add('ortb/dsprtbep', { ZoneUrlUsEast: dsp.url + path });
    return { DspRtbEps: [Id] };
  },
};

function assertClean(text: string, what: string): void {
  assert.match(text, /<Ad /, what);
  assert.doesNotMatch(text, /h:script|alert/, what);
  assert.ok(text.includes(omid), `${what}: what players read stays`);
}

/** A user may hold five tests a second; one too many is asked again. */
async function patiently(path: string, init: RequestInit = {}): Promise<string> {
  for (;;) {
    const response = await fetch(new URL(path, room.server.url), {
      headers: { authorization: `Bearer ${room.server.token}` },
      ...init,
    });
    const text = await response.text();
    if (response.status !== 429) return text;
  }
}
const tested = async (path: string, body: object): Promise<Values> =>
  JSON.parse(await patiently(path, { method: 'POST', body: JSON.stringify(body) })) as Values;

const droppedIn = (candidates: unknown) =>
  (candidates as readonly Values[]).map(({ DroppedElements }) => DroppedElements);

const bidRequest = {
  id: 'r',
  site: { domain: 'news.example' },
  device: { ip: '203.0.113.7', ua: 'Mozilla/5.0' },
  imp: [{ id: '1', video: { mimes: ['video/mp4'], w: 640, h: 360, protocols: [2, 3, 5, 6, 7, 8] } }],
};

describe("what browsers would run leaves with no partner's VAST, and auctions tell what was dropped", () => {
  const documents: Readonly<Record<string, string>> = {
    InLine: inLine(),
    Wrapper: wrapper,
    'a namespace that a macro makes': inLine(`http://www.w3.org/1999/${macroOf('BID_ID')}`),
  };
  let count = 0;
  for (const [name, document] of Object.entries(documents)) {
    for (const [kind, answerWith] of Object.entries(demand)) {
      test(`${name} of a ${kind}`, async () => {
        count += 1;
        const connected = await answerWith(document, `/${count}`);
        const tag = await room.add('ortb/vasttag', { Tmax: 5000, ...connected });
        const endpoint: Stored = await room.add('ortb/rtbep', { VideoEnabled: 1, ...connected });
        await room.served();

        assertClean((await room.vast(zoneUrl(tag))).text, '/vast');
        const [held] = await room.auctions(tag);
        assert.deepEqual(droppedIn(held?.Candidates), [['h:script']]);

        const made = await tested('/api/exchange/test', { Entity: 'VastTag', Id: tag.Id });
        const run = await tested('/api/exchange/test/run', { Url: made.Url });
        assertClean(String(run.Markup), 'a test that is run');
        assert.deepEqual(droppedIn(run.Candidates), [['h:script']]);
        for (const more of ['', '&test_live=1'])
          assertClean(await patiently(`${String(made.Url)}${more}`), `a test URL ${more}`);

        const offered = await fetch(zoneUrl(endpoint), { method: 'POST', body: JSON.stringify(bidRequest) });
        if (offered.status === 204) assert.equal(kind, 'tag');
        else assertClean(JSON.stringify(await offered.json()).replaceAll('\\"', '"'), '/rtb');
      });
    }
  }

  const noValue = macroOf('IMP_TS');
  const seat = macroOf('SEAT_ID');
  const sections: Readonly<Record<string, readonly [before: string, after: string]>> = {
    'CDATA that ends where a macro has no value': [`<![CDATA[]]${noValue}>`, '<![CDATA[]]>'],
    'CDATA that ends where no encoding is known': [
      `<![CDATA[]${macroOf('ID').replace('}', ':X}')}]>`,
      '<![CDATA[]]>',
    ],
    'CDATA that ends where an encoded macro has no value': [
      '<![CDATA[]]%24%7BAUCTION_IMP_TS%7D>',
      '<![CDATA[]]>',
    ],
    'a comment that ends where a macro has no value': [`<!-- -${noValue}->`, '-->'],
    'a comment that a value ends': [`<!-- -${seat}>`, '-->'],
    'a comment that two values end': [`<!-- ${seat}${seat}>`, '-->'],
    'an instruction that ends where a macro has no value': [`<?x ?${noValue}>`, '<?x ?>'],
  };
  for (const [what, [before, after]] of Object.entries(sections)) {
    test(what, async () => {
      const hidden = `${before}${scriptIn(xhtml)}${after}`;
      const Waterfall = await demand.bidder(inLine(), '/sections-first');
      const { DspRtbEps } = await demand.bidder(
        inLine().replace('<Creatives>', `${hidden}<Creatives>`),
        '/sections',
      );
      const tag = await room.add('ortb/vasttag', { Tmax: 5000, DspRtbEps });
      const fallbacks = await room.add('ortb/vasttag', {
        Tmax: 5000,
        Waterfall: 1,
        DspRtbEps: [...Waterfall.DspRtbEps, ...DspRtbEps],
      });
      await room.served();
      assertClean((await room.vast(zoneUrl(tag))).text, '/vast');
      assertClean((await room.vast(zoneUrl(fallbacks))).text, '/vast with fallbacks');
    });
  }

  test('in a waterfall of several', async () => {
    const connected = {
      ...(await demand.bidder(inLine(), '/first')),
      ...(await demand.tag(inLine(), '/second')),
    };
    const tag = await room.add('ortb/vasttag', { Tmax: 5000, Waterfall: 1, ...connected });
    await room.served();
    const { text } = await room.vast(zoneUrl(tag));
    assertClean(text, '/vast');
    assert.equal(text.match(/<Ad /g)?.length, 2);
  });
});
