import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Bidder, startBidder } from './bidder.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let room: RtbRoom;
let bidder: Bidder;
let demand: Values;

before(async () => {
  room = await openRtbRoom();
  bidder = await startBidder(() => ({ adm: '<p></p>' }));
  demand = await room.dsp({ ZoneUrlUsEast: `${bidder.url}/bid` });
});
after(async () => {
  await bidder.close();
  await room.close();
});

interface Case {
  readonly name: string;
  /** Of the request; undefined = it has none. */
  readonly tmax?: number;
  /** `TmaxAdjust`. */
  readonly adjust: number;
  /** What demand may take, of which reading the request takes a little; undefined = the request is refused. */
  readonly leftMs?: number;
}

const cases: readonly Case[] = [
  { name: '20 ms are kept where the endpoint says nothing', tmax: 3000, adjust: 0, leftMs: 2980 },
  { name: 'as many as the endpoint says', tmax: 4000, adjust: 2500, leftMs: 1500 },
  { name: 'fewer, too', tmax: 3000, adjust: 1, leftMs: 2999 },
  { name: 'of 300 ms where the request says nothing', adjust: 0, leftMs: 280 },
  { name: 'of five seconds at most', tmax: 60_000, adjust: 0, leftMs: 4980 },
  { name: 'nothing is left', tmax: 20, adjust: 0 },
  { name: 'nothing is left of more', tmax: 150, adjust: 150 },
  { name: 'less than nothing is left', tmax: 150, adjust: 400 },
];

describe('the time that demand gets of a request', () => {
  /** More than the machine takes to read a request, even when it is busy, and less than what tells two cases apart. */
  const readingMsMax = 1400;
  for (const { name, tmax, adjust, leftMs } of cases) {
    test(name, async () => {
      const film = await room.campaign({ Type: 2, Cpm: 1 });
      const sides = { DspRtbEps: [demand.Id], Campaigns: [film.Id] };
      const rtbEp = await room.endpoint({ TmaxAdjust: adjust, ...sides });
      await room.served();
      const before = bidder.requests.length;
      const OpenRtb = requestOf([bannerImp], { tmax });
      const { status } = await post(zoneUrl(rtbEp), OpenRtb);
      const [sent] = bidder.requests.slice(before);
      if (leftMs !== undefined) {
        const told = Number(sent?.tmax);
        assert.equal(status, 200);
        return assert.ok(told <= leftMs && told > leftMs - readingMsMax, `${told} of ${leftMs}`);
      }
      assert.deepEqual([status, sent], [204, undefined]);
      const explained = await room.call('exchange/explain', {
        RtbEp: { Id: rtbEp.Id },
        Request: { OpenRtb },
      });
      const { Outcome, Field, Wanted, Met } = explained;
      assert.deepEqual(
        [Outcome, Field, Wanted, Met],
        ['insufficient_time', 'TmaxAdjust', adjust || 20, tmax],
      );
    });
  }
});
