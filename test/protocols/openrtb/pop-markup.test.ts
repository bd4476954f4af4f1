import assert from 'node:assert/strict';
import { test } from 'node:test';
import { popUrl } from '../../../src/protocols/openrtb/pop-markup.ts';

const cases: readonly (readonly [markup: string, url: string | undefined])[] = [
  ['https://ads.example.com/?a=1&b=2', 'https://ads.example.com/?a=1&b=2'],
  ['  http://ads.example.com\n', 'http://ads.example.com'],
  [
    '<?xml version="1.0"?><ad><popunderAd><url><![CDATA[https://ads.example.com/?a=1&b=2]]></url></popunderAd></ad>',
    'https://ads.example.com/?a=1&b=2',
  ],
  ['<ad><url> https://ads.example.com/?a=1&amp;b=2 </url></ad>', 'https://ads.example.com/?a=1&b=2'],
  [
    '<result><record><URL>https://a.example</URL><url>https://b.example</url></record></result>',
    'https://a.example',
  ],
  ['<ad><url>https://a.example</url>', 'https://a.example'],
  ['', undefined],
  ['javascript:alert(1)', undefined],
  ['https://a.example/ b', undefined],
  ['<html><body>hello</body></html>', undefined],
  ['<ad><url>javascript:alert(1)</url></ad>', undefined],
  ['<ad><url></ad>', undefined],
  ['<', undefined],
];

for (const [markup, url] of cases) {
  test(`${markup || 'nothing'} leads ${url === undefined ? 'nowhere' : `to ${url}`}`, () => {
    assert.equal(popUrl(markup), url);
  });
}
