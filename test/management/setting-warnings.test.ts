import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ApiDocument, Checker, operationsOf } from '../openapi/document.ts';
import { startApi, type Values } from './api.ts';
import { type ResourceName, resources } from './resources.ts';

const { api } = await startApi();
const document = (await api.get('/api/openapi.json')).body as unknown as ApiDocument;
const checker = new Checker(document);
const [publisher, advertiser] = [await api.add('Publisher'), await api.add('Advertiser')];
const owners: Values = { PublisherId: publisher.Id };
const buyers: Values = { AdvertiserId: advertiser.Id };

/** The field to connect something by, of each kind. */
const connectedBy: Readonly<Partial<Record<ResourceName, string>>> = {
  ...{ VastTag: 'Campaigns', RtbEp: 'Campaigns', PopFeed: 'Campaigns', BannerEp: 'Campaigns' },
  ...{ Campaign: 'VastTags', DspRtbEp: 'VastTags', DspVastTag: 'VastTags', DspPopFeed: 'RtbEps' },
};
const isConnected = (values: Values) => ['DspRtbEps', 'VastTags'].some((name) => name in values);

const bidder = (values: Values) =>
  api.add('DspRtbEp', { BannerEnabled: 1, VideoEnabled: 1, PopEnabled: 1, ...values });
const first = (await bidder({ AuctionType: 1 })).Id;
const open = (await bidder({})).Id;
const film = (await api.add('Campaign', { Type: 2, Cpm: 2, Html: '<p>Hello</p>' })).Id;

const tag = (await api.add('VastTag')).Id;
const idleTag = (await api.add('VastTag')).Id;
await api.post('/api/ortb/vasttag/deactivate', { VastTag: { Id: idleTag } });
const gone = await api.add('Advertiser');
await api.post('/api/advertiser/deactivate', { Advertiser: { Id: gone.Id } });
const shown = { Cpm: 2, MediaUrl: 'https://cdn.example/ad.mp4' };

/** Values, and the fields that an answer warns of. */
const cases: readonly (readonly [name: ResourceName, values: Values, warns: readonly string[]])[] = [
  ['RtbEp', { ...owners, VideoEnabled: 1 }, ['PublisherProfitShare']],
  ['RtbEp', { ...owners, VideoEnabled: 1, PublisherProfitShare: 80 }, []],
  ['RtbEp', { ...owners }, ['PublisherProfitShare', 'VideoEnabled']],
  ['RtbEp', { ...owners, PopEnabled: 1, PublisherProfitShare: 1 }, []],
  ['Campaign', { ...buyers }, ['Cpm', 'MediaUrl']],
  ['Campaign', { ...buyers, Cpm: 2 }, ['MediaUrl']],
  ['Campaign', { ...buyers, Type: 1, MediaUrl: 'https://cdn.example/ad.mp4' }, ['Cpm']],
  ['Campaign', { ...buyers, Cpm: 2, MediaUrl: 'https://cdn.example/ad.mp4' }, []],
  ['Campaign', { ...buyers, Type: 2, Cpm: 2, MediaUrl: 'https://cdn.example/ad.mp4' }, ['Html']],
  ['Campaign', { ...buyers, Type: 2, Cpm: 2, Html: '<p>Hello</p>' }, []],
  ['Campaign', { ...buyers, Type: 3, Cpm: 2, Html: '<p>Hello</p>' }, ['ClickUrl']],
  ['Campaign', { ...buyers, Type: 3, Cpm: 2, ClickUrl: 'https://brand.example/' }, []],
  ['DspRtbEp', { ...buyers }, ['ZoneUrlUsEast', 'BannerEnabled']],
  ['DspRtbEp', { ...buyers, VideoEnabled: 1, ZoneUrlApac: 'https://dsp.example/bid' }, []],
  ['RtbEp', { ...owners, VideoEnabled: 1, MinBidfloor: 2 }, ['PublisherProfitShare']],
  [
    'RtbEp',
    { ...owners, VideoEnabled: 1, PublisherProfitShare: 1, MinBidfloor: 2, MaxBidfloor: 1 },
    ['MaxBidfloor'],
  ],
  ['DspVastTag', { ...buyers }, ['ZoneUrlUsEast']],
  ['DspVastTag', { ...buyers, ZoneUrlEu: 'https://dsp.example/vast' }, []],
  ['DspPopFeed', { ...buyers }, ['FeedUrlUsEast']],
  ['DspPopFeed', { ...buyers, DirectUrl: 'https://dsp.example/click' }, []],
  ['Campaign', { ...buyers, ...shown, VastTags: [idleTag] }, ['VastTags']],
  ['Campaign', { ...buyers, ...shown, VastTags: [tag] }, []],
  ['Campaign', { ...buyers, ...shown, VastTags: [tag], EndDate: '2020-01-31' }, ['EndDate']],
  [
    'Campaign',
    { ...buyers, ...shown, VastTags: [tag], EndDate: '2020-01-31', TimeZone: 'Asia/Tokyo' },
    ['EndDate'],
  ],
  ['Deal', { Code: 'over', EndTime: '2020-01-31T12:00', TimeZone: 'Asia/Tokyo' }, ['EndTime']],
  ['Campaign', { ...buyers, ...shown, VastTags: [tag], Hours: '0'.repeat(168) }, ['Hours']],
  ['Campaign', { ...buyers, ...shown, VastTags: [tag], Countries: [{ CC: 'DE' }] }, []],
  ['Campaign', { AdvertiserId: gone.Id, ...shown, VastTags: [tag] }, ['AdvertiserId']],
  ['VastTag', { ...owners, WebEnabled: 0, AppEnabled: 0, DspRtbEps: [open] }, ['WebEnabled']],
  ['VastTag', { ...owners }, []],
  ['VastTag', { ...owners, AuctionType: 2 }, []],
  ['VastTag', { ...owners, AuctionType: 2, DspRtbEps: [first] }, ['AuctionType']],
  ['VastTag', { ...owners, AuctionType: 1, DspRtbEps: [first] }, []],
  ['VastTag', { ...owners, AuctionType: 2, DspRtbEps: [first, open] }, []],
  ['PopFeed', { ...owners, AuctionType: 2, DspRtbEps: [first] }, ['AuctionType']],
  ['BannerEp', { ...owners, AuctionType: 2, DspRtbEps: [first], Campaigns: [film] }, []],
  ['BannerEp', { ...owners, AuctionType: 2, DspRtbEps: [first] }, ['AuctionType']],
];

function pathsIn(reply: Values): readonly unknown[] {
  const all = (reply.Warnings ?? []) as readonly { Path?: string; Message: string }[];
  // Those about pairs have none.
  const warnings = all.filter(({ Path }) => Path !== undefined);
  for (const { Message } of warnings) assert.match(Message, /^(is|names) .*; .*[^.]$/);
  return warnings.map(({ Path }) => Path);
}

describe('settings that do not have the effect that they seem to have', () => {
  for (const [name, values, warns] of cases) {
    test(`${name} ${JSON.stringify(values)}: ${warns.join(', ') || 'none'}`, async () => {
      const { path, wrapper } = resources[name];
      const lonely = isConnected(values) ? [] : [connectedBy[name] ?? []].flat();
      const expected = [...warns, ...lonely].map((field) => `${wrapper}.${field}`);
      const send = async (operation: 'add' | 'update', sent: Values, query = '') => {
        const reply = await api.post(`/api/${path}/${operation}${query}`, { [wrapper]: sent });
        assert.equal(reply.status, 200, reply.text);
        const found = operationsOf(document).find((one) => one.name === `POST /api/${path}/${operation}`);
        assert.ok(found);
        assert.equal(checker.answerFaults(found, 200, reply.body), '');
        return reply.body;
      };
      assert.deepEqual(pathsIn(await send('add', values, '?DryRun=1')), expected);
      const added = await send('add', values);
      assert.deepEqual(pathsIn(added), expected);
      const { Id } = added[wrapper] as { readonly Id: number };
      assert.deepEqual(pathsIn(await send('update', { Id, Name: 'Renamed' })), expected);
      const fetched = await api.get(`/api/${path}/get?Id=${Id}&Warnings=1`);
      assert.deepEqual(pathsIn(fetched.body), expected);
    });
  }

  test('are told by a plan, whether or not it changes the object', async () => {
    const { api: other } = await startApi();
    const document = (type: number) => ({
      Version: 1,
      Publisher: [{ Name: 'P', Mail: 'p@site.example', Country: 'DE', Username: 'p' }],
      Advertiser: [{ Name: 'A', Mail: 'a@site.example', Country: 'DE', Username: 'a' }],
      VastTag: [{ Name: 'Second', Publisher: 'P', AuctionType: 2, DspRtbEps: ['One', 'Two'] }],
      DspRtbEp: ['One', 'Two'].map((Name) => ({
        Name,
        Advertiser: 'A',
        VideoEnabled: 1,
        ZoneUrlEu: 'https://dsp.example/bid',
        AuctionType: Name === 'One' ? 1 : type,
      })),
    });
    const told = (Field: string) => [{ Entity: 'VastTag', Key: 'Second', Field }];
    const warned = async (step: 'plan' | 'apply', type: number) => {
      const reply = await other.post(`/api/config/${step}`, { Config: document(type) });
      assert.equal(reply.status, 200, reply.text);
      const warnings = (reply.body.Warnings ?? []) as readonly Values[];
      return warnings.map(({ Entity, Key, Field }) => ({ Entity, Key, Field }));
    };
    assert.deepEqual(await warned('plan', 1), told('AuctionType'));
    assert.deepEqual(await warned('apply', 1), told('AuctionType'));
    assert.deepEqual(await warned('plan', 1), told('AuctionType'));
    assert.deepEqual(await warned('plan', 0), []);
  });

  test('are told beside pairs that never match, and in a batch', async () => {
    const ep = await api.add('RtbEp', { ...owners, VideoEnabled: 1, Countries: [{ CC: 'DE' }] });
    const values = { ...buyers, Cpm: 1, Countries: [{ CC: 'US' }], RtbEps: [ep.Id] };
    const { body } = await api.post('/api/campaign/add', { Campaign: values });
    const [own, pair] = body.Warnings as readonly Values[];
    assert.deepEqual([body.Warnings, own?.Path ?? pair?.Path, own?.Rule ?? pair?.Rule].slice(1), [
      'Campaign.MediaUrl',
      'country_not_targeted',
    ]);
  });
});

describe('objects that are not ready to serve', () => {
  const lacks = async (query: string) => {
    const { status, body, text } = await api.get(`/api/health/get?${query}`);
    assert.equal(status, 200, text);
    const rows = body as unknown as readonly { Id: number; Missing: readonly { Field: string }[] }[];
    return rows.flatMap(({ Id, Missing }) =>
      Missing.length > 0 ? [[Id, ...Missing.map(({ Field }) => Field)]] : [],
    );
  };

  test('are told together, with what each needs', async () => {
    const add = async (values: Values) => (await api.add('Campaign', values)).Id;
    const bare = await add({ Type: 2 });
    const whole = await add({ ...shown, VastTags: [tag] });
    assert.deepEqual(await lacks(`Entity=Campaign&Ids=${bare},${whole}`), [
      [bare, 'Cpm', 'Html', 'VastTags'],
    ]);
    const health = await api.get(`/api/health/get?Entity=Campaign&Ids=${bare},${whole}`);
    const states = health.body as unknown as readonly { State: string; Missing: readonly Values[] }[];
    assert.deepEqual(
      states.map(({ State, Missing }) => [State, Missing.length]),
      [
        ['not_ready', 3],
        ['idle', 0],
      ],
    );
    assert.equal((await api.get('/api/health/get?Entity=Tag')).status, 406);
  });

  test('may start inactive', async () => {
    const send = { Campaign: { ...buyers, Type: 3 } };
    const { body } = await api.post('/api/campaign/add?Inactive=1', send);
    const { Id, Status, StatusString } = body.Campaign as Values;
    assert.deepEqual([Status, StatusString], [1, 'Inactive']);
    assert.equal((await api.one('Campaign', Number(Id))).Status, 1);
    const changes = (await api.get(`/api/history/get?Entity=Campaign&Id=${Id}`)).body;
    const operations = (changes as unknown as readonly Values[]).map(({ Operation }) => Operation);
    assert.deepEqual(operations.toSorted(), ['add', 'deactivate']);
  });
});
