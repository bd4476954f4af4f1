import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  emptyVast,
  type InLineAd,
  inLineVast,
  type OwnVersion,
  quartileEvents,
} from '../../../src/protocols/vast/build-vast.ts';
import { readVast } from '../../../src/protocols/vast/read-vast.ts';
import { readXml } from '../../../src/protocols/vast/xml-tree.ts';
import { seeded } from '../../support/seed.ts';
import { schemaFaults } from './content-models.ts';
import { hostileText } from './hostile-text.ts';
import { played } from './vast-player.ts';

const versions: readonly OwnVersion[] = ['3.0', '4.0'];

const least: InLineAd = {
  adSystem: 'Bourse',
  title: 'Ad',
  impressions: ['https://e.example/i'],
  durationSeconds: 15,
  media: [
    { url: 'https://cdn.example/a.mp4', type: 'video/mp4', delivery: 'progressive', width: 640, height: 360 },
  ],
};
const most: InLineAd = {
  ...least,
  id: '7',
  advertiser: 'brand.example',
  categories: ['IAB1', 'IAB2-3'],
  creativeId: 'c1',
  universalAdId: { registry: 'ad-id.org', value: 'ABCD1234' },
  priceCpm: 2.5,
  error: 'https://e.example/e',
  clickTracking: ['https://e.example/c', 'https://e.example/c2'],
  clickThrough: 'https://brand.example/?a=1&b=2',
  tracking: Object.fromEntries(quartileEvents.map((event) => [event, `https://e.example/${event}`])),
};

describe('documents follow the schema of their version', () => {
  const cases: readonly [string, (version: OwnVersion) => string][] = [
    ['no ad', emptyVast],
    ['an InLine ad with the least', (version) => inLineVast(version, least)],
    ['an InLine ad with all', (version) => inLineVast(version, most)],
    [
      'several media files',
      (version) => inLineVast(version, { ...most, media: [...least.media, ...least.media] }),
    ],
  ];
  for (const version of versions) {
    for (const [name, build] of cases) {
      test(`${version}: ${name}`, () => assert.deepEqual(schemaFaults(build(version), version), []));
    }
  }
});

test('an empty document is what players expect of no ad', () => {
  assert.match(emptyVast('3.0'), /<VAST version="3\.0"><\/VAST>$/);
  assert.match(emptyVast('4.0'), /<VAST version="4\.0" xmlns="http:\/\/www\.iab\.com\/VAST"><\/VAST>$/);
});

describe('durations are times of day', () => {
  const cases: readonly [seconds: number, time: string][] = [
    [0, '00:00:00'],
    [15, '00:00:15'],
    [61.4, '00:01:01'],
    [3661, '01:01:01'],
    [86_400, '23:59:59'],
    [2_147_483_647, '23:59:59'],
    [-1, '00:00:00'],
  ];
  for (const [seconds, time] of cases) {
    test(`${seconds} s`, () => {
      assert.match(
        inLineVast('3.0', { ...least, durationSeconds: seconds }),
        new RegExp(`<Duration>${time}<`),
      );
    });
  }
});

test('a player finds all that was put in', async () => {
  for (const version of versions) {
    assert.deepEqual(await played(inLineVast(version, most)), [
      {
        errors: ['https://e.example/e'],
        impressions: ['https://e.example/i'],
        clicks: ['https://e.example/c', 'https://e.example/c2'],
        starts: ['https://e.example/start'],
        destinations: ['https://brand.example/?a=1&b=2'],
        media: ['https://cdn.example/a.mp4'],
      },
    ]);
  }
});

const anyAd = fc.record({
  id: hostileText,
  adSystem: hostileText,
  title: hostileText,
  advertiser: hostileText,
  categories: fc.array(hostileText, { maxLength: 2 }),
  creativeId: hostileText,
  universalAdId: fc.record({ registry: hostileText, value: hostileText }),
  impressions: fc.array(hostileText, { minLength: 1, maxLength: 2 }),
  error: hostileText,
  clickThrough: hostileText,
  clickTracking: fc.array(hostileText, { maxLength: 2 }),
  durationSeconds: fc.double({ noNaN: true }),
  media: fc.array(
    fc.record({
      url: hostileText,
      type: hostileText.map((type) => `video/${type}`),
      delivery: fc.constant('progressive' as const),
      width: fc.nat(),
      height: fc.nat(),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

/** What is left of a value on its way through XML: what XML cannot carry is replaced. */
function carried(value: string): string {
  const characters = Array.from(value.toWellFormed(), (character) =>
    isXmlCharacter(character) ? character : '\ufffd',
  );
  return characters.join('').trim();
}

function isXmlCharacter(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return '\t\n\r'.includes(character) || (code >= 0x20 && code !== 0xfffe && code !== 0xffff);
}

test('whatever the values hold, the document is well-formed and holds them', () => {
  fc.assert(
    fc.property(anyAd, fc.constantFrom(...versions), (ad, version) => {
      const xml = inLineVast(version, ad);
      assert.deepEqual(schemaFaults(xml, version), []);
      const document = readVast(xml);
      assert.ok(!('fault' in document));
      const [read] = document.ads;
      assert.equal(read?.advertiser, carried(ad.advertiser));
      const impressions = read?.content.children.filter(({ key }) => key === 'impression') ?? [];
      assert.deepEqual(
        impressions.map(({ text }) => text),
        // CDATA has one kind of line end (XML 1.0 §2.11).
        ad.impressions.map((url) => carried(url).replace(/\r\n?/g, '\n')),
      );
    }),
    seeded(300),
  );
});

test('values of 100 KB do no harm', () => {
  const long = '<]]>"&\r\n\ud800'.repeat(10_000);
  const xml = inLineVast('4.0', { ...least, title: long, clickThrough: long });
  assert.doesNotMatch(xml, /\ud800/);
  // Beyond what is read of strangers, so that only a part of it is read back.
  assert.equal(readXml(xml), 'too_long');
  assert.deepEqual(
    schemaFaults(inLineVast('4.0', { ...least, clickThrough: long.slice(0, 100_000) }), '4.0'),
    [],
  );
});
