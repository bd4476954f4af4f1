import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dormantVast } from '../../../src/protocols/vast/dormant-vast.ts';
import { readVast } from '../../../src/protocols/vast/read-vast.ts';

/** The document with names in place of URLs, and the events of those. */
function dormant(ad: string) {
  const document = readVast(`<VAST version="4.2"><Ad id="1">${ad}</Ad></VAST>`);
  assert.ok(!('fault' in document));
  const found: string[] = [];
  const text = dormantVast(document, (event, url) => {
    found.push(`${event} ${url}`);
    return `x${found.length}`;
  });
  assert.ok(!('fault' in readVast(text)), 'it can be read again');
  return { text, found };
}

const cases: readonly (readonly [name: string, markup: string, found: readonly string[]])[] = [
  ['impression', '<Impression> https://t/i?a=1&amp;b=2 </Impression>', ['Impression https://t/i?a=1&b=2']],
  ['CDATA', '<Error><![CDATA[//t/e]]></Error>', ['Error //t/e']],
  [
    'event',
    '<TrackingEvents><Tracking event="start">https://t/s</Tracking></TrackingEvents>',
    ['start https://t/s'],
  ],
  ['upper case', '<IMPRESSION>HTTPS://t/i</IMPRESSION>', ['IMPRESSION HTTPS://t/i']],
  ['prefix', '<v:Impression xmlns:v="u">https://t/i</v:Impression>', ['Impression https://t/i']],
  ['wrapper', '<Wrapper><VASTAdTagURI>https://t/w</VASTAdTagURI></Wrapper>', ['VASTAdTagURI https://t/w']],
  ['mixed content', '<Impression>https://t/i<b>https://t/j</b></Impression>', ['Impression https://t/i']],
  [
    'extension',
    '<Extensions><Extension><Any>https://t/x</Any></Extension></Extensions>',
    ['Any https://t/x'],
  ],
  ['program', '<MediaFile apiFramework="VPAID">https://t/v.js</MediaFile>', ['MediaFile https://t/v.js']],
  ['script', '<MediaFile type="application/javascript">https://t/v</MediaFile>', ['MediaFile https://t/v']],
  ['frame', '<IFrameResource>https://t/f</IFrameResource>', ['IFrameResource https://t/f']],
  [
    'verification',
    '<JavaScriptResource>https://t/om.js</JavaScriptResource>',
    ['JavaScriptResource https://t/om.js'],
  ],
  ['markup', '<HTMLResource><![CDATA[<img src="https://t/h">]]></HTMLResource>', []],
];
for (const [name, markup, wanted] of cases) {
  test(`${name} is dormant`, () => {
    const { text, found } = dormant(markup);
    assert.deepEqual(found, wanted);
    assert.doesNotMatch(text, /\/\/t\//);
  });
}

const content = [
  '<MediaFile type="video/mp4">https://t/a.mp4</MediaFile>',
  '<ClickThrough>https://t/c</ClickThrough>',
  '<StaticResource creativeType="image/png">https://t/a.png</StaticResource>',
  '<AdTitle>About https://t/</AdTitle>',
];
for (const markup of content) {
  test(`stays: ${markup}`, () => {
    const { text, found } = dormant(markup);
    assert.deepEqual(found, []);
    assert.ok(text.includes(markup));
  });
}
