import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { seeded } from '../../test/support/seed.ts';
import { foundGroups, foundIn, isSearched, keptResults, resultText, type SearchResult } from './found.ts';

describe('places are found', () => {
  const places = [
    { label: 'Overview', words: 'home today figures' },
    { label: 'Settings: users', words: 'invite role people' },
    { label: 'Settings: API keys', words: 'token machine' },
    { label: 'New Campaign', text: 'Buys impressions', words: 'add create' },
    { label: 'Bid floor margin', name: 'DspBidfloorMargin' },
    { label: 'Bid floor', name: 'Bidfloor' },
    { label: 'Campaigns', text: 'Buys impressions', words: 'Campaign' },
  ];
  const cases: readonly (readonly [query: string, labels: readonly string[], most?: number])[] = [
    ['settings users', ['Settings: users']],
    ['users settings', ['Settings: users']],
    ['TOKEN', ['Settings: API keys']],
    ['campaign', ['Campaigns', 'New Campaign']],
    ['campaign', ['Campaigns'], 1],
    ['new campaign', ['New Campaign']],
    ['buys', ['New Campaign', 'Campaigns']],
    [
      's',
      ['Settings: users', 'Settings: API keys', 'Bid floor margin', 'Campaigns', 'Overview', 'New Campaign'],
    ],
    ['bidfloor', ['Bid floor', 'Bid floor margin']],
    ['no such thing', []],
    ['.*', []],
  ];
  for (const [query, labels, most = 9] of cases)
    test(`by ${query}`, () =>
      assert.deepEqual(
        foundIn(places, query, most).map(({ label }) => label),
        labels,
      ));

  test('by every part of their label, and less by more words', () => {
    const word = fc.stringMatching(/^[a-c]{1,3}$/);
    fc.assert(
      fc.property(
        fc.array(fc.record({ label: word, text: word, words: word })),
        word,
        word,
        (some, one, other) => {
          const found = foundIn(some, one, some.length);
          for (const place of some) if (place.label.includes(one)) assert.ok(found.includes(place));
          for (const place of foundIn(some, `${one} ${other}`, some.length)) assert.ok(found.includes(place));
        },
      ),
      seeded(300),
    );
  });
});

test('the kind of the best place comes first, others in their order', () => {
  const place = (label: string, text = '') => ({ id: label, label, text, go: () => undefined });
  const groups = [
    { title: 'Screens', places: [place('Funnel', 'requests and bids'), place('Reports')] },
    {
      title: 'Figures',
      places: [place('Deal requests'), place('Requests'), place('Revenue at risk'), place('Revenue')],
    },
    { title: 'Help', places: [place('Reports'), place('Requests and bids')] },
  ];
  const found = (query: string) =>
    foundGroups(groups, query, 9).map(({ title, places }) => [title, ...places.map(({ label }) => label)]);
  assert.deepEqual(found('requests'), [
    ['Figures', 'Requests', 'Deal requests'],
    ['Help', 'Requests and bids'],
    ['Screens', 'Funnel'],
  ]);
  assert.deepEqual(found('revenue'), [['Figures', 'Revenue', 'Revenue at risk']]);
  assert.deepEqual(found('reports'), [
    ['Screens', 'Reports'],
    ['Help', 'Reports'],
  ]);
  assert.deepEqual(found('nothing of it'), []);
});

describe('a field is searched', () => {
  type Field = Parameters<typeof isSearched>[0];
  const field: Field = { place: 'document', presence: 'optional', section: 'General' };
  const cases: readonly (readonly [what: string, field: Partial<Field>, isIt: boolean])[] = [
    ['of a form', {}, true],
    ['that is derived', { presence: 'derived' }, false],
    ['of each object', { place: 'column' }, false],
    ['among connections', { section: 'Connections' }, false],
  ];
  for (const [what, changed, isIt] of cases)
    test(`${what}: ${isIt}`, () => assert.equal(isSearched({ ...field, ...changed }), isIt));
});

const found: SearchResult = {
  Entity: 'VastTag',
  Id: 3,
  Name: 'Homepage',
  StatusString: 'Active',
  Field: 'Name',
  Value: 'Homepage',
};

describe('an object that is found', () => {
  const cases: readonly (readonly [
    what: string,
    result: Partial<SearchResult>,
    place: Parameters<typeof resultText>[2],
    text: ReturnType<typeof resultText>,
  ])[] = [
    ['by its name', {}, 'column', { label: 'Homepage', description: 'VAST Tag 3', isLine: false }],
    [
      'by its ID',
      { Field: 'Id', Value: '3', Name: '' },
      'column',
      { label: 'VAST Tag 3', description: 'VAST Tag 3', isLine: false },
    ],
    [
      'by another field',
      { Field: 'SiteDomain', Value: 'sport.example' },
      'column',
      { label: 'Homepage', description: 'VAST Tag 3 · Site domain: sport.example', isLine: false },
    ],
    [
      'by a line of its list',
      { Field: 'ListText', Value: 'bad.example' },
      'listText',
      { label: 'Homepage', description: 'VAST Tag 3 · has the line bad.example', isLine: true },
    ],
  ];
  for (const [what, result, place, text] of cases)
    test(what, () =>
      assert.deepEqual(resultText({ ...found, ...result }, { title: 'VAST Tag' }, place), text),
    );
});

test('until the server has answered, what was found before stays as far as it is found now', () => {
  const results = ['New season', 'News', 'Renewal'].map((Value) => ({ ...found, Value }));
  for (const [query, kept] of [
    ['new', ['New season', 'News', 'Renewal']],
    ['NEWS', ['News']],
    ['new c', []],
  ] as const)
    assert.deepEqual(
      keptResults(results, query).map(({ Value }) => Value),
      kept,
      query,
    );
});
