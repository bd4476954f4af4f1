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

const bidder = (values: Values) =>
  api.add('DspRtbEp', { BannerEnabled: 1, VideoEnabled: 1, PopEnabled: 1, ...values });
const first = (await bidder({ AuctionType: 1 })).Id;
const open = (await bidder({})).Id;
const film = (await api.add('Campaign', { Type: 2, Cpm: 2, Html: '<p>Hello</p>' })).Id;

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
  ['DspRtbEp', { ...buyers }, ['ZoneUrlUsEast']],
  ['DspRtbEp', { ...buyers, ZoneUrlApac: 'https://dsp.example/bid' }, []],
  ['DspVastTag', { ...buyers }, ['ZoneUrlUsEast']],
  ['DspVastTag', { ...buyers, ZoneUrlEu: 'https://dsp.example/vast' }, []],
  ['DspPopFeed', { ...buyers }, ['FeedUrlUsEast']],
  ['DspPopFeed', { ...buyers, DirectUrl: 'https://dsp.example/click' }, []],
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
  const warnings = (reply.Warnings ?? []) as readonly { Path: string; Message: string }[];
  for (const { Message } of warnings) assert.match(Message, /^is (0|2|empty).*[;:] .* /);
  return warnings.map(({ Path }) => Path);
}

describe('settings that do not have the effect that they seem to have', () => {
  for (const [name, values, warns] of cases) {
    test(`${name} ${JSON.stringify(values)}: ${warns.join(', ') || 'none'}`, async () => {
      const { path, wrapper } = resources[name];
      const expected = warns.map((field) => `${wrapper}.${field}`);
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
