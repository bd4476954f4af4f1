import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { faultsOfRequest, faultsOfResponse } from '../protocols/openrtb/bid-request-schema.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { audioImp, bannerImp, openRtbRoom, post, type RtbRoom, requestOf, videoImp } from './rtb-room.ts';

let room: RtbRoom;
let dsp: Bidder;
let url = '';
let markup: object | undefined;

before(async () => {
  room = await openRtbRoom();
  dsp = await startBidder(() => markup);
  const { Id } = await room.dsp({ ZoneUrlUsEast: dsp.url });
  url = zoneUrl(await room.endpoint({ DspRtbEps: [Id] }));
  await room.served();
});
after(async () => {
  await dsp.close();
  await room.close();
});

/** What the bidder is sent for a request. */
async function sentFor(request: object | string): Promise<Values> {
  const from = dsp.requests.length;
  await post(url, request);
  const [sent = {}] = dsp.requests.slice(from);
  assert.deepEqual(faultsOfRequest(sent), []);
  return sent;
}

const eids = [{ source: 'id.example', uids: [{ id: 'x', atype: 1 }] }];
const segments = [{ id: 'd', name: 'provider', segment: [{ id: '5', name: 'n', value: 'v' }] }];
const place = {
  city: 'LA',
  zip: '90001',
  metro: '803',
  type: 2,
  accuracy: 20,
  ipservice: 3,
  utcoffset: -480,
};
const pod = { podid: 'p1', podseq: -1, slotinpod: 2, sequence: 1, poddur: 60, maxseq: 2, rqddurs: [15, 30] };
const network = { id: '1', name: 'Net', domain: 'net.example' };
const producer = { ...network, cat: ['IAB1'], cattax: 1 };
const content = {
  title: 'T',
  len: 60,
  cat: ['483'],
  cattax: 6,
  prodq: 1,
  qagmediarating: 1,
  embeddable: 0,
  producer,
  network,
  channel: network,
  data: segments,
  keywords: 'a,b',
};
const phone = {
  ua: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Mobile/15E148',
  ip: '203.0.113.7',
};
const companionad = [{ id: 'c', w: 300, h: 250, mimes: ['image/png'] }];
const metric = [{ type: 'viewability', value: 0.8, vendor: 'v.example' }];

describe('what no rule asks for goes on', () => {
  interface Case {
    readonly name: string;
    readonly imp?: object;
    readonly members?: object;
    /** What the request to the bidder holds beside the rest. */
    readonly sent: object;
  }
  const cases: readonly Case[] = [
    { name: 'the name of a site', members: { site: { name: 'News', ref: 'https://r.example/', inventorypartnerdomain: 'p.example', content } }, sent: { site: { name: 'News', ref: 'https://r.example/', inventorypartnerdomain: 'p.example', content } } },
    { name: 'an app', members: { site: undefined, app: { bundle: 'com.a', ver: '1', paid: 0, inventorypartnerdomain: 'p.example', content } }, sent: { app: { bundle: 'com.a', ver: '1', paid: 0, inventorypartnerdomain: 'p.example', content } } },
    { name: 'where a device is', members: { device: { geo: { ...place, country: 'USA', lat: 34.05 } } }, sent: { device: { geo: { ...place, country: 'USA', lat: 34.05 } } } },
    { name: 'where a device is, and no more', members: { device: { geo: { zip: '90001' } } }, sent: { device: { geo: { zip: '90001' } } } },
    { name: 'both addresses', members: { device: { ip: '203.0.113.7', ipv6: '2001:db8::1' } }, sent: { device: { ip: '203.0.113.7', ipv6: '2001:db8::1' } } },
    { name: 'a user', members: { user: { id: 'u', data: segments, kwarray: ['a'], geo: { country: 'USA', ...place }, eids } }, sent: { user: { id: 'u', data: segments, kwarray: ['a'], geo: { country: 'USA', ...place }, eids } } },
    { name: 'identities, as 2.5 has them', members: { user: { ext: { eids } } }, sent: { user: { eids, ext: { eids } } } },
    { name: 'identities, as 2.6 has them', members: { user: { eids } }, sent: { user: { eids, ext: { eids } } } },
    { name: 'GPP, as 2.5 has it', members: { regs: { ext: { gpp: 'DBAA', gpp_sid: [7] } } }, sent: { regs: { gpp: 'DBAA', gpp_sid: [7], ext: { gpp: 'DBAA', gpp_sid: [7] } } } },
    { name: 'GPP of 2.6 before that of 2.5', members: { regs: { gpp: 'DBAA', gpp_sid: [7], ext: { gpp: 'DBBB', gpp_sid: [2] } } }, sent: { regs: { gpp: 'DBAA', gpp_sid: [7] } } },
    { name: 'which placement, and what shows it', imp: { ...bannerImp, tagid: 'top', displaymanager: 'SDK', displaymanagerver: '7', metric }, sent: { imp: [{ tagid: 'top', displaymanager: 'SDK', displaymanagerver: '7', metric }] } },
    { name: 'how long an impression may take', imp: { ...bannerImp, exp: 60 }, sent: { imp: [{ exp: 60 }] } },
    { name: 'but no longer than trackers live', imp: { ...bannerImp, exp: 7200 }, sent: { imp: [{ exp: 3600 }] } },
    { name: 'where a banner stands', imp: { banner: { w: 300, h: 250, pos: 3, mimes: ['image/png'] } }, sent: { imp: [{ banner: { pos: 3, mimes: ['image/png'] } }] } },
    { name: 'the break of a video', imp: { video: { ...videoImp.video, ...pod, companionad, pos: 7 } }, sent: { imp: [{ video: { ...pod, companionad, pos: 7 } }] } },
    { name: 'the break of audio', imp: { audio: { ...audioImp.audio, ...pod, companionad } }, sent: { imp: [{ audio: { ...pod, companionad } }] } },
    { name: 'the taxonomy of what is blocked, and languages', members: { cattax: 6, bcat: ['483'], wlang: ['de'] }, sent: { cattax: 6, bcat: ['483'], wlang: ['de'] } },
    { name: 'the transaction that all take part in', members: { source: { tid: 'theirs', fd: 1 } }, sent: { source: { tid: 'theirs', fd: 1 } } },
    { name: 'a domain as it is written', members: { site: { domain: 'www.News.example', page: 'https://x.example/' } }, sent: { site: { domain: 'www.News.example', page: 'https://x.example/' } } },
    { name: 'a device as it is declared', members: { device: { ...phone, devicetype: 1, os: 'iPadOS', osv: '17.4.1', language: 'en', langb: 'en-GB' } }, sent: { device: { ...phone, devicetype: 1, os: 'iPadOS', osv: '17.4.1', language: 'en', langb: 'en-GB' } } },
  ]; // biome-ignore format: a table
  for (const { name, imp = bannerImp, members = {}, sent } of cases) {
    test(name, async () => {
      assert.partialDeepStrictEqual(await sentFor(requestOf([imp], members)), sent);
    });
  }
});

describe('an endpoint that blocks categories', () => {
  let blocking = '';
  before(async () => {
    const { Id } = await room.dsp({ ZoneUrlUsEast: dsp.url });
    const endpoint = await room.endpoint({ DspRtbEps: [Id], BlockedAdIabCategories: ['IAB7'] });
    blocking = zoneUrl(endpoint);
    await room.served();
  });

  const lists: readonly (readonly [told: object, bcat: readonly string[], cattax: number | undefined])[] = [
    [{}, ['IAB7'], undefined],
    [{ cattax: 1, bcat: ['IAB9'] }, ['IAB7', 'IAB9'], undefined],
    [{ cattax: 6, bcat: ['483'] }, ['483'], 6],
    [{ cattax: 6 }, ['IAB7'], undefined],
  ];
  for (const [members, bcat, cattax] of lists) {
    test(`asked with ${JSON.stringify(members)} names one taxonomy`, async () => {
      const from = dsp.requests.length;
      await post(blocking, requestOf([bannerImp], members));
      const sent = dsp.requests[from];
      assert.deepEqual([sent?.bcat, sent?.cattax], [bcat, cattax]);
    });
  }

  const bids: readonly (readonly [told: object, status: number])[] = [
    [{ cat: ['IAB9'] }, 200],
    [{ cat: ['IAB7-5'], cattax: 1 }, 204],
    [{ cat: ['483'], cattax: 6 }, 204],
    [{ cattax: 6 }, 200],
  ];
  for (const [told, status] of bids) {
    test(`is bid ${JSON.stringify(told)}: ${status}`, async () => {
      markup = { adm: '<p>x</p>', ...told };
      assert.equal((await post(blocking, requestOf([bannerImp]))).status, status);
      markup = undefined;
    });
  }
});

describe('what a request blocks and allows is of one taxonomy, and so must a bid be', () => {
  // 7 is the Ad Product Taxonomy, whose names are numbers as those of 6 are.
  const bids: readonly (readonly [lists: object, told: object, status: number])[] = [
    [{ cattax: 7, bcat: ['483'] }, { cat: ['483'], cattax: 7 }, 204],
    [{ cattax: 7, bcat: ['483'] }, { cat: ['484'], cattax: 7 }, 200],
    [{ cattax: 7, bcat: ['483'] }, { cat: ['484'], cattax: 6 }, 204],
    [{ cattax: 7, bcat: ['483'] }, { cat: ['IAB9'] }, 204],
    [{ cattax: 7, bcat: ['483'] }, { cattax: 6 }, 200],
    [{ cattax: 7 }, { cat: ['IAB9'] }, 200],
    [{ bcat: ['IAB7'] }, { cat: ['484'], cattax: 7 }, 204],
    [{ acat: ['483'], cattax: 7 }, { cat: ['483'], cattax: 7 }, 200],
    [{ acat: ['483'], cattax: 7 }, { cat: ['483'], cattax: 6 }, 204],
    [{ badv: ['x.example'] }, { cat: ['484'], cattax: 7 }, 200],
  ];
  for (const [lists, told, status] of bids) {
    test(`${JSON.stringify(lists)} is bid ${JSON.stringify(told)}: ${status}`, async () => {
      markup = { adm: '<p>x</p>', ...told };
      assert.equal((await post(url, requestOf([bannerImp], lists))).status, status);
      markup = undefined;
    });
  }
});

test('what a bid tells goes on to whoever asked', async () => {
  const own = {
    cid: 'c9',
    iurl: 'https://d.example/i.png',
    tactic: 't',
    cattax: 6,
    cat: ['483'],
    language: 'en',
    qagmediarating: 1,
    dur: 15,
    protocol: 3,
    api: 7,
  };
  markup = { adm: '<p>x</p>', ...own, strange: 1 };
  const { body, bids } = await post(url, requestOf([{ ...bannerImp }]));
  assert.deepEqual(faultsOfResponse(body), []);
  assert.partialDeepStrictEqual(bids[0], own);
  assert.equal(bids[0]?.strange, undefined);
  markup = { adm: '<p>x</p>', dur: '15 s', id: 'b7' };
  const [{ dur, id } = {}] = (await post(url, requestOf([bannerImp]))).bids as readonly Values[];
  assert.equal(dur, undefined);
  assert.notEqual(id, 'b7');
});

test('what is not of its type is dropped', async () => {
  const request = requestOf(
    [{ video: { ...videoImp.video, skipafter: 5, minbitrate: '300' }, rwdd: 1, ssai: 'x' }],
    {
      site: {
        domain: 'a.example',
        ref: 'https://r.example/',
        mobile: 2,
        content: { title: 'T', len: 60, genre: 5 },
      },
      device: {
        ua: 'M',
        w: 390,
        h: 844,
        carrier: 'C',
        ppi: 'x',
        sua: { platform: { brand: 'Android' }, mobile: 1 },
      },
      user: { id: 'u', buyeruid: 'b', yob: '1984', keywords: 'k', eids: [{ ...eids[0], strange: 1 }, 7] },
    },
  );
  const sent = await sentFor(request);
  const { imp, site, device, user } = sent as Readonly<Record<string, Values>>;
  const [{ video, rwdd, ssai } = {}] = imp as unknown as readonly Values[];
  const { skipafter, minbitrate } = video as Values;
  assert.deepEqual([skipafter, minbitrate, rwdd, ssai], [5, undefined, 1, undefined]);
  assert.deepEqual(
    [site?.ref, site?.mobile, site?.content],
    ['https://r.example/', undefined, { title: 'T', len: 60 }],
  );
  assert.deepEqual([device?.w, device?.h, device?.carrier, device?.ppi], [390, 844, 'C', undefined]);
  assert.deepEqual(device?.sua, { platform: { brand: 'Android' }, mobile: 1 });
  assert.deepEqual(user, { id: 'u', keywords: 'k', eids, ext: { eids } });
});

test('what the request leaves out is not made up', async () => {
  const silent = {
    id: 'r',
    imp: [{ id: '1', video: { mimes: ['video/mp4'], placement: 1, maxduration: 0 } }],
  };
  const { imp, site, device, user, regs, source } = await sentFor({
    ...silent,
    site: { page: 'https://a.example/' },
    device: phone,
  });
  const [sent = {}] = imp as readonly Values[];
  assert.deepEqual(sent.video, { mimes: ['video/mp4'], placement: 1, maxduration: 0 });
  assert.deepEqual(Object.keys(sent).sort(), ['bidfloor', 'bidfloorcur', 'exp', 'id', 'tagid', 'video']);
  assert.deepEqual(Object.keys(site as Values).sort(), ['id', 'page', 'publisher']);
  assert.deepEqual([device, user, regs], [phone, undefined, undefined]);
  assert.deepEqual(Object.keys(source as Values), ['tid']);
});

test('a native request goes on with its own version', async () => {
  const sent = await sentFor(requestOf([{ native: { request: '{"ver":"1.1"}', ver: '1.1', api: [3] } }]));
  const [{ native } = {}] = (sent.imp ?? []) as readonly Values[];
  assert.deepEqual(native, { request: '{"ver":"1.1"}', ver: '1.1', api: [3] });
  const unversioned = await sentFor(requestOf([{ native: { request: '{"ver":"1.1"}' } }]));
  assert.deepEqual((unversioned.imp as readonly Values[])[0]?.native, { request: '{"ver":"1.1"}' });
});

describe('addresses go into the members that are for their kinds', () => {
  const cases: readonly (readonly [sent: Values, shown: Values])[] = [
    [{ ip: '203.0.113.7' }, { ip: '203.0.113.7' }],
    [{ ip: '203.0.113.7:443' }, { ip: '203.0.113.7' }],
    [{ ip: '203.0.113.7, 198.51.100.1' }, { ip: '203.0.113.7' }],
    [{ ip: '2001:db8::1' }, { ipv6: '2001:db8::1' }],
    [{ ip: '2001:DB8:0:0:0:0:0:1' }, { ipv6: '2001:db8::1' }],
    [{ ip: '[2001:db8::1]' }, { ipv6: '2001:db8::1' }],
    [{ ip: '[2001:db8::1]:443' }, { ipv6: '2001:db8::1' }],
    [{ ip: '::ffff:203.0.113.7' }, { ip: '203.0.113.7' }],
    [{ ip: '[::ffff:203.0.113.7]:80' }, { ip: '203.0.113.7' }],
    [{ ipv6: '2001:db8::1' }, { ipv6: '2001:db8::1' }],
    [{ ipv6: '[2001:db8::1]:443' }, { ipv6: '2001:db8::1' }],
    [{ ipv6: '::ffff:203.0.113.7' }, { ip: '203.0.113.7' }],
    [{ ipv6: '203.0.113.7' }, { ip: '203.0.113.7' }],
    [
      { ip: '203.0.113.7', ipv6: '2001:db8::1' },
      { ip: '203.0.113.7', ipv6: '2001:db8::1' },
    ],
    [{ ip: '2001:db8::2', ipv6: '2001:db8::1' }, { ipv6: '2001:db8::1' }],
    [{ ip: '203.0.113.7', ipv6: '198.51.100.1' }, { ip: '203.0.113.7' }],
    [
      { ip: '2001:db8::1', ipv6: '203.0.113.7' },
      { ip: '203.0.113.7', ipv6: '2001:db8::1' },
    ],
    [{ ip: 'somewhere' }, { ip: 'somewhere' }],
    [{}, {}],
  ];
  for (const [device, shown] of cases) {
    test(JSON.stringify(device), async () => {
      const sent = await sentFor(requestOf([bannerImp], { device: { ...device, ua: 'a' } }));
      assert.deepEqual(sent.device, { ...shown, ua: 'a' });
    });
  }
  test('of a viewer who must not be recognized as networks', async () => {
    const sent = await sentFor(requestOf([bannerImp], { device: { ip: '[2001:db8::1]:443', lmt: 1 } }));
    assert.deepEqual(sent.device, { ipv6: '2001:db8::', lmt: 1 });
  });
});

describe('numbers in extensions go on as they were sent', () => {
  const numbers = ['12345678901234567890', '-9007199254740993', '9007199254740993', '9007199254740991', '1'];
  for (const number of numbers) {
    test(number, async () => {
      const ext = `{"a":${number},"b":[${number},{"c":${number}}]}`;
      const imp = `{"id":"1","banner":{"w":300,"h":250},"ext":{"skadn":${ext}}}`;
      const uid = `{"id":"u","ext":${ext}}`;
      const from = dsp.bodies.length;
      const user = `{"eids":[{"source":"a.example","uids":[${uid}]}]}`;
      const body = `{"id":"1","imp":[${imp}],"site":{"page":"https://a.example/"},"user":${user},"regs":{"ext":{"dsa":${ext}}}}`;
      await post(url, body);
      const [sent = ''] = dsp.bodies.slice(from);
      // IDs of users stand in both places that the versions of OpenRTB have for them.
      assert.equal(sent.split(ext).length - 1, 4, sent);
    });
  }
  test('and in those of bids', async () => {
    const ext = `{"a":12345678901234567890}`;
    markup = { adm: '<p></p>', ext: { skadn: { a: 'EXACT' }, dsa: { a: 'EXACT' } } };
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(requestOf([bannerImp])) });
    markup = undefined;
    const text = await response.text();
    assert.equal(text.split(ext).length - 1, 2, text);
  });
  test('numbers that the standard names stay numbers', async () => {
    const imp =
      '{"id":"1","banner":{"w":300,"h":250},"bidfloor":1.0000000000000000001,"exp":12345678901234567890}';
    const sent = await sentFor(`{"id":"1","imp":[${imp}],"site":{"page":"https://a.example/"}}`);
    assert.equal((sent.imp as readonly Values[])[0]?.bidfloor, 1);
  });
});
