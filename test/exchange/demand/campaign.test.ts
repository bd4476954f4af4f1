import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { campaign } from '../../../src/exchange/demand/campaign/campaign.ts';
import type { Bid } from '../../../src/exchange/demand/demand-kind.ts';
import type { Refusal } from '../../../src/exchange/reasons.ts';
import { injectTrackers } from '../../../src/protocols/vast/inject-trackers.ts';
import { schemaFaults } from '../../protocols/vast/content-models.ts';
import { played } from '../../protocols/vast/vast-player.ts';
import { demandOf, opportunity, solicitationOf, supplyOf } from './examples.ts';

const settings = {
  Name: 'Spring <"sale">',
  Type: 1,
  Cpm: 2.5,
  MediaUrl: 'https://cdn.example/a.mp4?x=1&y=]]>',
  Mime: 'video/webm',
  Duration: 15,
  Width: 640,
  Height: 360,
  ClickUrl: 'https://brand.example/offer?a=1&b=2',
  Html: '<p>Hello</p>',
  AdDomain: 'Brand.example',
  IabCategory: 'IAB1-2',
  Attributes: [6],
};

function bidFor(changes: Readonly<Record<string, unknown>>, given = solicitationOf()): Bid | Refusal {
  return campaign.read(demandOf('Campaign', { ...settings, ...changes }), given, undefined);
}

const asked = (media: 'video' | 'banner' | 'pop') =>
  solicitationOf({ opportunity: { ...opportunity, media } });

test('nobody is called', () => {
  assert.equal(campaign.build(demandOf('Campaign', settings), solicitationOf()), undefined);
});

test('a bid says what the campaign says', () => {
  const bid = bidFor({});
  assert.ok(!('reason' in bid));
  const { demand, markup, vast, ...told } = bid;
  assert.equal(demand.id, 7);
  assert.equal(markup, vast?.text);
  assert.deepEqual(told, {
    id: 'auction-1',
    priceCpmMicros: 2_500_000,
    media: 'video',
    adDomains: ['brand.example'],
    appBundle: '',
    categories: ['IAB1-2'],
    attributes: [6],
    creativeId: '7',
    seat: '',
    width: 640,
    height: 360,
    expiryMinutes: 0,
    validSeconds: 0,
    notices: { win: '', billing: '', loss: '' },
    impId: '',
    bidId: '',
    creativeUrls: ['https://cdn.example/a.mp4?x=1&y=]]>'],
  });
});

describe('what is shown depends on the type', () => {
  const cases: readonly [
    name: string,
    changes: object,
    media: 'video' | 'banner' | 'pop',
    expected: object,
  ][] = [
    ['banner', { Type: 2 }, 'banner', { media: 'banner', markup: '<p>Hello</p>' }],
    ['pop', { Type: 3 }, 'pop', { media: 'pop', markup: 'https://brand.example/offer?a=1&b=2' }],
    [
      'another type than asked',
      { Type: 2 },
      'video',
      { reason: 'media_not_enabled', field: 'Type', wanted: 'banner', met: 'video' },
    ],
    ['video without media', { MediaUrl: '' }, 'video', { reason: 'invalid_creative', field: 'MediaUrl' }],
    ['banner without markup', { Type: 2, Html: '' }, 'banner', { reason: 'invalid_creative', field: 'Html' }],
    [
      'pop without a URL',
      { Type: 3, ClickUrl: '' },
      'pop',
      { reason: 'invalid_creative', field: 'ClickUrl' },
    ],
    [
      'the domain of the click where none is given',
      { Type: 2, AdDomain: '' },
      'banner',
      { adDomains: ['brand.example'] },
    ],
    ['no domain at all', { Type: 2, AdDomain: '', ClickUrl: '' }, 'banner', { adDomains: [] }],
  ];
  for (const [name, changes, media, expected] of cases) {
    test(name, () => assert.partialDeepStrictEqual(bidFor({ ...changes }, asked(media)), expected));
  }
});

describe('the door finishes a video', () => {
  const versions = [
    ['VastTag', 0, '3.0'],
    ['VastTag', 1, '4.0'],
    ['RtbEp', undefined, '3.0'],
  ] as const;
  for (const [kind, Version, version] of versions) {
    test(`${kind}, VAST ${version}`, async () => {
      const bid = bidFor({}, solicitationOf({ supply: supplyOf(kind, { Version }) }));
      assert.ok(!('reason' in bid) && bid.vast !== undefined);
      const xml = injectTrackers(bid.vast, {
        impression: 'https://our.example/i',
        error: 'https://our.example/e',
        quartiles: { start: 'https://our.example/s' },
        clickThrough: 'https://our.example/c?u=1&v=2',
      });
      assert.deepEqual(schemaFaults(xml, version), []);
      assert.deepEqual(await played(xml), [
        {
          errors: ['https://our.example/e'],
          impressions: ['https://our.example/i'],
          clicks: [],
          starts: ['https://our.example/s'],
          destinations: ['https://our.example/c?u=1&v=2'],
          media: ['https://cdn.example/a.mp4?x=1&y=]]>'],
        },
      ]);
    });
  }
});

test('a video is built once a campaign, whatever the auction', () => {
  const demand = demandOf('Campaign', settings);
  const one = campaign.read(demand, solicitationOf(), undefined);
  const other = campaign.read(
    demand,
    solicitationOf({ opportunity: { ...opportunity, auctionId: 'auction-2' } }),
    undefined,
  );
  assert.ok(!('reason' in one) && !('reason' in other));
  assert.equal(one.vast, other.vast);
  assert.deepEqual([one.id, other.id], ['auction-1', 'auction-2']);
});

test('media whose size the campaign does not tell have one that players can scale', () => {
  const cases = [
    [{ Width: 0, Height: 0 }, 'width="640" height="360"'],
    [{ Width: 1280, Height: 0 }, 'width="640" height="360"'],
    [{ Width: 1280, Height: 720 }, 'width="1280" height="720"'],
  ] as const;
  for (const [size, expected] of cases) {
    const bid = bidFor(size);
    assert.ok(!('reason' in bid));
    assert.match(
      bid.markup ?? '',
      new RegExp(`<MediaFile delivery="progressive" type="video/webm" ${expected}>`),
    );
  }
});

test('a campaign without Mime, Duration and ClickUrl is still a valid video', () => {
  const bid = bidFor({ Mime: '', Duration: 0, ClickUrl: '', Name: '', AdDomain: '', IabCategory: '' });
  assert.ok(!('reason' in bid) && bid.vast !== undefined);
  assert.deepEqual(
    schemaFaults(injectTrackers(bid.vast, { impression: 'https://our.example/i' }), '3.0'),
    [],
  );
  assert.deepEqual(bid.vast.ads[0]?.mediaTypes, ['video/mp4']);
});
