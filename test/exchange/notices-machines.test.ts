import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fillMacros, macroOf } from '../../src/protocols/openrtb/macros.ts';
import { eventually } from '../support/eventually.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { type Stored, zoneUrl } from './exchange-room.ts';
import { type AnsweredBid, bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let postgres: SharedPostgres;
let room: RtbRoom;
let other: TestServer;
let dsp: Bidder;
let endpoint: Stored;

before(async () => {
  postgres = await sharedPostgres();
  const databaseUrl = await postgres.freshDatabase();
  room = await openRtbRoom(undefined, { databaseUrl });
  other = await startTestServer({ databaseUrl, allowPrivateDemand: true });
  dsp = await startBidder(({ id }) => ({
    adm: '<p>ad</p>',
    nurl: `DSP_URL/win?of=${id}`,
    burl: `DSP_URL/bill?of=${id}&at=${macroOf('PRICE')}`,
    lurl: `DSP_URL/loss?of=${id}`,
  }));
  const { Id } = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/bid` });
  endpoint = await room.endpoint({ RevenueCountingMethod: 1, DspRtbEps: [Id] });
  await room.served();
});
after(async () => {
  await dsp.close();
  await other.close();
  await room.close();
  await postgres.remove();
});

const offered = async (): Promise<AnsweredBid> => {
  const [bid] = (await post(zoneUrl(endpoint), requestOf([bannerImp]))).bids;
  return bid ?? assert.fail('no offer');
};

/** The URL with its macros filled, at this machine and at the other one. */
const atBoth = (url = ''): readonly string[] => {
  const filled = fillMacros(url, { PRICE: '3', CURRENCY: 'USD', LOSS: '102', MIN_TO_WIN: '' });
  return [filled, filled.replace(room.server.url, other.url)];
};
/** Calls until it is acknowledged: a machine that cannot tell yet answers 503, and is asked again. */
const acknowledged = (url: string) =>
  eventually(async () => assert.equal((await fetch(url)).status, 200), 'an acknowledgement');
const call = async (urls: readonly string[]) => void (await Promise.all(urls.map(acknowledged)));
const heardOf = ({ id }: AnsweredBid) =>
  dsp.notices.filter((notice) => notice.includes(`of=${id}`)).map((notice) => notice.slice(1).split('?')[0]);

const offersPerCase = 8;

describe('two machines without a Valkey', () => {
  interface Case {
    readonly name: string;
    /** The calls of an offer, all at once. */
    readonly calls: (bid: AnsweredBid) => readonly string[];
    /** What the bidder may hear, and nothing else: one of these, each notice once. */
    readonly heard: readonly (readonly string[])[];
  }
  const cases: readonly Case[] = [
    {
      name: 'win and bill reported to both',
      calls: ({ nurl, burl }) => [...atBoth(nurl), ...atBoth(burl)],
      heard: [['bill', 'win']],
    },
    {
      name: 'bills and losses reported to both',
      calls: ({ burl, lurl }) => [...atBoth(burl), ...atBoth(lurl)],
      heard: [['bill', 'win'], ['loss']],
    },
    {
      name: 'a loss at one and a bill at the other',
      calls: ({ burl, lurl }) => [atBoth(lurl)[0] ?? '', atBoth(burl)[1] ?? ''],
      heard: [['bill', 'win'], ['loss']],
    },
  ];
  for (const { name, calls, heard } of cases) {
    test(name, async () => {
      const offers = await Promise.all(Array.from({ length: offersPerCase }, offered));
      await Promise.all(offers.map((bid) => call(calls(bid))));
      const isAllowed = (bid: AnsweredBid) =>
        heard.some((allowed) => String(allowed) === String(heardOf(bid).toSorted()));
      const strayed = () => offers.filter((bid) => !isAllowed(bid)).map(heardOf);
      await eventually(() => assert.deepEqual(strayed(), []), 'each bidder hears what counted');
      // Whatever else was on its way is there once another offer, reported later, has been told.
      const last = await offered();
      await call(atBoth(last.burl));
      await eventually(() => assert.equal(heardOf(last).length, 2), 'the last offer');
      assert.deepEqual(strayed(), []);
    });
  }
});
