import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type ApiDocument, Checker, operationsOf } from '../openapi/document.ts';
import { type Fetched, startApi, type Values } from './api.ts';
import { applied, document as configOf, dsp as configured } from './config-calls.ts';
import { type ResourceName, resources } from './resources.ts';

const { api } = await startApi();
const document = (await api.get('/api/openapi.json')).body as unknown as ApiDocument;
const checker = new Checker(document);

/** Sends a write, checks the answer against the document, and answers its warnings without names and values. */
async function warned(name: ResourceName, operation: 'add' | 'update', values: Values, query = '') {
  const { path, wrapper } = resources[name];
  const reply = await api.post(`/api/${path}/${operation}${query}`, { [wrapper]: values });
  assert.equal(reply.status, 200, reply.text);
  const found = operationsOf(document).find((one) => one.name === `POST /api/${path}/${operation}`);
  assert.ok(found);
  assert.equal(checker.answerFaults(found, 200, reply.body), '');
  // Others are about the object's own settings.
  const warnings = ((reply.body.Warnings ?? []) as readonly Values[]).filter(({ Entity }) => Entity);
  if (warnings.length === 0) return undefined;
  return warnings.map(({ Entity, Id, Rule, Field }) => [Entity, Id, Rule, Field]);
}

const german = { Countries: [{ CC: 'DE' }] };
const american = { Countries: [{ CC: 'US' }] };

describe('warnings of pairs that can never match', () => {
  let owners: { PublisherId: unknown; AdvertiserId: unknown };
  let tag: Fetched;
  let dsp: Fetched;
  before(async () => {
    tag = await api.add('VastTag', { ...german, Bidfloor: 1, Tmax: 200 });
    dsp = await api.add('DspVastTag', american);
    owners = { PublisherId: tag.PublisherId, AdvertiserId: dsp.AdvertiserId };
  });
  const fresh = (name: ResourceName, values: Values) => {
    const owner =
      name === 'VastTag' ? { PublisherId: owners.PublisherId } : { AdvertiserId: owners.AdvertiserId };
    return warned(name, 'add', { ...owner, ...values });
  };

  test('an add without connections, or with a pair that may match, tells of none', async () => {
    assert.equal(await fresh('VastTag', german), undefined);
    assert.equal(await fresh('VastTag', { ...american, DspVastTags: [dsp.Id] }), undefined);
  });

  test('an add from the side of supply', async () => {
    const expected = [['DspVastTag', dsp.Id, 'country_not_targeted', 'Countries']];
    assert.deepEqual(await fresh('VastTag', { ...german, DspVastTags: [dsp.Id] }), expected);
  });

  test('an add from the side of demand', async () => {
    const against: readonly (readonly [Values, string, string])[] = [
      [american, 'country_not_targeted', 'Countries'],
      [{ MaxBidfloor: 0.5 }, 'floor_above_maximum', 'MaxBidfloor'],
      [{ MinTmax: 201 }, 'insufficient_time', 'MinTmax'],
      [{ PubIdListMode: 1, PubIdList: 'nobody' }, 'publisher_blocked', 'PubIdList'],
    ];
    for (const [values, rule, field] of against) {
      const expected = [['VastTag', tag.Id, rule, field]];
      assert.deepEqual(await fresh('DspVastTag', { ...values, VastTags: [tag.Id] }), expected);
    }
  });

  test('an update that connects, one that changes a rule, and one that mends it', async () => {
    const mine = await api.add('VastTag', { Bidfloor: 5 });
    const theirs = await api.add('DspVastTag', {});
    const update = (values: Values) => warned('DspVastTag', 'update', { Id: theirs.Id, ...values });
    assert.equal(await update({ VastTags: [mine.Id] }), undefined);
    assert.deepEqual(await update({ MaxBidfloor: 4 }), [
      ['VastTag', mine.Id, 'floor_above_maximum', 'MaxBidfloor'],
    ]);
    assert.equal(await warned('VastTag', 'update', { Id: mine.Id, Bidfloor: 4 }), undefined);
    assert.equal(await update({ Name: 'mended' }), undefined);
  });

  test('what is shown, and that a dry run tells the same', async () => {
    const body = { VastTag: { PublisherId: owners.PublisherId, ...german, DspVastTags: [dsp.Id] } };
    const [kept, dry] = await Promise.all([
      api.post('/api/ortb/vasttag/add', body),
      api.post('/api/ortb/vasttag/add?DryRun=1', body),
    ]);
    const Warnings = [
      {
        Entity: 'DspVastTag',
        Id: dsp.Id,
        Name: dsp.Name,
        Rule: 'country_not_targeted',
        Field: 'Countries',
        Wanted: ['US'],
        Met: ['DE'],
      },
    ];
    assert.deepEqual([kept.body.Warnings, dry.body.Warnings], [Warnings, Warnings]);
  });

  test('of many pairs a bounded number is told', async () => {
    const ids = await Promise.all(
      Array.from({ length: 120 }, async () => (await api.add('DspVastTag', american)).Id),
    );
    assert.equal((await fresh('VastTag', { ...german, DspVastTags: ids }))?.length, 100);
  });

  test('of all that an object is connected to, the first thousand are looked at', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `one of many ${index}`);
    const config = configOf({
      DspVastTag: names.map((name, index) => configured(name, index === 999 ? american : {})),
      Campaign: [configured('beside them')],
    });
    const added = await applied(api, config);
    const idsOf = (key: string) =>
      added.filter(({ Operation, Entity }) => Operation === 'add' && Entity === key).map(({ Id }) => Id);
    const [Campaigns, DspVastTags] = [idsOf('Campaign'), idsOf('DspVastTag')];
    const told = await fresh('VastTag', { ...german, DspVastTags });
    assert.deepEqual(
      told?.map(([entity, id]) => [entity, id]),
      [['DspVastTag', DspVastTags.at(-1)]],
    );
    assert.equal(await fresh('VastTag', { ...german, Campaigns, DspVastTags }), undefined);
  });
});
