import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { bannerImp, nativeImp, openRtbRoom, post, type RtbRoom, requestOf, videoImp } from './rtb-room.ts';

const imp = { ...bannerImp, ...videoImp, ...nativeImp };

let room: RtbRoom;
let rtbEp: Stored;
let banner: Stored;
let video: Stored;

before(async () => {
  room = await openRtbRoom();
  banner = await room.campaign({ Type: 2, Cpm: 5 });
  video = await room.campaign({ Type: 1, Cpm: 4 });
  const far = await room.campaign({ Type: 1, Cpm: 9, Countries: [{ CC: 'US' }] });
  const pop = await room.campaign({ Type: 3, Cpm: 9 });
  const both = await room.dsp({
    ZoneUrlUsEast: 'https://dsp.example/',
    NativeEnabled: 0,
    Countries: [{ CC: 'US' }],
  });
  rtbEp = await room.endpoint({
    Campaigns: [banner.Id, video.Id, far.Id, pop.Id],
    DspRtbEps: [both.Id],
  });
  await room.served();
});
after(() => room.close());

interface Told {
  readonly Candidates: readonly (Values & { readonly Media: readonly string[] })[];
}

const shown = ({ Candidates }: Told) =>
  Candidates.map(({ Outcome, Rule, Media, Bids }) => [Outcome, Rule, Media, Bids]);

test('an explanation says what each candidate is asked for, and of which medium its bid is', async () => {
  const told = await room.call('exchange/explain', {
    RtbEp: { Id: rtbEp.Id },
    Request: { OpenRtb: requestOf([imp]) },
  });
  assert.deepEqual(shown(told as unknown as Told), [
    ['won', '', ['banner'], [{ Medium: 'banner', Price: 5, Rule: '' }]],
    ['refused', 'lost', ['video'], [{ Medium: 'video', Price: 4, Rule: 'lost' }]],
    [
      'refused',
      'country_not_targeted',
      ['video'],
      [{ Medium: 'video', Price: 9, Rule: 'country_not_targeted' }],
    ],
    ['refused', 'media_not_enabled', [], []],
    ['refused', 'country_not_targeted', ['video', 'banner'], []],
  ]);
});

test('reports count a request once, in the medium of the winner', async () => {
  const answer = await post(zoneUrl(rtbEp), requestOf([imp]));
  assert.equal(answer.bids[0]?.mtype, 1);
  const impression = /https?:\/\/[\w.:]+\/track\/impression\?t=[\w.:~-]+/.exec(answer.bids[0]?.adm ?? '');
  assert.equal((await fetch(impression?.[0] ?? assert.fail())).status, 200);
  const [auction] = (await room.call(`exchange/auctions?RtbEp=${rtbEp.Id}`)) as unknown as readonly Told[];
  assert.deepEqual(shown(auction ?? assert.fail()).slice(0, 2), [
    ['refused', 'lost', ['video'], [{ Medium: 'video', Price: 4, Rule: 'lost' }]],
    ['won', '', ['banner'], [{ Medium: 'banner', Price: 5, Rule: '' }]],
  ]);
  // Its notice is the win, which an RTB EP bills unless told otherwise.
  await fetch(answer.bids[0]?.nurl ?? assert.fail());
  await room.statistics(rtbEp, ({ Wins }) => Number(Wins) > 0);
  const today = new Date().toJSON().slice(0, 10);
  const { Rows } = await room.call('statistics/report', {
    From: today,
    To: today,
    GroupBy: ['Medium'],
    Measures: ['Requests', 'Opportunities', 'Wins', 'Impressions'],
    Filters: [{ Field: 'Supply', Operator: 'In', Values: [`RtbEp:${rtbEp.Id}`] }],
  });
  assert.deepEqual(Rows, [{ Medium: 'banner', Requests: 1, Opportunities: 1, Wins: 1, Impressions: 1 }]);
});
