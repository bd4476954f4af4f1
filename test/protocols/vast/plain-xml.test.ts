import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readPlainXml } from '../../../src/protocols/vast/plain-xml.ts';
import { xmlBounds } from '../../../src/protocols/vast/xml-element.ts';
import { readAnyXml } from '../../../src/protocols/vast/xml-tree.ts';
import { seeded } from '../../support/seed.ts';
import { hostileText } from './hostile-text.ts';

const vast = `<?xml version="1.0" encoding="UTF-8"?>
<!-- as bidders send it -->
<VAST version="4.2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation='vast.xsd'>
  <Ad id="1" sequence = "1"><InLine><AdSystem version="1.0">A &amp; B</AdSystem>
    <Impression id=""><![CDATA[https://dsp.example/i?a=1&b=<2>]]></Impression><Error/>
    <Extensions><dsp:Extension xmlns:dsp="urn:dsp" dsp:type="x" type2="a
b">text <!-- - --> more &lt;&#9;</dsp:Extension ></Extensions></InLine></Ad>
</VAST>`;
const plain = vast.replace('&#9;', '');

const deep = (levels: number) => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`;
const many = (nodes: number) => `<a>${'<b/>'.repeat(nodes - 1)}</a>`;

describe('what is plain is read alike', () => {
  const texts: Readonly<Record<string, string>> = {
    'a document': plain,
    'one element': '<a/>',
    'space around': '\n <a></a> \n',
    'as deep as may be': deep(xmlBounds.depthMax),
    'as many nodes as may be': many(xmlBounds.nodesMax),
    'text on both sides': '<a> b <c/> d <![CDATA[ ]]></a>',
    'a default namespace': '<a xmlns="urn:a"><b/></a>',
  };
  for (const [name, text] of Object.entries(texts)) {
    test(name, () => {
      const tree = readPlainXml(text);
      assert.ok(tree !== undefined);
      assert.deepEqual(tree, readAnyXml(text));
    });
  }
});

describe('what is not plain, or not well-formed, is left', () => {
  const texts: Readonly<Record<string, string>> = {
    'a numeric reference': vast,
    nothing: '',
    'a DOCTYPE': '<!DOCTYPE a><a/>',
    'an instruction': '<?x y?><a/>',
    'a second root': '<a/><b/>',
    'text behind the root': '<a/>b',
    'CDATA behind the root': '<a/><![CDATA[b]]>',
    'no root': ' <!-- a --> ',
    'an end tag too many': '<a/></a>',
    'an end tag too few': '<a><b></b>',
    'the wrong end tag': '<a></b>',
    'a longer end tag': '<a></ab>',
    'an end tag that closes itself': '<a></a/>',
    'an end tag with an attribute': '<a></a b="c">',
    'two dashes in a comment': '<a><!-- -- --></a>',
    'three dashes': '<a><!-- ---></a>',
    'the end of CDATA in text': '<a>]]></a>',
    'an unknown entity': '<a>&nbsp;</a>',
    'a bare ampersand': '<a>a & b</a>',
    'an attribute twice': '<a b="1" b="2"/>',
    'an attribute twice by two prefixes': '<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>',
    'no space between attributes': '<a b="1"c="2"/>',
    'no quotes': '<a b=1/>',
    'less-than in an attribute': '<a b="<"/>',
    'a prefix that is not declared': '<p:a/>',
    'a prefix of an attribute that is not declared': '<a p:b="c"/>',
    'a prefix that a sibling declares': '<a><b xmlns:p="u"/><p:c/></a>',
    'a prefix undone': '<a xmlns:p=""/>',
    'the prefix xmlns': '<a xmlns:xmlns="u"/>',
    'a reserved namespace': '<a xmlns:p="http://www.w3.org/2000/xmlns/"/>',
    'a control character': '<a>\u0001</a>',
    'half a surrogate pair': '<a>\ud800</a>',
    'carriage returns': '<a>\r\n</a>',
    'too deep': deep(xmlBounds.depthMax + 1),
    'too many nodes': many(xmlBounds.nodesMax + 1),
    'a colon too many': '<a:b:c/>',
    'a space in front of the declaration': ' <?xml version="1.0"?><a/>',
  };
  for (const [name, text] of Object.entries(texts)) {
    test(name, () => assert.equal(readPlainXml(text), undefined));
  }
});

test('whatever is done to a document, both readers read it alike, or one leaves it to the other', () => {
  const piece = fc.oneof(
    hostileText,
    fc.constantFrom(
      ...[
        '<',
        '>',
        '/',
        '"',
        "'",
        '=',
        ' ',
        '\n',
        '&',
        ';',
        '-',
        '!',
        ':',
        ']',
        '[',
        'a',
        'xmlns',
        'xml',
        '\u00a0',
        'é',
      ],
      ...[
        '<b>',
        '</b>',
        '<b/>',
        ' c="d"',
        ' xmlns:p="u"',
        '<p:b/>',
        '<!---->',
        '<!-->',
        '<!--->',
        '<![CDATA[]]>',
        '&gt;',
      ],
    ),
  );
  const spoiled = fc
    .array(fc.tuple(fc.nat(plain.length), fc.nat(4), piece), { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce((text, [at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut), plain),
    );
  const composed = fc.array(piece, { maxLength: 12 }).map((parts) => `<a>${parts.join('')}</a>`);
  let read = 0;
  fc.assert(
    fc.property(fc.oneof(spoiled, composed), (text) => {
      const tree = readPlainXml(text);
      if (tree === undefined) return;
      read += 1;
      assert.deepEqual(tree, readAnyXml(text));
    }),
    seeded(5_000),
  );
  assert.ok(read > 500, `${read} of them were plain`);
});
