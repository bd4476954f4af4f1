import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inLineVast, type OwnVersion } from '../../../src/protocols/vast/build-vast.ts';
import { isPod, joinAds, type TrackedDocument } from '../../../src/protocols/vast/join-ads.ts';
import { readVast } from '../../../src/protocols/vast/read-vast.ts';
import { schemaFaults } from './content-models.ts';
import { dataUrl, playedInTurn } from './vast-player.ts';
import { wrapperVast } from './wrapper-vast.ts';

const media = { type: 'video/mp4', delivery: 'progressive', width: 640, height: 360 } as const;

function inLine(version: OwnVersion, name: string): string {
  const files = [{ ...media, url: `https://cdn.example/${name}.mp4` }];
  return inLineVast(version, { adSystem: 'x', title: name, durationSeconds: 15, media: files });
}

/** A document whose impression is named. */
function tracked(xml: string, name: string): TrackedDocument {
  const document = readVast(xml);
  assert.ok(!('fault' in document));
  return { document, trackers: { impression: `https://our.example/${name}` } };
}

const inTurn = async (xml: string) => (await playedInTurn(xml)).map(({ impressions }) => impressions.at(-1));
const sequenced = (name: string, ...numbers: number[]) => {
  const ads = numbers.map((number) =>
    inLine('3.0', name).replace(/^.*<Ad>/s, `<Ad id='sequence="9"' sequence="${number}">`),
  );
  return `<VAST version="3.0">${ads.map((ad) => ad.replace('</VAST>', '')).join('')}</VAST>`;
};

describe('a player takes the winner, then the others in their order', () => {
  const cases: readonly [name: string, first: string, others: readonly string[], turns: string[]][] = [
    ['no others', inLine('3.0', 'a'), [], ['0']],
    ['InLine ads', inLine('3.0', 'a'), [inLine('3.0', 'b'), inLine('3.0', 'c')], ['0', '1', '2']],
    ['of 4.0', inLine('4.0', 'a'), [inLine('4.0', 'b')], ['0', '1']],
    ['a winner that is a pod of one', sequenced('a', 1), [inLine('3.0', 'b')], ['0', '1']],
    [
      'a fallback that is a pod of one',
      inLine('3.0', 'a'),
      [sequenced('b', 1), inLine('3.0', 'c')],
      ['0', '1', '2'],
    ],
    [
      'a wrapper whose answer is empty',
      wrapperVast('4.0', dataUrl('<VAST version="4.0"/>')),
      [inLine('4.0', 'b')],
      ['1'],
    ],
  ];
  for (const [name, first, others, turns] of cases) {
    test(name, async () => {
      const xml = joinAds(
        tracked(first, '0'),
        others.map((other, index) => tracked(other, String(index + 1))),
      );
      assert.deepEqual(
        await inTurn(xml),
        turns.map((turn) => `https://our.example/${turn}`),
      );
    });
  }
});

describe('documents of one version make a valid one', () => {
  for (const version of ['3.0', '4.0'] as const) {
    test(version, () => {
      const wrapper = wrapperVast(version, 'https://dsp.example/');
      const xml = joinAds(tracked(wrapper, '0'), [tracked(inLine(version, 'b'), '1'), tracked(wrapper, '2')]);
      assert.deepEqual(schemaFaults(xml, version), []);
      assert.equal(xml.match(/fallbackOnNoAd="true"/g)?.length ?? 0, version === '4.0' ? 2 : 0);
    });
  }
});

test('a winner alone is given on as it is', () => {
  const first = tracked(
    '<VAST version="4.0"><Ad><Wrapper><VASTAdTagURI>x</VASTAdTagURI></Wrapper></Ad></VAST>',
    '0',
  );
  assert.doesNotMatch(joinAds(first, []), /fallbackOnNoAd/);
});

test('ads to be played one after the other are a pod', () => {
  assert.ok(isPod(tracked(sequenced('b', 1, 2), '').document));
  assert.ok(!isPod(tracked(sequenced('b', 1), '').document));
  assert.ok(!isPod(tracked(inLine('3.0', 'b'), '').document));
});

test('fallbacks keep their namespaces', () => {
  const prefixed = '<v:VAST xmlns:v="u" xmlns:w="w" version="4.0"><v:Ad><v:InLine w:x="1"/></v:Ad></v:VAST>';
  const xml = joinAds(tracked(inLine('4.0', 'a'), '0'), [
    tracked(prefixed, '1'),
    tracked(inLine('3.0', 'c'), '2'),
  ]);
  assert.match(xml, /<v:Ad xmlns="" xmlns:v="u" xmlns:w="w"><v:InLine w:x="1"><v:Impression>/);
  assert.match(xml, /<Ad xmlns=""><InLine>/);
  const document = readVast(xml);
  assert.ok(!('fault' in document));
  assert.equal(document.ads.length, 3);
});
