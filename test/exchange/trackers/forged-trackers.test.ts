import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startBidder } from '../bidder.ts';
import { type Stored, zoneUrl } from '../exchange-room.ts';
import { bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from '../rtb-room.ts';

let room: RtbRoom;
before(async () => {
  room = await openRtbRoom();
});
after(() => room.close());

const separators = ['~', '\n', '\0', '.', '|'];

/**
 * Every way to end a token at a separator within a text that it carries encrypted, and to go on in clear. The first
 * ones are those that tokens once fell to: signature, encrypted part, `~`, open part.
 */
function cuts(token: string, carried: string): string[] {
  const bytes = Buffer.from(token, 'base64url');
  const [hidden = ''] = token.slice(22).split('~', 1);
  return separators.flatMap((separator) => {
    const at = carried.indexOf(separator);
    if (at === -1) return [];
    const behind = carried.slice(at + 1);
    const old = Buffer.from(hidden, 'base64url').subarray(0, at).toString('base64url');
    return [
      `${token.slice(0, 22)}${old}~${behind}${token.slice(22 + hidden.length)}`,
      `${bytes.subarray(0, at).toString('base64url')}${separator}${behind}`,
      Buffer.concat([bytes.subarray(0, at), Buffer.from(behind)]).toString('base64url'),
      `${token}${separator}${behind}`,
    ];
  });
}

describe('a bidder who writes a token into its own notice', () => {
  let victim: { readonly tag: Stored; readonly film: Stored };
  before(async () => {
    const film = await room.campaign({ Type: 2, SpendDailyLimit: 5 });
    victim = { film, tag: await room.endpoint({ Campaigns: [film.Id] }) };
  });

  /** Values of a token's open part as they once were, which name the victim and every time as valid. */
  const payload = (auctionId: string) =>
    [
      auctionId,
      `RtbEp:${victim.tag.Id}`,
      `Campaign:${victim.film.Id}`,
      '1',
      '99999999999999',
      '0',
      'x',
      '',
      '',
      'billing',
      '',
      '1',
      '',
      '',
      '',
    ].join('~');

  test('bills nobody by cutting it there', async () => {
    const forged = 'ffffffff-0000-4000-8000-000000000000';
    await using bidder = await startBidder(({ id }) => ({
      price: 900,
      adm: '<p></p>',
      burl: `DSP_URL/bill?of=${id}~${payload(forged)}`,
    }));
    const { Id } = await room.dsp({ ZoneUrlUsEast: `${bidder.url}/bid` });
    const rtbEp = await room.endpoint({ RevenueCountingMethod: 1, DspRtbEps: [Id] });
    await room.served();
    const [bid] = (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
    assert.ok(bid?.burl);
    const burl = new URL(bid.burl);
    const [asked] = bidder.requests;
    const carried = `900000000\n900000000\n203.0.113.7\n${bidder.url}/bill?of=${asked?.id}~${payload(forged)}`;
    for (const token of cuts(burl.searchParams.get('t') ?? '', carried)) {
      for (const event of ['billing', 'win', 'loss', 'impression'])
        await fetch(`${burl.origin}/track/${event}?t=${encodeURIComponent(token)}`);
    }
    // What was really won counts, so that the counts below are known to be there.
    assert.equal((await fetch(burl)).status, 200);
    assert.ok((await bidder.noticed('/bill')).endsWith(payload(forged)));
    const own = await room.statistics(rtbEp, ({ Bills }) => Number(Bills) > 0);
    assert.deepEqual([own.Wins, own.Bills, own.NetImpressions, own.Spent], [1, 1, 0, 0.9]);
    const row = await room.statistics(victim.tag);
    assert.deepEqual([row.Wins ?? 0, row.Bills ?? 0, row.NetImpressions ?? 0], [0, 0, 0]);
  });
});

describe('a path that names what every object has', () => {
  for (const name of ['__proto__', 'constructor', 'hasOwnProperty', 'valueOf', 'toString']) {
    test(`/track/${name} is answered as any other tracker, and is no fault`, async () => {
      const rtbEp = await room.endpoint({ Campaigns: [victimless.Id] });
      await room.served();
      const [bid] = (await post(zoneUrl(rtbEp), requestOf([bannerImp]))).bids;
      for (const url of [bid?.nurl, /http[^"]*\/track\/impression\?t=[\w.:~-]+/.exec(bid?.adm ?? '')?.[0]]) {
        assert.ok(url);
        const { status, headers } = await fetch(url.replace(/track\/\w+/, `track/${name}`));
        assert.deepEqual([status, headers.get('content-type')], [200, 'image/gif']);
      }
    });
  }
  let victimless: Stored;
  before(async () => {
    victimless = await room.campaign({ Type: 2 });
  });
});
