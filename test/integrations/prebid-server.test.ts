import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { type Stored, type Values, zoneUrl } from '../exchange/exchange-room.ts';
import { type MockDsp, nativeBids, startMockDsp } from '../exchange/mock-dsp.ts';
import { openRtbRoom, type RtbRoom } from '../exchange/rtb-room.ts';
import { exampleFor, guideCode } from '../support/guide-code.ts';
import { buildPrebidServer, release, startPrebidServer, testAdapter } from './prebid-server.ts';

function hasGo(): boolean {
  try {
    return execFileSync('go', ['version'], { stdio: ['ignore', 'pipe', 'ignore'] }).length > 0;
  } catch {
    return false;
  }
}

/** Where all that tests need must be there, they fail without Go. */
const skip = !hasGo() && !process.env.CI && `prebid-server ${release} is not built and asked: there is no Go`;

interface Bid {
  readonly impid: string;
  readonly price: number;
  readonly adm: string;
  readonly dealid?: string;
  readonly ext: { readonly prebid: { readonly type: string } };
}

interface AuctionAnswer {
  readonly seatbid?: readonly { readonly seat: string; readonly bid: readonly Bid[] }[];
  readonly ext: { readonly errors?: Readonly<Record<string, readonly Values[]>> };
}

describe('the adapter for prebid-server', { skip }, () => {
  let folder = '';
  let room: RtbRoom;
  let dsp: MockDsp;
  let server: Awaited<ReturnType<typeof startPrebidServer>>;

  before(async () => {
    folder = await buildPrebidServer();
    room = await openRtbRoom();
    await room.call('team/update', { Team: { GvlId: 9999 } });
    dsp = await startMockDsp();
  });
  after(() => Promise.all([room.close(), dsp.close(), server.close()]));

  test('passes its exemplary cases in a checkout', async () => {
    const printed = await testAdapter(folder);
    for (const name of ['TestJsonSamples', 'TestValidParams', 'TestInvalidParams'])
      assert.match(printed, new RegExp(`^--- PASS: ${name} `, 'm'));
  });

  const paramsOf = (rtbEp: Stored) => {
    const { zone, auth } = Object.fromEntries(new URL(zoneUrl(rtbEp)).searchParams);
    return { zone: Number(zone), auth };
  };
  /** What is handed out for the endpoint, by the name of the platform. */
  async function codesFor({ Id }: Stored) {
    const rows = (await room.call(`integrations/get?RtbEp=${Id}`)) as unknown as readonly {
      readonly Name: string;
      readonly FileName: string;
      readonly Codes: readonly { readonly Code: string }[];
    }[];
    return new Map(
      rows.map(({ Name, FileName, Codes: [first] }) => [Name, { FileName, Code: first?.Code ?? '' }]),
    );
  }
  async function auction(
    bidder: Values,
    imps: readonly object[],
    members: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<AuctionAnswer> {
    const imp = imps.map((one, index) => ({ id: String(index + 1), ...one, ext: { prebid: { bidder } } }));
    const site = { domain: 'news.example', page: 'https://news.example/today', publisher: { id: 'p1' } };
    const device = { ua: 'Mozilla/5.0 (Windows NT 10.0) Chrome/126.0', ip: '203.0.113.7' };
    const body = JSON.stringify({ id: 'request', imp, site, device, tmax: 5000, cur: ['USD'], ...members });
    const response = await fetch(`${server.url}/openrtb2/auction`, { method: 'POST', body, headers });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text) as AuctionAnswer;
  }
  const bidsOf = ({ seatbid = [] }: AuctionAnswer) =>
    seatbid.flatMap(({ seat, bid }) => bid.map((one) => ({ seat, ...one })));
  const banner = {
    banner: {
      format: [
        { w: 300, h: 250 },
        { w: 728, h: 90 },
      ],
    },
  };
  const video = { video: { mimes: ['video/mp4'], w: 640, h: 360, protocols: [2, 3] } };
  const native = {
    native: { request: '{"ver":"1.2","assets":[{"id":1,"required":1,"title":{"len":80}}]}', ver: '1.2' },
  };
  const example = (language: string) => guideCode('prebid-server.md', 'In Go', language);
  let rtbEp: Stored;
  let partner = '';

  test('asks a live exchange, and both count the same', async () => {
    const [image, film] = [
      await room.campaign({ Type: 2, Width: 728, Height: 90, Cpm: 3 }),
      await room.campaign({ Type: 1, Cpm: 4 }),
    ];
    dsp.answer('/native', (call) => nativeBids(call));
    const demand = await room.dsp({
      ZoneUrlUsEast: `${dsp.url}/native`,
      SyncType: 1,
      SyncUrl: `${dsp.url}/match?to={redirect_url}$UID`,
    });
    partner = `DspRtbEp-${demand.Id}`;
    const sold = {
      RevenueCountingMethod: 2,
      SyncDomains: 'localhost',
      Campaigns: [image.Id, film.Id],
      DspRtbEps: [demand.Id],
    };
    rtbEp = await room.endpoint(sold);
    const guided = await room.endpoint({ ...sold, NativeEnabled: 0, AudioEnabled: 0 });
    await room.served();
    const codes = await codesFor(guided);
    const [alias = '', settings = '', stored = ''] = [...example('yaml'), ...example('json')].map((code) =>
      exampleFor(zoneUrl(guided), code).replace('acme', 'team1'),
    );
    assert.deepEqual(codes.get('prebidServerGo'), { FileName: 'team1.yaml', Code: alias });
    assert.equal(codes.get('storedImp')?.Code, stored);
    server = await startPrebidServer(folder, {
      'static/bidder-info/team1.yaml': alias,
      'stored_requests/data/by_id/stored_imps/news.json': stored,
      'pbs.yaml': settings,
    });
    const answer = await auction({ team1: paramsOf(rtbEp) }, [
      banner,
      video,
      native,
      { ...banner, ...video, ...native },
    ]);
    const bids = bidsOf(answer);
    assert.deepEqual(
      bids
        .map(({ seat, impid, price, ext }) => [seat, impid, price, ext.prebid.type])
        .sort(([, one], [, other]) => Number(one) - Number(other)),
      [
        ['team1', '1', 3, 'banner'],
        ['team1', '2', 4, 'video'],
        ['team1', '3', 2, 'native'],
        ['team1', '4', 4, 'video'],
      ],
    );
    for (const { adm } of bids) {
      const [tracker] = /https?:\/\/[\w.:]+\/track\/impression\?t=[\w.:~-]+/.exec(adm) ?? [];
      assert.ok(tracker, adm);
      assert.equal((await fetch(tracker)).status, 200);
    }
    const row = await room.statistics(rtbEp, ({ NetImpressions }) => Number(NetImpressions) >= bids.length);
    const paid = bids.reduce((sum, { price }) => sum + price, 0) / 1000;
    assert.deepEqual([row.Requests, row.Wins, row.NetImpressions, row.Spent], [1, 4, 4, paid]);
  });

  test('sells under deals of the exchange', async () => {
    const campaign = await room.campaign({ Type: 2, Width: 300, Height: 250, Cpm: 9 });
    const supply = await room.endpoint({ RevenueCountingMethod: 2, Campaigns: [campaign.Id] });
    await room.add('deal', {
      Name: 'first look',
      Code: 'd-1',
      Type: 3,
      Price: 6,
      UpstreamCode: 'up-1',
      Campaigns: [campaign.Id],
    });
    await room.served();
    const pmp = { private_auction: 1, deals: [{ id: 'up-1', bidfloor: 5, bidfloorcur: 'USD' }] };
    const [bid] = bidsOf(await auction({ team1: paramsOf(supply) }, [{ ...banner, pmp }]));
    assert.equal(bid?.dealid, 'up-1');
  });

  test('answers the request of the guide with a bid for its stored impression', async () => {
    const bids = bidsOf(JSON.parse(await server.ask()) as AuctionAnswer);
    assert.deepEqual(
      bids.map(({ seat, impid, price }) => [seat, impid, price]),
      [['team1', '1', 4]],
    );
  });

  test('tells what is wrong, and what came too late', async () => {
    const wrong = await auction({ team1: { ...paramsOf(rtbEp), auth: 'wrong' } }, [banner]);
    assert.equal(wrong.ext.errors?.team1?.length, 1);
    assert.deepEqual(bidsOf(wrong), []);
    const slow = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/slow` });
    dsp.answer('/slow', () => ({ body: '{}', afterMs: 3000 }));
    // What the server waits for longer than the bidder, also where the machine is busy.
    const supply = await room.endpoint({ DspRtbEps: [slow.Id], TmaxAdjust: 900 });
    await room.served();
    const late = await auction({ team1: paramsOf(supply) }, [banner], { tmax: 1000 });
    assert.deepEqual([bidsOf(late), late.ext.errors], [[], undefined], 'the exchange answers in time');
  });

  test('keeps the matches of viewers, and only the partner learns its own ID of one', async () => {
    const matched = await fetch(`${room.server.url}/setuid?bidder=${partner}&uid=known-there`);
    const cookie = matched.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    assert.match(cookie, /known-there/);
    const offered = async (filterSettings?: object) => {
      const body = JSON.stringify({ bidders: ['team1'], filterSettings });
      const asked = await fetch(`${server.url}/cookie_sync`, { method: 'POST', body });
      const { bidder_status: states } = (await asked.json()) as {
        bidder_status: { bidder: string; usersync: { url: string; type: string } }[];
      };
      assert.deepEqual(
        states.map(({ bidder }) => bidder),
        ['team1'],
      );
      return states[0]?.usersync ?? assert.fail('there is no sync');
    };
    const frame = await offered();
    assert.equal(frame.type, 'iframe');
    assert.match(frame.url, /&type=iframe&.*uid%3D%24UID$/);
    const { type, url } = await offered({ iframe: { bidders: '*', filter: 'exclude' } });
    assert.equal(type, 'redirect');
    assert.ok(url.startsWith(`${room.server.url}/sync?`), url);
    const sent = await fetch(url, { headers: { cookie }, redirect: 'manual' });
    const location = sent.headers.get('location') ?? assert.fail(await sent.text());
    assert.doesNotMatch(location, /known-there/);
    const kept = await fetch(location.replace('localhost', '127.0.0.1'));
    const uids = kept.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    assert.match(uids, /^uids=/);
    await auction({ team1: paramsOf(rtbEp) }, [native], {}, { cookie: uids });
    const told = JSON.parse(dsp.calls('/native').at(-1)?.body ?? '{}') as { user?: { buyeruid?: string } };
    assert.equal(told.user?.buyeruid, 'known-there');
  });
});
