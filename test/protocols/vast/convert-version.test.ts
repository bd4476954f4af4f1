import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { convertToVersion } from '../../../src/protocols/vast/convert-version.ts';
import { injectTrackers } from '../../../src/protocols/vast/inject-trackers.ts';
import { readVast } from '../../../src/protocols/vast/read-vast.ts';
import type { VastDocument } from '../../../src/protocols/vast/vast-document.ts';
import type { VastVersion } from '../../../src/protocols/vast/vast-version.ts';
import { xmlBounds } from '../../../src/protocols/vast/xml-tree.ts';
import { seeded } from '../../support/seed.ts';
import { assertGrowsEvenly } from '../../support/work-bound.ts';
import { anyDocument } from './any-document.ts';
import { schemaFaults, schemaVersions } from './content-models.ts';
import { played } from './vast-player.ts';

const trackers = {
  impression: 'https://our.example/i',
  error: 'https://our.example/e?code=[ERRORCODE]',
  clickTracking: 'https://our.example/c',
  quartiles: { start: 'https://our.example/start' },
};

function documentOf(xml: string): VastDocument {
  const document = readVast(xml);
  assert.ok(!('fault' in document), `fault: ${'fault' in document ? document.fault : ''}`);
  return document;
}

function fitted(xml: string, version: VastVersion): string {
  const fit = convertToVersion(documentOf(xml), version, 'ad-1');
  return fit === undefined || 'fault' in fit ? '' : fit.text;
}

/** Whether a version can show one of the ads: 4.0 has no place for non-linear ones. */
const isPlayableIn = ({ ads, text }: VastDocument, version: VastVersion) =>
  ads.some(
    ({ isPlayable, isInLine }) =>
      isPlayable && (!isInLine || version !== '4.0' || text.includes('<MediaFile')),
  );

describe('a document is valid in every version that it is made to fit, and with our trackers', () => {
  for (const from of schemaVersions) {
    for (const to of schemaVersions) {
      test(`${from} as ${to}`, () => {
        fc.assert(
          fc.property(anyDocument(from), (xml) => {
            assert.deepEqual(schemaFaults(xml, from), []);
            const document = documentOf(xml);
            const fit = convertToVersion(document, to, 'ad-1');
            if (fit === undefined) return assert.ok(!isPlayableIn(document, to));
            assert.ok(!('fault' in fit));
            assert.deepEqual(schemaFaults(injectTrackers(fit, trackers), to), []);
          }),
          seeded(40),
        );
      });
    }
    test(`${from} as it is`, () => {
      fc.assert(
        fc.property(anyDocument(from), (xml) => {
          assert.deepEqual(schemaFaults(injectTrackers(documentOf(xml), trackers), from), []);
        }),
        seeded(40),
      );
    });
  }
});

const head = '<AdSystem>d</AdSystem>';
const media =
  '<MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://cdn.example/a.mp4</MediaFile>';
const linear = (inside: string, files = media) =>
  `<Linear>${inside}<Duration>00:00:15</Duration><MediaFiles>${files}</MediaFiles></Linear>`;
/** A document of 4.2 whose parts are given. */
const newest = (inLine: string, creative = linear(''), root = '') =>
  `<VAST version="4.2" xmlns="http://www.iab.com/VAST"${root}><Ad id="7" adType="video"><InLine>${head}
    <Impression>https://dsp.example/i</Impression><AdServingId>s</AdServingId><AdTitle>t</AdTitle>${inLine}
    <Creatives><Creative id="c" adId="a">${creative}
    <UniversalAdId idRegistry="ad-id.org">ABCD</UniversalAdId></Creative></Creatives></InLine></Ad></VAST>`;
const tracking = (event: string) =>
  linear(`<TrackingEvents><Tracking event="${event}">https://dsp.example/t</Tracking></TrackingEvents>`);
const companions =
  '<CompanionAds><Companion width="1" height="1"><HTMLResource>h</HTMLResource></Companion></CompanionAds>';

describe('what a version has no place for', () => {
  const moved = (name: string) => new RegExp(`<Extension type="${name}"><${name}[ >]`);
  const cases: readonly [name: string, xml: string, to: VastVersion, has: RegExp, hasNot: RegExp][] = [
    ['verifications, before 4.1', newest('<AdVerifications><Verification vendor="v"/></AdVerifications>'), '4.0', moved('AdVerifications'), /<InLine>.*<AdTitle>t<\/AdTitle><AdVerifications/s],
    ['the registered ID', newest(''), '3.0', moved('UniversalAdId'), /<\/Linear><UniversalAdId/],
    ['categories', newest('<Category authority="x">IAB1</Category>'), '3.0', moved('Category'), /<\/AdTitle><Category/],
    ['a mezzanine file', newest('', linear('', `${media}<Mezzanine delivery="progressive" type="v" width="1" height="1">https://m.example/</Mezzanine>`)), '3.0', moved('Mezzanine'), /<\/MediaFile><Mezzanine/],
    ['an interactive file', newest('', linear('', `${media}<InteractiveCreativeFile apiFramework="SIMID">https://m.example/</InteractiveCreativeFile>`)), '2.0', moved('InteractiveCreativeFile'), /<\/MediaFile><Interactive/],
    ['captions', newest('', linear('', `<ClosedCaptionFiles><ClosedCaptionFile>https://c.example/</ClosedCaptionFile></ClosedCaptionFiles>${media}`)), '4.0', moved('ClosedCaptionFiles'), /<MediaFiles><Closed/],
    ['an icon, in 2.0', newest('', linear('<Icons><Icon program="AdChoices"><HTMLResource>h</HTMLResource></Icon></Icons>')), '2.0', moved('Icon'), /<Icons>/],
    ['the expiry', newest('<Expires>60</Expires>'), '3.0', moved('Expires'), /<\/AdTitle><Expires/],
    ['the kind of ad', newest(''), '4.0', /<Ad id="7">/, /adType/],
    ['the size of a file', newest('', linear('', media.replace('type=', 'fileSize="9" type='))), '4.0', /<MediaFile /, /fileSize/],
    ['an event that older players do not report', newest('', tracking('interactiveStart')), '4.1', /<Linear>/, /interactiveStart/],
    ['an event that has had another name', newest('', tracking('playerExpand')), '3.0', /event="fullscreen"/, /playerExpand/],
    ['an event that comes nearest', newest('', tracking('closeLinear')), '4.0', /event="close"/, /closeLinear/],
    ['several kinds of ad in a creative', newest('', `${companions}${linear('')}`), '3.0', /<\/Creative><Creative id="c" AdID="a"><(Linear|CompanionAds)>/, /<\/CompanionAds><Linear>|<\/Linear><CompanionAds>/],
    ['all but one error', newest('').replace(head, `${head}<Error>https://e.example/1</Error><Error>https://e.example/2</Error>`), '3.0', /e\.example\/1/, /e\.example\/2/],
    ['a price per thousand in capitals', newest('').replace(head, `${head}<Pricing model="CPM" currency="USD">1</Pricing>`), '3.0', /model="cpm"/, /CPM/],
    ['elements of a vendor', newest('<v:Thing>1</v:Thing>', linear(''), ' xmlns:v="urn:v"'), '3.0', /<AdTitle>t<\/AdTitle>/, /<v:Thing>/],
    ['what is moved keeps its namespaces', newest('', `<CreativeExtensions xmlns:v="urn:v"><CreativeExtension><v:x/></CreativeExtension></CreativeExtensions>${linear('')}`), '3.0', /<Extension type="CreativeExtensions">.*<v:x\/>/s, /<Creative[^>]*><CreativeExtensions/],
  ]; // biome-ignore format: a table
  for (const [name, xml, to, has, hasNot] of cases) {
    test(name, () => {
      const text = fitted(xml, to);
      assert.match(text, has);
      assert.doesNotMatch(text, hasNot);
      assert.deepEqual(schemaFaults(text, to as (typeof schemaVersions)[number]), []);
    });
  }
});

const oldest = `<VAST version="2.0"><Ad id="7"><InLine>${head}<AdTitle>t</AdTitle>
  <Impression>https://dsp.example/i</Impression><Creatives><Creative AdID="a"><Linear><Duration>00:00:15</Duration>
  <VideoClicks><ClickThrough>https://brand.example/</ClickThrough></VideoClicks><MediaFiles>${media}</MediaFiles>
  </Linear></Creative></Creatives></InLine></Ad></VAST>`;

describe('what a version requires is added', () => {
  const cases: readonly [name: string, xml: string, to: VastVersion, has: RegExp][] = [
    ['an ID of the creative', oldest, '4.0', /<UniversalAdId idRegistry="unknown" idValue="unknown">unknown</],
    ['its value beside it, in 4.0 alone', newest(''), '4.0', /idRegistry="ad-id\.org" idValue="ABCD"|idValue="ABCD" idRegistry="ad-id\.org"/],
    ['an ID of the ad that is served', oldest, '4.2', /<AdServingId>ad-1<\/AdServingId>/],
    ['an ID of the ad', newest('').replace(' id="7"', ''), '2.0', /<Ad id="ad-1">/],
    ['creatives of a wrapper', `<VAST version="4.0"><Ad><Wrapper>${head}<Impression>i</Impression><VASTAdTagURI>https://dsp.example/</VASTAdTagURI></Wrapper></Ad></VAST>`, '3.0', /<Creatives><\/Creatives>/],
  ]; // biome-ignore format: a table
  for (const [name, xml, to, has] of cases) test(name, () => assert.match(fitted(xml, to), has));
});

test('a player calls the same in either version', async () => {
  const xml = newest(
    '',
    tracking('start').replace(
      '</Linear>',
      '<VideoClicks><ClickTracking>https://dsp.example/c</ClickTracking><ClickThrough>https://brand.example/</ClickThrough></VideoClicks></Linear>',
    ),
  );
  const expected = await played(xml);
  assert.equal(expected[0]?.starts.length, 1);
  for (const version of schemaVersions) assert.deepEqual(await played(fitted(xml, version)), expected);
});

test('a document none of whose ads could be played fits no version', () => {
  const overlay =
    '<NonLinearAds><NonLinear width="1" height="1"><StaticResource creativeType="image/png">https://n.example/</StaticResource></NonLinear></NonLinearAds>';
  assert.equal(fitted(newest('', overlay), '4.0'), '');
  assert.match(fitted(newest('', overlay), '3.0'), /<NonLinear width="1" height="1">/);
  assert.equal(fitted(newest('', linear('', '')), '3.0'), '');
});

test('a stranger cannot break out of what is moved', () => {
  const hostile = newest(`<Category authority='"/>&lt;'><![CDATA[</Category><Ad/>]]></Category>`);
  assert.deepEqual(schemaFaults(fitted(hostile, '3.0'), '3.0'), []);
});

describe('what is large does not grow larger', () => {
  const prefixes = Array.from({ length: 2000 }, (_, index) => ` xmlns:p${index}="urn:p"`).join('');
  const cases: readonly [name: string, xml: string][] = [
    ['much that is moved', newest('<Category authority="x">IAB1</Category>'.repeat(2000))],
    ['many namespaces on what is moved', newest(`<Thing${prefixes}>${'<Category>x</Category>'.repeat(2000)}</Thing>`)],
    ['a long ID on a creative of many parts', newest('', linear('').repeat(400)).replace('id="c"', `id="${'x'.repeat(100_000)}"`)],
    ['many resources', newest('', `<CompanionAds><Companion>${'<HTMLResource/>'.repeat(4000)}</Companion></CompanionAds>`)],
  ]; // biome-ignore format: a table
  for (const [name, xml] of cases) {
    test(name, () => {
      assertGrowsEvenly(() => {
        for (const version of schemaVersions)
          assert.ok(fitted(xml, version).length <= 2 * xmlBounds.charactersMax);
      }, name);
    });
  }
});
