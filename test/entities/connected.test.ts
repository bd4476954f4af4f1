import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connected } from '../../src/entities/connected.ts';
import type { Entity, Input, Output } from '../../src/entities/entity.ts';
import type { DemandRole } from '../../src/entities/exchange-role.ts';
import { type EntityOf, entities, entityOf } from '../../src/entities/registry.ts';
import { connection } from '../../src/fields/connection.ts';
import { placed } from '../../src/fields/section.ts';

const namesOf = (key: string, kinds: readonly string[]) =>
  Object.entries(entityOf(key).fields)
    .filter(([, { place }]) => kinds.includes(place.kind))
    .map(([name]) => name);

/** What the specification shows (2.2 to 2.10), and what follows beside it. */
const derived: readonly (readonly [key: string, names: readonly string[]])[] = [
  ['VastTag', ['Campaigns', 'DspRtbEps', 'DspVastTags']],
  ['RtbEp', ['Campaigns', 'DspRtbEps', 'DspVastTags', 'DspPopFeeds']],
  ['PopFeed', ['Campaigns', 'DspRtbEps', 'DspPopFeeds']],
  ['BannerEp', ['Campaigns', 'DspRtbEps']],
  ['Campaign', ['VastTags', 'RtbEps', 'PopFeeds', 'BannerEps']],
  ['DspRtbEp', ['VastTags', 'RtbEps', 'PopFeeds', 'BannerEps']],
  ['DspVastTag', ['VastTags', 'RtbEps']],
  ['DspPopFeed', ['RtbEps', 'PopFeeds']],
  ['Publisher', ['BannerEpsCount', 'RtbEpsCount', 'VastTagsCount', 'PopFeedsCount']],
  ['Advertiser', ['CampaignsCount', 'DspRtbEpsCount', 'DspVastTagsCount', 'DspPopFeedsCount']],
  ['KeywordList', ['PopFeeds']],
  [
    'DomainList',
    [
      'VastTags',
      'DspVastTags',
      'RtbEps',
      'DspRtbEps',
      'Campaigns',
      'PopFeeds',
      'DspPopFeeds',
      'BannerEps',
      'Deals',
      'FloorRules',
    ],
  ],
  ['AppList', ['VastTags', 'DspVastTags', 'RtbEps', 'DspRtbEps', 'Campaigns', 'BannerEps', 'Deals']],
  ['Tag', []],
];

test('connections, users of lists and counts follow from what entities declare', () => {
  for (const [key, names] of derived) {
    const { fields } = entityOf(key);
    const isLabel = (name: string) => {
      const place = fields[name]?.place;
      return place?.kind === 'connection' && place.mirror === undefined;
    };
    const found = namesOf(key, ['connection', 'backReference', 'count']).filter((name) => !isLabel(name));
    assert.deepEqual(found, names, key);
  }
});

/** Declarations in which one entity is another than the registry has it. */
function changed(key: string, change: (entity: Entity) => Partial<Entity>): readonly Entity[] {
  const isDerived = ({ place }: Entity['fields'][string]) =>
    ['backReference', 'count'].includes(place.kind) ||
    (place.kind === 'connection' && place.mirror !== undefined);
  return entities.map((entity) => {
    const fields = Object.fromEntries(Object.entries(entity.fields).filter(([, field]) => !isDerived(field)));
    const declared = { ...entity, fields };
    return entity.key === key ? { ...declared, ...change(declared) } : declared;
  });
}

const serving = (...serves: readonly string[]) =>
  changed('Campaign', ({ exchange }) => ({ exchange: { ...(exchange as DemandRole), serves } }));
const list = placed('Lists', connection({ to: 'DomainList', help: 'More lists' }));

test('declarations that contradict each other are refused with what is wrong', () => {
  const cases: readonly (readonly [declared: readonly Entity[], says: RegExp])[] = [
    [serving('VastTags'), /^Error: Campaign serves VastTags, which is not a kind of supply$/],
    [serving('DspVastTag'), /^Error: Campaign serves DspVastTag, which is not a kind of supply$/],
    [serving('VastTag', 'VastTag'), /^Error: Campaign has two fields VastTags, one of which is derived$/],
    [
      changed('VastTag', ({ fields }) => ({ fields: { ...fields, OtherLists: list } })),
      /^Error: DomainList has two fields VastTags, one of which is derived$/,
    ],
    [
      changed('VastTag', ({ fields }) => ({ fields: { ...fields, Campaigns: list } })),
      /^Error: VastTag has two fields Campaigns, one of which is derived$/,
    ],
  ];
  for (const [declared, says] of cases) assert.throws(() => connected(declared), says);
  assert.deepEqual(
    connected(changed('Campaign', () => ({}))).map(({ fields }) => Object.keys(fields)),
    entities.map(({ fields }) => Object.keys(fields)),
  );
});

test('only the registry imports the files of entities, which lack what is derived', () => {
  const root = join(import.meta.dirname, '..', '..');
  const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
  const files = globSync('src/entities/*.ts', { cwd: root }).filter((path) =>
    /^export const \w+ = defineEntity\(/m.test(textOf(path)),
  );
  assert.equal(files.length, entities.length);
  const names = files.map((path) => path.slice('src/entities/'.length));
  const imports = new RegExp(`from '[./\\w-]*/(entities/)?(${names.join('|')})'`);
  const importing = globSync('{src,test,bench}/**/*.ts', { cwd: root }).filter((path) =>
    textOf(path)
      .split('\n')
      .some(
        (line) =>
          imports.exec(line)?.[1] !== undefined || (path.startsWith('src/entities/') && imports.test(line)),
      ),
  );
  assert.deepEqual(importing, ['src/entities/registry.ts']);
});

test('the types know what is derived', () => {
  const sent: Input<EntityOf<'VastTag'>> = {
    PublisherId: 1,
    Campaigns: [1],
    DspRtbEps: [],
    DspVastTags: [2],
  };
  const demand: Input<EntityOf<'DspVastTag'>> = { AdvertiserId: 1, VastTags: [1], RtbEps: [] };
  // @ts-expect-error: a misspelt connection
  const misspelt: Input<EntityOf<'VastTag'>> = { PublisherId: 1, Campaign: [1] };
  // @ts-expect-error: a kind of demand that does not serve it
  const unserved: Input<EntityOf<'VastTag'>> = { PublisherId: 1, DspPopFeeds: [1] };
  // @ts-expect-error: a kind of supply that it does not serve
  const notServing: Input<EntityOf<'DspVastTag'>> = { AdvertiserId: 1, BannerEps: [1] };
  // @ts-expect-error: what uses a list is shown, never sent
  const used: Input<EntityOf<'DomainList'>> = { Name: 'A', VastTags: [1] };
  const shown = (users: Output<EntityOf<'KeywordList'>>, owner: Output<EntityOf<'Publisher'>>) => {
    const [ids, count]: readonly [readonly number[], number] = [users.PopFeeds, owner.VastTagsCount];
    // @ts-expect-error: only Pop Feeds use Keyword Lists
    const others = users.VastTags;
    // @ts-expect-error: advertisers own campaigns
    const campaigns = owner.CampaignsCount;
    return [ids, count, others, campaigns];
  };
  assert.equal([sent, demand, misspelt, unserved, notServing, used, shown].length, 7);
});
