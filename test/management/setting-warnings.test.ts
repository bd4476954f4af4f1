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
];

function pathsIn(reply: Values): readonly unknown[] {
  const warnings = (reply.Warnings ?? []) as readonly { Path: string; Message: string }[];
  for (const { Message } of warnings) assert.match(Message, /^is (0|empty).*[;:] .* /);
  return warnings.map(({ Path }) => Path);
}

describe('settings by which an object never earns or shows anything', () => {
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
