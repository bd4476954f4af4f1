import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readVast } from '../../../src/protocols/vast/read-vast.ts';
import type { VastDocument } from '../../../src/protocols/vast/vast-document.ts';
import { xmlBounds } from '../../../src/protocols/vast/xml-tree.ts';
import { seeded } from '../../support/seed.ts';
import { hostileText } from './hostile-text.ts';

function documentOf(xml: string): VastDocument {
  const document = readVast(xml);
  assert.ok(!('fault' in document), `fault: ${'fault' in document ? document.fault : ''}`);
  return document;
}

const inLine = (inside: string) => `<VAST version="3.0"><Ad id="1"><InLine>${inside}</InLine></Ad></VAST>`;
const price = '<Pricing model="CPM" currency="USD">1.50</Pricing>';

describe('the same ad is read in every form', () => {
  const cases: readonly [form: string, xml: string][] = [
    ['plain', inLine(price)],
    ['CDATA', inLine('<Pricing model="CPM" currency="USD"><![CDATA[1.50]]></Pricing>')],
    [
      'CDATA in parts',
      inLine('<Pricing model="CPM" currency="USD"> <![CDATA[1.]]><![CDATA[50]]> </Pricing>'),
    ],
    [
      'attributes in another order and quotes',
      inLine("<Pricing\n currency='USD'\tmodel = 'CPM' >1.50</Pricing >"),
    ],
    ['white space', inLine(`\r\n  <AdSystem/>\r\n  ${price.replace('1.50', '\n 1.50 \n')}`)],
    ['byte order mark and declaration', `\ufeff<?xml version="1.0" encoding="UTF-8"?>\r\n${inLine(price)}`],
    ['white space before the declaration', `\n  <?xml version="1.0"?>${inLine(price)}`],
    ['a declaration of another encoding', `<?xml version="1.0" encoding="ISO-8859-1"?>${inLine(price)}`],
    ['upper case', inLine(price.replaceAll('Pricing', 'PRICING')).replaceAll('InLine', 'INLINE')],
    ['lower case', inLine(price).toLowerCase().replace('cpm', 'CPM').replace('usd', 'USD')],
    ['default namespace', inLine(price).replace('<VAST', '<VAST xmlns="http://www.iab.com/VAST"')],
    [
      'prefix',
      inLine(price)
        .replace(/<(\/?)(\w)/g, '<$1v:$2')
        .replace('<v:VAST', '<v:VAST xmlns:v="http://www.iab.com/VAST"'),
    ],
    ['comments and instructions', inLine(`<!-- <Ad> -->${price}<?x y?>`)],
  ];
  for (const [form, xml] of cases) {
    test(form, () => {
      const { ads, text } = documentOf(xml);
      assert.equal(ads.length, 1);
      assert.deepEqual(ads[0]?.pricing, { model: 'CPM', currency: 'USD', value: '1.50' });
      assert.ok(text.startsWith('<'));
      assert.doesNotMatch(text, /ISO-8859/);
    });
  }
});

describe('what is no VAST document is refused by name', () => {
  const cases: readonly [name: string, xml: string, fault: string][] = [
    ['nothing', '', 'empty'],
    ['white space', ' \ufeff\r\n', 'empty'],
    ['text', 'no ad', 'malformed'],
    ['HTML', '<html><body>Not found<br></body></html>', 'malformed'],
    ['XHTML', '<html><body/></html>', 'not_vast'],
    ['VAST 1', '<VideoAdServingTemplate/>', 'not_vast'],
    ['an element that does not end', '<VAST version="3.0"><Ad>', 'malformed'],
    ['elements that cross', '<VAST><Ad></VAST></Ad>', 'malformed'],
    ['two roots', '<VAST/><VAST/>', 'malformed'],
    ['an ampersand alone', inLine('<AdTitle>a & b</AdTitle>'), 'malformed'],
    ['an unknown entity', inLine('<AdTitle>&nbsp;</AdTitle>'), 'malformed'],
    ['a prefix that is not declared', inLine('<x:y/>'), 'malformed'],
    ['an attribute twice', '<VAST version="3.0" version="4.0"/>', 'malformed'],
    ['a control character', inLine('<AdTitle>\u0001</AdTitle>'), 'malformed'],
    ['a reference to a control character', inLine('<AdTitle>&#0;</AdTitle>'), 'malformed'],
    ['XML 1.1', '<?xml version="1.1"?><VAST><Ad><InLine>&#1;</InLine></Ad></VAST>', 'malformed'],
    ['a DOCTYPE', '<!DOCTYPE VAST><VAST/>', 'doctype'],
    [
      'entities that grow',
      '<!DOCTYPE VAST [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><VAST>&b;</VAST>',
      'doctype',
    ],
    [
      'an external entity',
      '<!DOCTYPE VAST [<!ENTITY a SYSTEM "file:///etc/passwd">]><VAST>&a;</VAST>',
      'doctype',
    ],
    ['deep nesting', `${'<VAST>'.repeat(5000)}${'</VAST>'.repeat(5000)}`, 'too_deep'],
    ['many elements', `<VAST>${'<a/>'.repeat(xmlBounds.nodesMax)}</VAST>`, 'too_many_nodes'],
    [
      'many attributes',
      `<VAST ${Array.from({ length: xmlBounds.nodesMax + 1 }, (_, index) => `a${index}=""`).join(' ')}/>`,
      'too_many_nodes',
    ],
    ['a long document', `<VAST>${' '.repeat(xmlBounds.charactersMax)}</VAST>`, 'too_long'],
  ];
  for (const [name, xml, fault] of cases) test(name, () => assert.deepEqual(readVast(xml), { fault }));
});

describe('ads are those that a player could play', () => {
  const cases: readonly [name: string, inside: string, forms: string[]][] = [
    ['none', '', []],
    ['an error instead of an ad', '<Error>https://e.example/</Error>', []],
    ['an Ad with nothing in it', '<Ad/>', []],
    ['an InLine', '<Ad><InLine/></Ad>', ['InLine']],
    ['a wrapper and an InLine', '<Ad><Wrapper/></Ad>\n<Ad><InLine></InLine></Ad>', ['Wrapper', 'InLine']],
    ['an Ad in an extension is none', '<Extensions><Ad><InLine/></Ad></Extensions>', []],
  ];
  for (const [name, inside, forms] of cases) {
    test(name, () => {
      const { ads } = documentOf(`<VAST version="4.0">${inside}</VAST>`);
      assert.deepEqual(
        ads.map(({ isInLine }) => (isInLine ? 'InLine' : 'Wrapper')),
        forms,
      );
    });
  }
});

const linear = (inside: string) => `<Creatives><Creative><Linear>${inside}</Linear></Creative></Creatives>`;

test('what a document tells of its ad', () => {
  const { ads, version } = documentOf(
    `<VAST version="4.2"><Ad><InLine>
      <Extensions><Extension><AdvDomain>Shop.Brand.example</AdvDomain></Extension></Extensions>
      <Advertiser>brand.example</Advertiser>
      <Category authority="x">iab1-2</Category><Category authority="x">IAB3</Category><Category>Cars</Category>
      <Creatives><Creative adId="c9"><Linear><Duration>00:01:15.500</Duration>
        <MediaFiles><MediaFile type="Video/MP4"><![CDATA[https://cdn.example/a.mp4]]></MediaFile>
          <MediaFile type="application/javascript">https://cdn.example/a.js</MediaFile></MediaFiles>
        <VideoClicks><ClickThrough>https://u:p@Go.Brand.example:8443/x?y</ClickThrough></VideoClicks></Linear>
        <UniversalAdId idRegistry="unknown" idValue="unknown">unknown</UniversalAdId></Creative>
        <Creative><UniversalAdId idRegistry="ad-id.org">ABCD</UniversalAdId></Creative></Creatives>
    </InLine></Ad></VAST>`,
  );
  assert.equal(version, '4.2');
  const { element, content, ...told } = ads[0] ?? assert.fail('no ad');
  assert.deepEqual([element.name, content.name], ['Ad', 'InLine']);
  assert.deepEqual(told, {
    isInLine: true,
    isPlayable: true,
    linear: true,
    nonLinear: false,
    isVpaid: false,
    wrappedUrl: '',
    pricing: undefined,
    advertiser: 'brand.example',
    adDomains: ['brand.example', 'shop.brand.example', 'go.brand.example'],
    categories: ['IAB1-2', 'IAB3'],
    creativeId: 'c9',
    mediaTypes: ['video/mp4', 'application/javascript'],
    durationSeconds: 75.5,
  });
});

describe('what loads by plain http', () => {
  const cases: readonly [name: string, inside: string, met: string | undefined][] = [
    ['nothing', '<Impression>https://e.example/?u=http://page.example</Impression>', undefined],
    ['an impression', '<Impression><![CDATA[ http://e.example/]]></Impression>', 'Impression'],
    [
      'a media file',
      linear('<MediaFiles><MediaFile>HTTP://cdn.example/a.mp4</MediaFile></MediaFiles>'),
      'MediaFile',
    ],
    ['a wrapped tag', '<VASTAdTagURI>http://dsp.example/</VASTAdTagURI>', 'VASTAdTagURI'],
    [
      'where a click leads',
      linear('<VideoClicks><ClickThrough>http://brand.example/</ClickThrough></VideoClicks>'),
      undefined,
    ],
    [
      'a click tracker',
      linear('<VideoClicks><ClickTracking>http://e.example/</ClickTracking></VideoClicks>'),
      'ClickTracking',
    ],
    ['no scheme', '<Impression>//e.example/</Impression>', undefined],
    ['HTML', '<HTMLResource><![CDATA[<img src="http://e.example/">]]></HTMLResource>', 'HTMLResource'],
    [
      'a link in HTML',
      '<HTMLResource><![CDATA[<a href="http://e.example/">x</a>]]></HTMLResource>',
      undefined,
    ],
    ['data', '<AdParameters>{"video":"http:\\/\\/cdn.example/"}</AdParameters>', 'AdParameters'],
  ];
  for (const [name, inside, met] of cases) {
    test(name, () => assert.equal(documentOf(inLine(inside)).insecureElement, met));
  }
});

test('nothing that is received makes it throw', () => {
  const valid = inLine(`${price}${linear('<Duration>00:00:15</Duration>')}<Error><![CDATA[x]]></Error>`);
  const spoiled = fc
    .tuple(fc.nat(valid.length), fc.nat(20), hostileText)
    .map(([at, cut, put]) => valid.slice(0, at) + put + valid.slice(at + cut));
  fc.assert(
    fc.property(fc.oneof(spoiled, hostileText), (xml) => {
      const document = readVast(xml);
      if ('fault' in document) assert.match(document.fault, /^[a-z_]+$/);
      else assert.ok(document.ads.length <= 1);
    }),
    seeded(500),
  );
});
