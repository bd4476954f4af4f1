import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fillMacros, type MacroValues, macroOf } from '../../src/protocols/openrtb/macros.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { type AnsweredBid, bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let room: RtbRoom;
let dsp: Bidder;
let demandId = 0;

const told = (...names: (keyof MacroValues)[]) => names.map((name) => `${name}=${macroOf(name)}`).join('&');

before(async () => {
  room = await openRtbRoom();
  dsp = await startBidder(({ id }) => ({
    adm: `<p>${macroOf('PRICE')}</p>`,
    nurl: `DSP_URL/win?of=${id}&${told('PRICE', 'ID', 'IMP_ID', 'SEAT_ID', 'CURRENCY', 'LOSS', 'MBR')}`,
    burl: `DSP_URL/bill?of=${id}&${told('PRICE')}`,
    lurl: `DSP_URL/loss?of=${id}&${told('PRICE', 'LOSS', 'MIN_TO_WIN')}`,
  }));
  demandId = (await room.dsp({ ZoneUrlUsEast: `${dsp.url}/bid` })).Id;
});
after(async () => {
  await dsp.close();
  await room.close();
});

const noticesOf = (auctionId: unknown) => dsp.notices.filter((notice) => notice.includes(`of=${auctionId}&`));

/** Calls that the holder of the auction, or the browser, makes for a bid. */
const calls: Readonly<Record<string, (bid: AnsweredBid) => string>> = {
  nurl: ({ nurl }) => nurl,
  burl: ({ burl = '' }) => burl,
  lurl: ({ lurl }) => lurl,
  impression: ({ adm }) => /http[^"]*\/track\/impression\?t=[\w.:~-]+/.exec(adm)?.[0] ?? '',
};

describe('a token opens what it was handed out for, and nothing else', () => {
  /** A tracker with the token of another: of what an offer's markup shows everybody, or of what its caller is told. */
  const withTokenOf = (url: string, event: string, behind = '') =>
    `${url.replace(/track\/\w+/, `track/${event}`).replace(/&.*/, '')}${behind}`;
  const shown = (bid: AnsweredBid) => calls.impression?.(bid) ?? '';
  const cheap = '&price=0.000001&cur=USD';
  interface Case {
    readonly name: string;
    readonly method: 0 | 1 | 2;
    readonly urls: (bid: AnsweredBid) => readonly string[];
    /** Wins, Bills, NetImpressions and Spent of the endpoint afterwards. */
    readonly counted: readonly [number, number, number, number];
  }
  const priced = (url: string) => fillMacros(url, { PRICE: '3', CURRENCY: 'USD' });
  const cases: readonly Case[] = [
    {
      name: 'a viewer bills a millionth, then the caller what it owes',
      method: 1,
      urls: (bid) => [withTokenOf(shown(bid), 'billing', cheap), priced(bid.burl ?? '')],
      counted: [1, 1, 0, 0.003],
    },
    {
      name: 'a viewer tells of a win for a millionth, then the caller of its own',
      method: 0,
      urls: (bid) => [withTokenOf(shown(bid), 'win', cheap), priced(bid.nurl)],
      counted: [1, 1, 0, 0.003],
    },
    {
      name: 'a viewer tells of a loss, and then the caller bills',
      method: 1,
      urls: (bid) => [withTokenOf(shown(bid), 'loss'), priced(bid.burl ?? '')],
      counted: [1, 1, 0, 0.003],
    },
    {
      name: 'a notice is no impression',
      method: 2,
      urls: ({ nurl }) => ['impression', 'clicktracking', 'open'].map((event) => withTokenOf(nurl, event)),
      counted: [0, 0, 0, 0],
    },
    {
      name: 'who is billed cannot lose any more',
      method: 1,
      urls: (bid) => [priced(bid.burl ?? ''), bid.lurl],
      counted: [1, 1, 0, 0.003],
    },
    {
      name: 'who has lost is not billed',
      method: 1,
      urls: (bid) => [bid.lurl, priced(bid.burl ?? '')],
      counted: [0, 0, 0, 0],
    },
  ];
  const held: { readonly of: Case; readonly rtbEp: Values }[] = [];
  for (const one of cases) {
    test(one.name, async () => {
      const image = await room.campaign({ Type: 2, Cpm: 3 });
      const rtbEp = await room.endpoint({ RevenueCountingMethod: one.method, Campaigns: [image.Id] });
      await room.served();
      const [bid] = (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
      assert.ok(bid);
      for (const url of one.urls(bid)) assert.ok((await fetch(url)).ok);
      held.push({ of: one, rtbEp });
    });
  }

  test('is what statistics say', async () => {
    for (const { of, rtbEp } of held) {
      const row = await room.statistics(rtbEp, ({ Requests }) => Number(Requests) > 0);
      const { Wins, Bills, NetImpressions, Spent } = row;
      assert.deepEqual([Wins, Bills, NetImpressions, Spent], of.counted, of.name);
    }
  });
});

describe("an auction that is over ends no other's promise", () => {
  const cases = [
    { name: 'billed, then lost', calls: ['nurl', 'lurl'], met: 2 },
    { name: 'lost, then billed', calls: ['lurl', 'nurl'], met: 1 },
  ];
  for (const { name, calls: called, met } of cases) {
    test(name, async () => {
      // At no time of the day does its line refuse two.
      const image = await room.campaign({ Type: 2, ImpressionsDailyLimit: 14_400 });
      const rtbEp = await room.endpoint({ Campaigns: [image.Id] });
      await room.served();
      const request = requestOf([bannerImp]);
      const [first] = (await post(zoneUrl(rtbEp), request)).bids;
      assert.equal((await post(zoneUrl(rtbEp), request)).status, 200);
      for (const call of called) await fetch(calls[call]?.(first ?? assert.fail()) ?? '');
      await room.call('campaign/update', { Campaign: { Id: image.Id, ImpressionsDailyLimit: 1 } });
      await room.served();
      const asked = { RtbEp: { Id: rtbEp.Id }, Request: { OpenRtb: request } };
      const { Candidates } = await room.call('exchange/explain', asked);
      assert.equal((Candidates as readonly Values[])[0]?.Met, met);
    });
  }
});

describe('notices share one token, and the markup has another', () => {
  for (const [name, behind] of [
    ['short', ''],
    ['long', `&${'x'.repeat(1500)}`],
  ] as const) {
    test(`where the bidder's are ${name}`, async () => {
      await using bidder = await startBidder(({ id }) => ({
        adm: '<p></p>',
        nurl: `DSP_URL/win?of=${id}&${told('PRICE')}${behind}`,
        burl: `DSP_URL/bill?of=${id}&${told('PRICE')}${behind}`,
        lurl: `DSP_URL/loss?of=${id}&${told('LOSS')}${behind}`,
      }));
      const { Id } = await room.dsp({ ZoneUrlUsEast: `${bidder.url}/bid` });
      const rtbEp = await room.endpoint({ RevenueCountingMethod: 1, DspRtbEps: [Id] });
      await room.served();
      const offer = async () => (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids[0] ?? assert.fail();
      const [bid, lost] = [await offer(), await offer()];
      const tokenOf = (url: string) => new URL(url).searchParams.get('t') ?? '';
      const ofNotices = new Set(['nurl', 'burl', 'lurl'].map((call) => tokenOf(calls[call]?.(bid) ?? '')));
      assert.equal(ofNotices.size, 1);
      const [nurl = '', burl = ''] = [bid.nurl, bid.burl];
      for (const url of [nurl, burl, fillMacros(lost.lurl, { LOSS: '102' })])
        assert.equal((await fetch(url)).status, 200);
      const heard = ['/win', '/bill', '/loss'].map((path) => bidder.noticed(path));
      const [win, bill, loss] = await Promise.all(heard);
      assert.match(win ?? '', new RegExp(`PRICE=3${behind}$`));
      assert.match(bill ?? '', new RegExp(`PRICE=3${behind}$`));
      assert.match(loss ?? '', new RegExp(`LOSS=102${behind}$`));
      const inMarkup = tokenOf(calls.impression?.(bid) ?? '');
      assert.ok(!ofNotices.has(inMarkup));
      const [notices = ''] = ofNotices;
      assert.ok(
        inMarkup.length < 400,
        `the markup carries none of them: ${inMarkup.length} of ${notices.length}`,
      );
    });
  }
});

test('the billing notice tells when the billable event was', async () => {
  await using bidder = await startBidder(({ id }) => ({
    adm: '<p></p>',
    nurl: `DSP_URL/win?of=${id}&${told('IMP_TS')}`,
    burl: `DSP_URL/bill?of=${id}&${told('IMP_TS')}`,
  }));
  const { Id } = await room.dsp({ ZoneUrlUsEast: `${bidder.url}/bid` });
  const rtbEp = await room.endpoint({ RevenueCountingMethod: 1, DspRtbEps: [Id] });
  await room.served();
  const [bid] = (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
  const beforeMs = Date.now();
  await fetch(fillMacros(bid?.burl ?? '', {}));
  const shownMs = Number(/IMP_TS=(\d+)$/.exec(await bidder.noticed('/bill'))?.[1]);
  assert.ok(beforeMs <= shownMs && shownMs <= Date.now());
  assert.match(await bidder.noticed('/win'), /IMP_TS=$/);
});

test('what is known only later is told in the encoding that was asked for', async () => {
  await using bidder = await startBidder(({ id }) => ({
    adm: '<p></p>',
    lurl: `DSP_URL/loss?of=${id}&LOSS=${macroOf('LOSS').replace('}', ':B64}')}`,
  }));
  const { Id } = await room.dsp({ ZoneUrlUsEast: `${bidder.url}/bid` });
  const rtbEp = await room.endpoint({ DspRtbEps: [Id] });
  await room.served();
  const [bid] = (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
  await fetch(fillMacros(bid?.lurl ?? '', { LOSS: '102' }));
  assert.match(await bidder.noticed('/loss'), /LOSS=MTAy$/);
});

test('who loses our own auction hears it at once, who wins it only later', async () => {
  await using weak = await startBidder(({ id }) => ({
    price: 2,
    adm: '<p></p>',
    lurl: `DSP_URL/loss?of=${id}&${told('LOSS', 'MIN_TO_WIN')}`,
  }));
  const other = await room.dsp({ ZoneUrlUsEast: `${weak.url}/bid` });
  const rtbEp = await room.endpoint({ DspRtbEps: [demandId, other.Id] });
  await room.served();
  const [bid] = (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
  const notice = await weak.noticed('/loss');
  assert.match(notice, /LOSS=102&MIN_TO_WIN=3$/);
  assert.deepEqual(noticesOf(bid?.id), []);
});

test('markup that a win notice leaves empty is no ad', async () => {
  await using bidder = await startBidder(() => ({ adm: undefined, nurl: 'DSP_URL/markup' }));
  const { Id } = await room.dsp({ ZoneUrlUsEast: `${bidder.url}/bid` });
  const rtbEp = await room.endpoint({ DspRtbEps: [Id] });
  await room.served();
  assert.equal((await post(zoneUrl(rtbEp), requestOf([bannerImp]))).status, 204);
  assert.equal(await bidder.noticed('/markup'), '/markup');
});

test('a loss frees what was promised', async () => {
  const image = await room.campaign({ Type: 2, ImpressionsDailyLimit: 1 });
  const rtbEp = await room.endpoint({ Campaigns: [image.Id] });
  await room.served();
  const ask = () => post(zoneUrl(rtbEp), requestOf([bannerImp]));
  const [bid] = (await ask()).bids;
  assert.equal((await ask()).status, 204, 'one impression is promised, and no more are left');
  for (const _ of [1, 2]) await fetch(bid?.lurl ?? '');
  assert.equal((await ask()).status, 200);
  assert.equal((await ask()).status, 204, 'one was freed, not two');
});

test('a forged notice counts nothing and is answered as usual', async () => {
  const rtbEp = await room.endpoint({ DspRtbEps: [demandId] });
  await room.served();
  const [bid] = (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
  const forged = bid?.nurl.replace(/t=..../, 't=AAAA') ?? '';
  assert.equal((await fetch(forged)).status, 200);
  const row = await room.statistics(rtbEp, ({ Requests }) => Number(Requests) > 0);
  assert.deepEqual([row.Wins, row.Bills], [0, 0]);
});

test('a test request is answered, and nothing of it is billed', async () => {
  const rtbEp = await room.endpoint({ RevenueCountingMethod: 1, DspRtbEps: [demandId] });
  await room.served();
  const [bid] = (await post(zoneUrl(rtbEp), requestOf([bannerImp], { test: 1 }))).bids;
  assert.equal(bid?.adm, '<p>3</p>');
  assert.deepEqual([bid?.nurl, bid?.burl, bid?.lurl], [undefined, undefined, undefined]);
  assert.equal(dsp.requests.at(-1)?.test, 1);
  const image = await room.campaign({ Type: 2, ImpressionsDailyLimit: 1 });
  const other = await room.endpoint({ Campaigns: [image.Id] });
  await room.served();
  const ask = async (isTest: 0 | 1) =>
    (await post(zoneUrl(other), requestOf([bannerImp], { test: isTest }))).status;
  assert.deepEqual([await ask(1), await ask(1), await ask(0), await ask(0)], [200, 200, 200, 204]);
});
