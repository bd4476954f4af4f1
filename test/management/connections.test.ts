import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Fetched, startApi, type Values } from './api.ts';
import { assertRefused } from './refusals.ts';
import { type ResourceName, resources } from './resources.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();
const elsewhere = api.as((await addUser(server, { role: 0 })).token);

/** A connection and its two views: the supply object's field and the demand object's (specification 2.5 to 2.9). */
const pairs: readonly (readonly [ResourceName, string, ResourceName, string])[] = [
  ['VastTag', 'Campaigns', 'Campaign', 'VastTags'],
  ['VastTag', 'DspRtbEps', 'DspRtbEp', 'VastTags'],
  ['VastTag', 'DspVastTags', 'DspVastTag', 'VastTags'],
  ['RtbEp', 'Campaigns', 'Campaign', 'RtbEps'],
  ['RtbEp', 'DspRtbEps', 'DspRtbEp', 'RtbEps'],
  ['RtbEp', 'DspVastTags', 'DspVastTag', 'RtbEps'],
  ['RtbEp', 'DspPopFeeds', 'DspPopFeed', 'RtbEps'],
  ['PopFeed', 'Campaigns', 'Campaign', 'PopFeeds'],
  ['PopFeed', 'DspRtbEps', 'DspRtbEp', 'PopFeeds'],
  ['PopFeed', 'DspPopFeeds', 'DspPopFeed', 'PopFeeds'],
  ['BannerEp', 'Campaigns', 'Campaign', 'BannerEps'],
  ['BannerEp', 'DspRtbEps', 'DspRtbEp', 'BannerEps'],
];

type Three = readonly [number, number, number];

async function three(name: ResourceName, values: Values = {}): Promise<Three> {
  const [a, b, c] = [await api.add(name, values), await api.add(name), await api.add(name)];
  return [a.Id, b.Id, c.Id];
}

/** Both sides of a pair, each as a way to set the field and a way to read it. */
function side(name: ResourceName, field: string) {
  return {
    set: async (id: number, ids: readonly number[]) => {
      const object = await api.update(name, { Id: id, [field]: ids });
      assert.deepEqual(object[field], [...new Set(ids)], 'as sent, at once');
    },
    sees: async (id: number, ids: readonly number[], why: string) => {
      assert.deepEqual((await api.one(name, id))[field], ids, `${name} ${id}: ${why}`);
      const [row] = await api.all(name, `?AfterId=${id - 1}&Limit=1`);
      assert.deepEqual(row?.[field], ids, `the array form of ${name} ${id}: ${why}`);
    },
  };
}

for (const [supply, supplyField, demand, demandField] of pairs) {
  suite(`${supply}.${supplyField} and ${demand}.${demandField} are one fact`, () => {
    const ours = side(supply, supplyField);
    const theirs = side(demand, demandField);

    test('set on one side it shows on the other, in both directions', async () => {
      const [a1, a2, a3] = await three(supply);
      const [b1, b2, b3] = await three(demand);
      await ours.set(a1, [b3, b1]);
      await theirs.sees(b3, [a1], 'set by the other side');
      await theirs.sees(b1, [a1], 'set by the other side');
      await theirs.sees(b2, [], 'not named');
      await theirs.set(b2, [a3, a1]);
      await ours.sees(a1, [b3, b1, b2], 'the new one comes last');
      await ours.sees(a3, [b2], 'set by the other side');
      await ours.sees(a2, [], 'not named');
    });

    test('order is kept on both sides, whatever the other side does', async () => {
      const [a1, a2, a3] = await three(supply);
      const [b1, b2, b3] = await three(demand);
      await theirs.set(b1, [a3, a1, a2]);
      await ours.set(a1, [b3, b2, b1]);
      await theirs.sees(b1, [a3, a1, a2], 'sent in that order');
      await ours.set(a1, [b1, b3]);
      await ours.sees(a1, [b1, b3], 'in the new order');
      await theirs.sees(b1, [a3, a1, a2], 'still');
      await theirs.sees(b2, [], 'let go');
      await theirs.set(b1, [a2, a3]);
      await ours.sees(a1, [b3], 'let go by the other side');
      await ours.set(a1, [b3, b1]);
      await theirs.sees(b1, [a2, a3, a1], 'connected again: last');
      await ours.sees(a1, [b3, b1], 'in the order sent');
    });

    test('add connects, an omitted field keeps, [] lets all go, a refused body changes nothing', async () => {
      const [b1, b2] = await three(demand);
      const { Id: a } = await api.add(supply, { [supplyField]: [b2, b1, b2] });
      await ours.sees(a, [b2, b1], 'duplicates collapse');
      await theirs.sees(b2, [a], 'added so');
      await api.update(supply, { Id: a, Name: 'Renamed' });
      await ours.sees(a, [b2, b1], 'not sent');
      const values = { Id: a, [supplyField]: [b1, 999_999] };
      const { path, wrapper } = resources[supply];
      const paths = [`${wrapper}.${supplyField}[1]`];
      const reply = await api.post(`/api/${path}/update`, { [wrapper]: values });
      assertRefused(reply, { status: 406, paths, says: ['999999'] });
      await ours.sees(a, [b2, b1], 'refused');
      await ours.set(a, []);
      await theirs.sees(b1, [], 'let go');
      await theirs.sees(b2, [], 'let go');
    });

    test('an ID of the other team is as one that does not exist', async () => {
      const { Id } = await elsewhere.add(demand);
      const { path, wrapper } = resources[supply];
      const refused = async (id: number) => {
        const reply = await api.post(`/api/${path}/update`, { [wrapper]: { Id: a, [supplyField]: [id] } });
        assertRefused(reply, { status: 406, paths: [`${wrapper}.${supplyField}[0]`] });
        return reply.text.replaceAll(`${id}`, 'ID');
      };
      const { Id: a } = await api.add(supply);
      // Ids are counted over all teams, so that this one is nobody else's.
      if (!(await api.all(demand)).some((own) => own.Id === Id)) {
        assert.equal(await refused(Id), await refused(999_999));
      }
      assert.deepEqual((await elsewhere.one(demand, Id))[demandField], []);
    });
  });
}

/** ID arrays that only one side writes: the field, what it names, and where lists show it (specification 2.10). */
const oneWay: readonly (readonly [ResourceName, string, ResourceName, shownAs?: string])[] = [
  ['VastTag', 'DomainsBrandsList', 'DomainList', 'VastTags'],
  ['RtbEp', 'DomainsBrandsList', 'DomainList', 'RtbEps'],
  ['DspRtbEp', 'DomainsBrandsList', 'DomainList', 'DspRtbEps'],
  ['Campaign', 'DomainsBrandsList', 'DomainList', 'Campaigns'],
  ['DspPopFeed', 'DomainsBrandsList', 'DomainList', 'DspPopFeeds'],
  ['VastTag', 'AppsList', 'AppList', 'VastTags'],
  ['RtbEp', 'AppsList', 'AppList', 'RtbEps'],
  ['DspRtbEp', 'AppsList', 'AppList', 'DspRtbEps'],
  ['Campaign', 'AppsList', 'AppList', 'Campaigns'],
  ['VastTag', 'IpBlacklists', 'IpList', 'VastTags'],
  ['RtbEp', 'IpBlacklists', 'IpList', 'RtbEps'],
  ['DspRtbEp', 'IpBlacklists', 'IpList', 'DspRtbEps'],
  ['DspPopFeed', 'IpBlacklists', 'IpList', 'DspPopFeeds'],
  ['Deal', 'DomainsBrandsList', 'DomainList', 'Deals'],
  ['Deal', 'AppsList', 'AppList', 'Deals'],
  ['FloorRule', 'DomainsBrandsList', 'DomainList', 'FloorRules'],
  ['FloorRule', 'Publishers', 'Publisher'],
  ['FloorRule', 'PopFeeds', 'PopFeed'],
  ['Deal', 'VastTags', 'VastTag'],
  ['Deal', 'DspRtbEps', 'DspRtbEp'],
  ['Deal', 'Campaigns', 'Campaign'],
  ['PopFeed', 'DomainsBrandsList', 'DomainList'],
  ['PopFeed', 'IpBlacklists', 'IpList'],
  ['PopFeed', 'KeywordBlacklists', 'KeywordList'],
  ['DspVastTag', 'AppsList', 'AppList'],
  ['BannerEp', 'Tags', 'Tag'],
  ['Campaign', 'Tags', 'Tag'],
  ['RtbEp', 'Tags', 'Tag'],
];

suite('ID arrays that one side writes', () => {
  for (const [name, field, to, shownAs] of oneWay) {
    test(`${name}.${field} names ${to} objects${shownAs ? `, which show it as ${shownAs}` : ''}`, async () => {
      const [l1, l2, l3] = await three(to);
      const { Id } = await api.add(name, { [field]: [l3, l1, l3] });
      const { Id: second } = await api.add(name, { [field]: [l1] });
      const listed = async (id: number) => (await api.one(to, id))[shownAs ?? ''];
      assert.deepEqual((await api.one(name, Id))[field], [l3, l1], 'duplicates collapse, order is kept');
      if (shownAs)
        assert.deepEqual([await listed(l1), await listed(l2), await listed(l3)], [[Id, second], [], [Id]]);
      await api.update(name, { Id, [field]: [l2, l1] });
      assert.deepEqual((await api.one(name, Id))[field], [l2, l1]);
      if (shownAs) {
        assert.deepEqual([await listed(l2), await listed(l3)], [[Id], []]);
        const row = (await api.all(to)).find((list) => list.Id === l2);
        assert.deepEqual(row?.[shownAs], [Id], 'in the array form too');
        const sent = await api.update(to, { Id: l2, [shownAs]: [second] });
        assert.deepEqual(sent[shownAs], [Id], 'what only answers carry is ignored');
      }
      await api.update(name, { Id, [field]: [] });
      assert.deepEqual((await api.one(name, Id))[field], []);
    });
    test(`${name}.${field} refuses what is no ${to} of the team`, async () => {
      const object = await api.add(name);
      const { path, wrapper } = resources[name];
      const own = await api.add(to);
      const theirs: Fetched = await elsewhere.add(to);
      const values = { Id: object.Id, [field]: [own.Id, theirs.Id, 999_999] };
      const reply = await api.post(`/api/${path}/update`, { [wrapper]: values });
      const paths = [`${wrapper}.${field}[1]`, `${wrapper}.${field}[2]`];
      assertRefused(reply, { status: 406, paths, says: [`${theirs.Id}`, '999999'] });
      assert.deepEqual((await api.one(name, object.Id))[field], []);
    });
  }
});
