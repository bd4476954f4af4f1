import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hourOfWeek } from '../../src/shared/zone-clock.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

let room: RtbRoom;
before(async () => {
  room = await openRtbRoom();
});
after(() => room.close());

const valid = requestOf([bannerImp]);

/** All hours but the present one of a clock and the next. */
function closedNow(offsetMinutes: number): string {
  const hour = hourOfWeek(Date.now() + offsetMinutes * 60_000);
  return Array.from({ length: 168 }, (_, at) => (at === hour || at === (hour + 1) % 168 ? '0' : '1')).join(
    '',
  );
}

describe('what is refused has no bid, and is explained by name', () => {
  interface Case {
    readonly name: string;
    readonly endpoint?: object;
    readonly campaign?: object;
    readonly imp?: object;
    readonly request?: object;
    /** Of the only candidate, or where `isWhole` of the request. */
    readonly rule: string;
    readonly field: string;
    readonly isWhole?: true;
    /** Of the auction, where that is not the rule. */
    readonly outcome?: string;
  }
  const endpoints: Values[] = [];
  const node = { asi: 'other.example', sid: '1', hp: 1 };
  const chain = (complete: 0 | 1, nodes: readonly object[]) => ({
    source: { schain: { ver: '1.0', complete, nodes } },
  });
  const blocked = (members: object, rule: string, field: string, campaign: object = {}): Case => ({
    name: `${field} of the request`,
    request: members,
    campaign,
    rule,
    field,
  });
  const whole = (name: string, rule: string, field: string, members: Partial<Case>): Case => ({
    name,
    rule,
    field,
    isWhole: true,
    ...members,
  });
  const cases: readonly Case[] = [
    { name: 'the floor', imp: { bidfloor: 5 }, rule: 'below_floor', field: 'Bidfloor' },
    {
      name: 'insecure markup',
      imp: { secure: 1 },
      campaign: { Html: '<img src="http://a.example/b">' },
      rule: 'not_secure',
      field: 'Secure',
    },
    { name: 'the size', campaign: { Width: 728, Height: 90 }, rule: 'size_not_allowed', field: '' },
    {
      name: 'the medium of the campaign',
      campaign: { Type: 1 },
      rule: 'media_not_enabled',
      field: 'Type',
      outcome: 'no_demand',
    },
    {
      name: 'an hour of the viewer that is closed',
      request: { device: { geo: { utcoffset: 720 } } },
      campaign: { Hours: closedNow(720), HoursOf: 1 },
      rule: 'outside_hours',
      field: 'Hours',
      outcome: 'no_demand',
    },
    blocked({ bcat: ['IAB1'] }, 'category_blocked', 'bcat', { IabCategory: 'IAB1-2' }),
    blocked({ acat: ['IAB1'] }, 'category_blocked', 'acat', { IabCategory: 'IAB2' }),
    { ...blocked({ acat: ['IAB1'] }, 'category_blocked', 'acat'), name: 'acat where the ad tells none' },
    blocked({ badv: ['Brand.example'] }, 'domain_blocked', 'badv'),
    ...[' www.brand.example', 'https://brand.example/', '.brand.example'].map((badv) => ({
      ...blocked({ badv: [badv] }, 'domain_blocked', 'badv'),
      name: `badv as ${badv}`,
    })),
    blocked({ wseat: ['none'] }, 'seat_listed', 'wseat'),
    {
      name: 'battr',
      imp: { banner: { battr: [3] } },
      campaign: { Attributes: [3] },
      rule: 'attribute_blocked',
      field: 'battr',
    },
    whole('a medium that is off', 'media_not_enabled', 'BannerEnabled', { endpoint: { BannerEnabled: 0 } }),
    whole('sites', 'environment_not_enabled', 'WebEnabled', { endpoint: { WebEnabled: 0 } }),
    whole('MinBidfloor', 'floor_below_minimum', 'MinBidfloor', { endpoint: { MinBidfloor: 1 } }),
    whole('MaxBidfloor', 'floor_above_maximum', 'MaxBidfloor', {
      endpoint: { MaxBidfloor: 1 },
      imp: { bidfloor: 2 },
    }),
    whole('a floor in EUR', 'currency_not_accepted', 'bidfloorcur', {
      imp: { bidfloor: 1, bidfloorcur: 'EUR' },
    }),
    whole('bids in EUR alone', 'currency_not_accepted', 'cur', { request: { cur: ['EUR'] } }),
    whole('a private auction', 'private_auction', 'pmp', { imp: { pmp: { private_auction: 1, deals: [] } } }),
    whole('another country', 'country_not_targeted', 'Countries', {
      endpoint: { Countries: [{ CC: 'NO' }] },
    }),
    whole('no chain', 'incomplete_schain', 'Schain', { endpoint: { Schain: 1 } }),
    whole('a chain that is none', 'incomplete_schain', 'Schain', {
      endpoint: { Schain: 1 },
      request: chain(1, [{ asi: 'a' }]),
    }),
    whole('an incomplete chain', 'incomplete_schain', 'CompleteSchain', {
      endpoint: { CompleteSchain: 1 },
      request: chain(0, [node]),
    }),
    whole('a long chain', 'schain_too_long', 'MaxSchainNodes', {
      endpoint: { MaxSchainNodes: 1 },
      request: chain(1, [node, node]),
    }),
    whole('a chain in a circle', 'schain_loop', 'PreventSchainLoop', {
      endpoint: { PreventSchainLoop: 1 },
      request: chain(1, [node, { asi: '127.0.0.1', sid: 'x', hp: 1 }]),
    }),
  ];
  for (const {
    name,
    endpoint = {},
    campaign = {},
    imp = {},
    request = {},
    rule,
    field,
    isWhole,
    outcome,
  } of cases) {
    test(name, async () => {
      const { Id } = await room.campaign({ Type: 2, ...campaign });
      const rtbEp = await room.endpoint({ ...endpoint, Campaigns: [Id] });
      await room.served();
      const OpenRtb = requestOf([{ banner: { w: 300, h: 250 }, ...imp }], request);
      const answer = await post(zoneUrl(rtbEp), OpenRtb);
      assert.equal(answer.status, 204);
      const asked = { RtbEp: { Id: rtbEp.Id }, Request: { OpenRtb } };
      const explained = await room.call('exchange/explain', asked);
      const [candidate] = explained.Candidates as readonly Values[];
      const refusal = isWhole ? { ...explained, Rule: explained.Outcome } : candidate;
      assert.deepEqual([refusal?.Rule, refusal?.Field], [rule, field], JSON.stringify(explained));
      if (!isWhole) assert.equal(explained.Outcome, 'no_bid');
      const held = (await room.call(`exchange/auctions?RtbEp=${rtbEp.Id}`)) as unknown as readonly Values[];
      assert.equal(held[0]?.Outcome, outcome ?? rule);
      endpoints.push(rtbEp);
    });
  }

  test('without a request the last one is explained, as if it came to the endpoint as it is now', async () => {
    const { Id } = await room.add('ortb/dsprtbep', { BannerEnabled: 1, MinTmax: 200 });
    const rtbEp = await room.endpoint({ DspRtbEps: [Id] });
    await room.served();
    await post(zoneUrl(rtbEp), requestOf([bannerImp], { tmax: 250 }));
    await room.call('ortb/rtbep/update', { RtbEp: { Id: rtbEp.Id, TmaxAdjust: 100 } });
    await room.served();
    const { Candidates } = await room.call('exchange/explain', { RtbEp: { Id: rtbEp.Id } });
    const [candidate] = Candidates as readonly Values[];
    assert.deepEqual([candidate?.Rule, candidate?.Met], ['insufficient_time', 150]);
  });

  test('each is counted as one request, and as nothing else', async () => {
    for (const rtbEp of endpoints) {
      const row = await room.statistics(rtbEp, ({ Requests }) => Number(Requests) > 0);
      assert.deepEqual([row.Requests, row.Wins, row.Bills], [1, 0, 0]);
    }
  });
});

describe('an explanation wants a bid request', () => {
  const cases: readonly (readonly [name: string, body: (id: number) => object, path: string])[] = [
    ['a URL', (Id) => ({ RtbEp: { Id }, Request: { Url: 'http://a.example/?' } }), 'Request.Url'],
    [
      'no OpenRTB',
      (Id) => ({ RtbEp: { Id }, Request: { OpenRtb: { id: '1', imp: [{}] } } }),
      'Request.OpenRtb.imp[0].id',
    ],
    ['no endpoint', () => ({ Request: { OpenRtb: valid } }), ''],
    ['two objects', (Id) => ({ RtbEp: { Id }, VastTag: { Id }, Request: { OpenRtb: valid } }), ''],
    ['another endpoint', (Id) => ({ RtbEp: { Id: Id + 9999 }, Request: { OpenRtb: valid } }), 'RtbEp.Id'],
    ['an ID of text', () => ({ RtbEp: { Id: '1' }, Request: { OpenRtb: valid } }), 'RtbEp.Id'],
  ];
  for (const [name, bodyOf, path] of cases) {
    test(`${name}: 406`, async () => {
      const { Id } = await room.endpoint();
      const response = await fetch(`${room.server.url}/api/exchange/explain`, {
        method: 'POST',
        headers: { authorization: `Bearer ${room.server.token}` },
        body: JSON.stringify(bodyOf(Id)),
      });
      const { Errors } = (await response.json()) as { Errors: readonly { Path: string }[] };
      assert.deepEqual([response.status, Errors[0]?.Path], [406, path]);
    });
  }
});

test('an explanation of a bid request tells who would win, and asks nobody', async () => {
  const [dear, cheap] = await Promise.all([3, 1].map((Cpm) => room.campaign({ Type: 2, Cpm })));
  const demand = await room.dsp({ ZoneUrlUsEast: 'http://127.0.0.1:1/bid' });
  const rtbEp = await room.endpoint({ Campaigns: [cheap?.Id, dear?.Id], DspRtbEps: [demand.Id] });
  await room.served();
  const explained = async (at: number, bidfloor = 0) => {
    const Request = { OpenRtb: requestOf([{ ...bannerImp, bidfloor }], { at }) };
    const { Outcome, Candidates } = await room.call('exchange/explain', { RtbEp: { Id: rtbEp.Id }, Request });
    const told = (Candidates as readonly Values[]).map((one) => [
      one.Entity,
      one.Outcome,
      one.Rule,
      one.Price,
      ...(one.Rule === 'lost' ? [one.Wanted, one.Met] : []),
    ]);
    return [Outcome, ...told];
  };
  const asked = ['DspRtbEp', 'asked', '', null];
  assert.deepEqual(await explained(1), [
    'open',
    ['Campaign', 'refused', 'lost', 1, 3, 1],
    ['Campaign', 'won', '', 3],
    asked,
  ]);
  assert.deepEqual((await explained(2))[2], ['Campaign', 'won', '', 1.01]);
  assert.deepEqual((await explained(2, 2))[2], ['Campaign', 'won', '', 2], 'the floor of the request');
});
