import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { macroOf } from '../../../src/protocols/openrtb/macros.ts';
import { convertToVersion } from '../../../src/protocols/vast/convert-version.ts';
import { joinAds } from '../../../src/protocols/vast/join-ads.ts';
import { readVast } from '../../../src/protocols/vast/read-vast.ts';
import type { VastDocument } from '../../../src/protocols/vast/vast-document.ts';
import { readXml } from '../../../src/protocols/vast/xml-tree.ts';
import { seeded } from '../../support/seed.ts';

const xhtml = 'http://www.w3.org/1999/xhtml';
const svg = 'http://www.w3.org/2000/svg';

function read(text: string): VastDocument {
  const document = readVast(text);
  assert.ok(!('fault' in document), `${'fault' in document ? document.fault : ''}: ${text}`);
  return document;
}

const ad = (inside: string, attributes = '', prolog = '') =>
  `${prolog}<VAST version="3.0"${attributes}><Ad id="1"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://a.example/</Impression><Creatives><Creative><Linear><Duration>00:00:10</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1" height="1">https://a.example/f.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives><Extensions>${inside}</Extensions></InLine></Ad></VAST>`;
const extension = (inside: string) => ad(`<Extension type="x">${inside}</Extension>`);

describe('what browsers would run or render is dropped', () => {
  const script = (namespace: string) => `<script xmlns="${namespace}">alert(1)</script>`;
  const cases: readonly (readonly [what: string, sent: string, left: string, dropped: readonly string[]])[] =
    [
      ...[
        xhtml,
        svg,
        'https://www.w3.org/1999/xhtml',
        'http://www.w3.org/2002/06/xhtml2/',
        'http://www.w3.org/1998/Math/MathML',
        'http://www.w3.org/1999/XSL/Transform',
        'http://www.w3.org/TR/WD-xsl',
        'http://www.w3.org/TR/REC-html40',
        'http://www.w3.org/2002/xforms',
        'http://www.w3.org/2001/XInclude',
        'http://www.w3.org/2001/SMIL20/Language',
        'http://www.mozilla.org/xbl',
        'http://www.wapforum.org/2001/wml',
        'http://www.mozilla.org/keymaster/gatekeeper/there.is.only.xul',
        'urn:schemas-microsoft-com:vml',
        ` ${xhtml}\n`,
        'http://www.w3.org/1999/&#120;html',
        'HTTP://WWW.W3.ORG/1999/XHTML',
        `http://www.w3.org/1999/${macroOf('BID_ID')}`,
        'http://www.w3.org/1999/%24%7Bauction_seat_id%7D',
      ].map(
        (namespace) => [namespace, extension(`a${script(namespace)}b`), extension('ab'), ['script']] as const,
      ),
      [
        'a prefix',
        extension(`<h:script xmlns:h="${xhtml}" src="//e.example/"/><V/>`),
        extension('<V/>'),
        ['h:script'],
      ],
      [
        'a prefix of the root',
        ad('<Extension><h:script>x</h:script><V/></Extension>', ` xmlns:h="${xhtml}"`),
        ad('<Extension><V/></Extension>', ` xmlns:h="${xhtml}"`),
        ['h:script'],
      ],
      [
        'the namespace of an element above',
        ad(`<Extension xmlns="${xhtml}"><script>x</script></Extension><Extension/>`),
        ad('<Extension/>'),
        ['Extension', 'script'],
      ],
      [
        'a prefix that is bound again',
        extension(`<h:V xmlns:h="urn:v"><h:b xmlns:h="${svg}"/></h:V>`),
        extension('<h:V xmlns:h="urn:v"></h:V>'),
        ['h:b'],
      ],
      [
        'several, one within another',
        extension(`<a xmlns="${svg}"><b xmlns="${xhtml}"/></a><V/><c xmlns="${xhtml}"/>`),
        extension('<V/>'),
        ['a', 'b', 'c'],
      ],
      [
        'a style sheet',
        ad('', '', '<?xml version="1.0"?><?xml-stylesheet href="<?xml-stylesheet"?>'),
        ad('', '', '<?xml version="1.0"?>'),
        ['?xml-stylesheet'],
      ],
      [
        'a style sheet within',
        extension('<?xml-stylesheet type="text/xsl" href="#x"?><V/>'),
        extension('<V/>'),
        ['?xml-stylesheet'],
      ],
    ];
  for (const [what, sent, left, dropped] of cases) {
    test(what, () => {
      const document = read(sent);
      assert.equal(document.text, left);
      assert.deepEqual(document.dropped, dropped);
    });
  }

  test('a document that is one of these is none', () => {
    for (const namespace of [xhtml, svg])
      assert.deepEqual(readVast(ad('', ` xmlns="${namespace}"`)), { fault: 'not_vast' });
    assert.deepEqual(readVast(ad('').replace('<VAST', '<!DOCTYPE html><VAST')), { fault: 'doctype' });
  });

  test('names are bounded', () => {
    const many = Array.from(
      { length: 50 },
      (_, index) => `<${'a'.repeat(100)}${index} xmlns="${svg}"/><b${index} xmlns="${svg}"/>`,
    );
    const { dropped } = read(extension(many.join('')));
    assert.equal(dropped.length, 20);
    assert.ok(dropped.every(({ length }) => length <= 64));
  });

  test('in another version and in a waterfall, too', () => {
    const foreign = `<V><h:script xmlns:h="${xhtml}"/><k:V xmlns:k="urn:v"/></V>`;
    const converted = convertToVersion(read(extension(foreign)), '4.2', 'id');
    assert.ok(converted && !('fault' in converted));
    assert.match(converted.text, /<V><k:V xmlns:k="urn:v"\/><\/V>/);
    // The prefix means one thing in the first document and another in the second.
    const first = read(ad('', ` xmlns:p="${xhtml}" xmlns="urn:d"`));
    const second = read(ad('<Extension><p:V/><V/></Extension>', ' xmlns:p="urn:v"'));
    const joined = readXml(joinAds({ document: first, trackers: {} }, [{ document: second, trackers: {} }]));
    assert.ok(typeof joined !== 'string');
    assert.deepEqual(joined.foreign, []);
  });
});

describe('all else stays byte for byte', () => {
  const cases: readonly string[] = [
    '<AdVerifications><Verification vendor="v"><JavaScriptResource apiFramework="omid"><![CDATA[https://v.example/o.js]]></JavaScriptResource></Verification></AdVerifications>',
    '<script>alert(1)</script><svg/><html/>',
    '<a:b xmlns:a="urn:vendor" a:c = "1"/>',
    '<a xmlns="http://vendor.example/xhtml"><script/></a>',
    '<a xmlns="http://www.iab.com/VAST"/>',
    `<V a="xmlns:h='${xhtml}'"/><![CDATA[<script xmlns="${xhtml}"/><?xml-stylesheet?>]]><!-- <?xml-stylesheet?> -->`,
    `<V xmlns:h="${xhtml}" h:onclick="1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="x"/>`,
    '<d:Signature xmlns:d="http://www.w3.org/2000/09/xmldsig#"/><?vendor x?>',
  ];
  for (const inside of cases) {
    test(inside.slice(0, 60), () => {
      const { text, dropped } = read(extension(inside));
      assert.equal(text, extension(inside));
      assert.deepEqual(dropped, []);
    });
  }
});

test('law: what is left is what a reader of namespaces leaves, whatever is declared where', () => {
  const spaces = fc.constantFrom(xhtml, svg, 'urn:vendor', 'http://www.iab.com/VAST');
  const prefixes = fc.constantFrom('', 'h', 's');
  interface Node {
    readonly prefix: string;
    readonly declared: readonly (readonly [prefix: string, uri: string])[];
    readonly texts: string;
    readonly children: readonly Node[];
  }
  const nodeAbove = (levels: number): fc.Arbitrary<Node> =>
    fc.record({
      prefix: prefixes,
      declared: fc.uniqueArray(fc.tuple(prefixes, spaces), { maxLength: 2, selector: ([prefix]) => prefix }),
      texts: fc.constantFrom('', 'x', '<![CDATA[<script>]]>', '<!-- > -->', '&lt;'),
      children: levels === 0 ? fc.constant([]) : fc.array(nodeAbove(levels - 1), { maxLength: 3 }),
    });
  const isForeign = (uri: string | undefined) => uri === xhtml || uri === svg;
  function written(
    { prefix, declared, texts, children }: Node,
    scope: ReadonlyMap<string, string>,
    isLeft: boolean,
  ): string {
    const inner = new Map([...scope, ...declared]);
    if (isLeft && isForeign(inner.get(prefix))) return '';
    const name = prefix === '' ? 'e' : `${prefix}:e`;
    const declarations = declared.map(([of, uri]) => ` xmlns${of && ':'}${of}="${uri}"`).join('');
    const below = children.map((child) => written(child, inner, isLeft)).join(texts);
    return below === '' && texts === '' && children.length === 0
      ? `<${name}${declarations}/>`
      : `<${name}${declarations}>${texts}${below}</${name}>`;
  }
  const scope = new Map([
    ['h', xhtml],
    ['s', 'urn:vendor'],
  ]);
  const whole = (inside: string) => ad(inside, ` xmlns:h="${xhtml}" xmlns:s="urn:vendor"`);
  const fill = (nodes: readonly Node[], isLeft: boolean) =>
    whole(nodes.map((each) => written(each, scope, isLeft)).join(''));
  fc.assert(
    fc.property(fc.array(nodeAbove(4), { maxLength: 4 }), (nodes) => {
      assert.equal(read(fill(nodes, false)).text, fill(nodes, true));
    }),
    seeded(500),
  );
});
