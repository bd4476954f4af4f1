import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Fetched, startApi } from './api.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();

let tag: Fetched;
let publisher: Fetched;

before(async () => {
  publisher = await api.add('Publisher', { Name: 'Zürich News', Website: 'https://news.example/' });
  tag = await api.add('VastTag', {
    Name: 'Homepage pre-roll',
    PublisherId: publisher.Id,
    DisplayManager: 'Homepager',
  });
  await api.add('VastTag', { Name: 'homepage' });
  await api.add('VastTag', { Name: 'Sport, not the homepage' });
  await api.add('Campaign', { Name: '2' });
  await api.add('DspVastTag', { Name: 'Partner', ZoneUrlEu: 'https://ads.partner.example/vast?x="1"' });
  await api.add('DomainList', { Name: '%', ListText: 'listed.example\nformer.example' });
  await api.update('DomainList', { Id: 1, ListText: 'other.example\nlisted.example' });
  await api.add('AppList', { Name: 'Apps', ListText: 'com.Example.app' });
  await api.add('KeywordList', { Name: 'Words', ListText: 'Cheap flights\nhotels' });
  await api.add('IpList', {
    Name: 'Addresses',
    ListText: '192.0.2.1\n203.0.113.0/24\n198.51.100.7-198.51.100.15\n2001:db8::/32',
  });
  await api.post('/api/ortb/vasttag/deactivate', { VastTag: { Id: 2 } });
});

type Hit = readonly [entity: string, id: number, field: string];
const search = async (query: string, more = '', as = api): Promise<Hit[]> => {
  const { status, text, body } = await as.get(`/api/search?Query=${encodeURIComponent(query)}${more}`);
  assert.equal(status, 200, text);
  return (body as unknown as { Entity: string; Id: number; Field: string }[]).map(({ Entity, Id, Field }) => [
    Entity,
    Id,
    Field,
  ]);
};

const cases: readonly (readonly [what: string, query: () => string, expected: readonly Hit[]])[] = [
  [
    'whole names before their beginnings before words in them',
    () => 'HOMEPAGE',
    [
      ['VastTag', 2, 'Name'],
      ['VastTag', 1, 'Name'],
      ['VastTag', 3, 'Name'],
    ],
  ],
  ['case beyond ASCII', () => 'ZÜRICH', [['Publisher', 1, 'Name']]],
  ['a name before IDs', () => '2', [['Campaign', 1, 'Name']]],
  ['parts of URLs', () => 'partner.example', [['DspVastTag', 1, 'ZoneUrlEu']]],
  ['signs of SQL and JSON', () => 'x="1"', [['DspVastTag', 1, 'ZoneUrlEu']]],
  ['a sign of LIKE', () => '%', [['DomainList', 1, 'Name']]],
  ['a credential', () => String(tag.Auth), [['VastTag', 1, 'Auth']]],
  ['a part of a credential', () => String(tag.Auth).slice(0, 12), []],
  [
    'a URL of ours',
    () => String((tag.ZoneUrls as { ZoneUrl: string }[])[0]?.ZoneUrl),
    [['VastTag', 1, 'Auth']],
  ],
  ['a credential of statistics', () => String(publisher.StatsAuth), [['Publisher', 1, 'StatsAuth']]],
  ['other texts last', () => 'homepager', [['VastTag', 1, 'DisplayManager']]],
  ['a line of a list', () => 'LISTED.example', [['DomainList', 1, 'ListText']]],
  ['the list of a domain above', () => 'www.listed.example', [['DomainList', 1, 'ListText']]],
  ['the list of the host of a URL', () => 'https://listed.example/page', [['DomainList', 1, 'ListText']]],
  ['an application', () => 'COM.example.app', [['AppList', 1, 'ListText']]],
  ['a keyword, whatever its spaces', () => 'cheap  Flights', [['KeywordList', 1, 'ListText']]],
  ['an address in a network', () => '203.0.113.77', [['IpList', 1, 'ListText']]],
  ['an address in a range', () => '198.51.100.9', [['IpList', 1, 'ListText']]],
  ['a network within another', () => '203.0.113.64/27', [['IpList', 1, 'ListText']]],
  ['an address of IPv6', () => '2001:DB8:0::1', [['IpList', 1, 'ListText']]],
  ['an IPv4-mapped address', () => '::ffff:203.0.113.77', [['IpList', 1, 'ListText']]],
  ['no part of a line', () => 'isted.example', []],
  ['no line below', () => 'cheap', []],
  ['no address beside a range', () => '198.51.100.16', []],
  ['no line of before', () => 'former.example', []],
  ['nothing', () => 'nowhere', []],
];
for (const [what, query, expected] of cases) {
  test(`finds ${what}`, async () => {
    const found = await search(query());
    assert.deepEqual(found.slice(0, expected.length), expected);
    if (expected.length === 0) assert.deepEqual(found, []);
  });
}

test('an ID finds objects of all kinds, active ones first', async () => {
  const found = await search('2', '&Limit=100');
  assert.ok(found.some(([entity, id, field]) => entity === 'VastTag' && id === 2 && field === 'Id'));
  assert.equal((await search('a', '&Limit=1')).length, 1);
});

test('names the line, the nearest of those that hold the text', async () => {
  const ListText = [...Array(30_000).keys()].map((n) => `n${n}.example`).join('\n');
  await api.add('DomainList', { Name: 'Long', ListText: `long.test\n${ListText}\na.long.test` });
  const line = async (query: string) =>
    ((await api.get(`/api/search?Query=${query}`)).body as unknown as { Value: string }[]).map(
      ({ Value }) => Value,
    );
  assert.deepEqual(await line('b.a.long.test'), ['a.long.test']);
  assert.deepEqual(await line('b.long.test'), ['long.test']);
  assert.deepEqual(await line('n29999.example'), ['n29999.example']);
  assert.deepEqual(await line('203.0.113.9'), ['203.0.113.0/24']);
});

test('finds an object as it became, and as soon as it is there', async () => {
  const { Id } = await api.add('VastTag', { Name: 'Quince' });
  assert.deepEqual(await search('quince'), [['VastTag', Id, 'Name']]);
  await api.update('VastTag', { Id, Name: 'Medlar' });
  assert.deepEqual(await search('quince'), []);
  assert.deepEqual(await search('medlar'), [['VastTag', Id, 'Name']]);
});

test('finds nothing of another team', async () => {
  const other = api.as((await addUser(server, { role: 2 })).token);
  assert.deepEqual(await search('homepage', '', other), []);
  assert.deepEqual(await search('listed.example', '', other), []);
  assert.deepEqual(await search(String(tag.Auth), '', other), []);
});

const refused = [
  ['', 'Query', /is required/],
  ['Query=', 'Query', /is required/],
  ['Query=%20', 'Query', /is required/],
  [`Query=${'x'.repeat(1025)}`, 'Query', /1024 characters/],
  ['Query=x&Limit=101', 'Limit', /100 or less/],
] as const;
for (const [query, path, message] of refused) {
  test(`refuses ${query.slice(0, 30)}`, async () => {
    const { status, body } = await api.get(`/api/search?${query}`);
    const [fault] = body.Errors as { Path: string; Message: string }[];
    assert.deepEqual([status, fault?.Path], [406, path]);
    assert.match(fault?.Message ?? '', message);
  });
}
