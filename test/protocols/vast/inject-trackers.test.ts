import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { inLineVast, type OwnVersion } from '../../../src/protocols/vast/build-vast.ts';
import { injectTrackers } from '../../../src/protocols/vast/inject-trackers.ts';
import { readVast } from '../../../src/protocols/vast/read-vast.ts';
import type { Trackers } from '../../../src/protocols/vast/trackers.ts';
import { seeded } from '../../support/seed.ts';
import { schemaFaults } from './content-models.ts';
import { type Calls, dataUrl, played } from './vast-player.ts';
import { wrapperVast } from './wrapper-vast.ts';

const trackers = {
  impression: 'https://our.example/i?t=a&b=1',
  error: 'https://our.example/e?code=[ERRORCODE]',
  clickTracking: 'https://our.example/c?t=a&b=1',
  quartiles: { start: 'https://our.example/q?e=start', complete: 'https://our.example/q?e=complete' },
} satisfies Trackers;

function injected(xml: string, given: Trackers = trackers, token?: string): string {
  const document = readVast(xml);
  assert.ok(!('fault' in document), `fault: ${'fault' in document ? document.fault : ''}`);
  return injectTrackers(document, given, token);
}

const [impression, click] = [
  '<Impression><![CDATA[https://our.example/i?t=a&b=1]]></Impression>',
  '<ClickTracking><![CDATA[https://our.example/c?t=a&b=1]]></ClickTracking>',
];
const two: Trackers = {
  impression: 'https://our.example/i?t=a&b=1',
  clickTracking: 'https://our.example/c?t=a&b=1',
};

describe('trackers go where the schema wants them, and nothing else changes', () => {
  const cases: readonly [name: string, version: string, inside: string, expected: string][] = [
    [
      'behind what is there',
      '3.0',
      '<InLine><Impression>a</Impression><Creatives><Creative><Linear><VideoClicks><ClickThrough>b</ClickThrough></VideoClicks><MediaFiles/></Linear></Creative></Creatives></InLine>',
      `<InLine><Impression>a</Impression>${impression}<Creatives><Creative><Linear><VideoClicks><ClickThrough>b</ClickThrough>${click}</VideoClicks><MediaFiles/></Linear></Creative></Creatives></InLine>`,
    ],
    [
      '3.0: clicks before the media files',
      '2.0',
      '<InLine><AdTitle>x</AdTitle><Creatives><Creative><Linear ><Duration/><MediaFiles/></Linear></Creative></Creatives></InLine>',
      `<InLine><AdTitle>x</AdTitle>${impression}<Creatives><Creative><Linear ><Duration/><VideoClicks>${click}</VideoClicks><MediaFiles/></Linear></Creative></Creatives></InLine>`,
    ],
    [
      '4.x: clicks behind the media files, before their destination',
      '4.1',
      '<InLine><AdSystem/><AdTitle/><Creatives><Creative><Linear><MediaFiles/></Linear></Creative><Creative><Linear><VideoClicks><ClickThrough>b</ClickThrough></VideoClicks></Linear></Creative></Creatives></InLine>',
      `<InLine><AdSystem/>${impression}<AdTitle/><Creatives><Creative><Linear><MediaFiles/><VideoClicks>${click}</VideoClicks></Linear></Creative><Creative><Linear><VideoClicks>${click}<ClickThrough>b</ClickThrough></VideoClicks></Linear></Creative></Creatives></InLine>`,
    ],
    [
      'a wrapper without creatives, 3.0',
      '3.0',
      '<Wrapper><VASTAdTagURI>u</VASTAdTagURI><Extensions/></Wrapper>',
      `<Wrapper><VASTAdTagURI>u</VASTAdTagURI>${impression}<Creatives><Creative><Linear><VideoClicks>${click}</VideoClicks></Linear></Creative></Creatives><Extensions/></Wrapper>`,
    ],
    [
      'a wrapper with other creatives, 4.0',
      '4.0',
      '<Wrapper><Creatives><Creative><CompanionAds/></Creative></Creatives><VASTAdTagURI>u</VASTAdTagURI></Wrapper>',
      `<Wrapper>${impression}<Creatives><Creative><CompanionAds/></Creative><Creative><Linear><VideoClicks>${click}</VideoClicks></Linear></Creative></Creatives><VASTAdTagURI>u</VASTAdTagURI></Wrapper>`,
    ],
    [
      'elements without content',
      '3.0',
      '<InLine><Impression/><Creatives><Creative><Linear /></Creative><Creative><Linear><VideoClicks/></Linear></Creative></Creatives></InLine>',
      `<InLine><Impression/>${impression}<Creatives><Creative><Linear ><VideoClicks>${click}</VideoClicks></Linear></Creative><Creative><Linear><VideoClicks>${click}</VideoClicks></Linear></Creative></Creatives></InLine>`,
    ],
    ['an empty InLine', '3.0', '<InLine/>', `<InLine>${impression}</InLine>`],
    [
      'non-linear ads',
      '3.0',
      '<InLine><Impression/><Creatives><Creative><NonLinearAds><NonLinear><StaticResource/><NonLinearClickThrough>d</NonLinearClickThrough></NonLinear></NonLinearAds></Creative></Creatives></InLine>',
      `<InLine><Impression/>${impression}<Creatives><Creative><NonLinearAds><NonLinear><StaticResource/>${click.replaceAll('ClickTracking', 'NonLinearClickTracking')}<NonLinearClickThrough>d</NonLinearClickThrough></NonLinear></NonLinearAds></Creative></Creatives></InLine>`,
    ],
    [
      'look-alikes in extensions stay alone',
      '3.0',
      '<InLine><Impression/><Extensions><Extension><Linear/><Impression>x</Impression></Extension></Extensions></InLine>',
      `<InLine><Impression/>${impression}<Extensions><Extension><Linear/><Impression>x</Impression></Extension></Extensions></InLine>`,
    ],
  ];
  for (const [name, version, inside, expected] of cases) {
    test(name, () => {
      const around = (content: string) =>
        `<VAST version="${version}">\r\n <Ad>${content}</Ad><!-- end --></VAST>`;
      assert.equal(injected(around(inside), two), around(expected));
    });
  }
});

describe('an ad has as many errors as its version allows', () => {
  const theirs = '<Error>https://dsp.example/e</Error>';
  const ad = (version: string, inside: string) =>
    `<VAST version="${version}"><Ad><InLine>${inside}</InLine></Ad></VAST>`;
  const cases: readonly [version: string, inside: string, errors: string[]][] = [
    ['2.0', '', ['ours']],
    ['2.0', theirs, ['theirs']],
    ['3.0', theirs, ['theirs']],
    ['', theirs, ['theirs']],
    ['4.0', theirs, ['theirs', 'ours']],
    ['4.2', theirs + theirs, ['theirs', 'theirs', 'ours']],
  ];
  for (const [version, inside, errors] of cases) {
    test(`${version} ${inside === '' ? 'without' : 'with'} one`, () => {
      const met = injected(ad(version, inside), { error: trackers.error }).matchAll(
        /<Error>.*?(dsp|our)\.example/g,
      );
      assert.deepEqual(
        [...met].map(([, host]) => (host === 'our' ? 'ours' : 'theirs')),
        errors,
      );
    });
  }
});

test('VAST 2.0 has no click trackers for non-linear ads', () => {
  const xml =
    '<VAST version="2.0"><Ad><InLine><Creatives><Creative><NonLinearAds><NonLinear/></NonLinearAds></Creative></Creatives></InLine></Ad></VAST>';
  assert.equal(injected(xml, { clickTracking: trackers.clickTracking }), xml);
});

test('trackers have the prefix of their ad', () => {
  const xml = '<v:VAST xmlns:v="u" version="3.0"><v:Ad><v:InLine><v:AdTitle/></v:InLine></v:Ad></v:VAST>';
  const ours = injected(xml, { impression: 'https://our.example/' });
  assert.match(
    ours,
    /<v:AdTitle\/><v:Impression><!\[CDATA\[https:\/\/our\.example\/\]\]><\/v:Impression><\/v:InLine>/,
  );
  assert.ok(!('fault' in readVast(ours)));
});

test('without trackers nothing changes', () => {
  const xml = '<VAST version="3.0"><Ad><InLine/></Ad><Ad><Wrapper><Creatives/></Wrapper></Ad></VAST>';
  assert.equal(injected(xml, {}), xml);
  assert.equal(injected(xml, { impression: '', error: undefined, quartiles: {} }), xml);
});

test('hostile trackers stay inside their element', () => {
  const hostile = 'https://our.example/?a="]]></Impression><Ad/>\u0000\ud800';
  const document = readVast(injected('<VAST><Ad><InLine/></Ad></VAST>', { impression: hostile }));
  assert.ok(!('fault' in document));
  const [ad] = document.ads;
  assert.equal(ad?.content.children[0]?.text, hostile.replace('\u0000\ud800', '\ufffd\ufffd'));
});

test("a click goes through the exchange where it is wanted, and keeps the ad's trackers", async () => {
  const ad = {
    adSystem: 'Bourse',
    title: 'Ad',
    durationSeconds: 15,
    clickThrough: 'https://brand.example/?a=1&b=2',
    clickTracking: ['https://brand.example/c'],
    media: [
      { url: 'https://cdn.example/a.mp4', type: 'video/mp4', delivery: 'progressive', width: 1, height: 1 },
    ],
  } as const;
  for (const version of ['3.0', '4.0'] as const) {
    const clickThrough = ['https://our.example/go?t=', '&v=2'];
    const given = { impression: 'https://our.example/i', clickThrough };
    const xml = injected(inLineVast(version, ad), given, 'token');
    assert.deepEqual(schemaFaults(xml, version), []);
    const [calls] = await played(xml);
    assert.deepEqual(calls?.destinations, ['https://our.example/go?t=token&v=2']);
    assert.deepEqual(calls.clicks, ['https://brand.example/c']);
  }
});

describe('our own documents stay valid', () => {
  const ad = { adSystem: 'Bourse', title: 'Ad', durationSeconds: 15, clickThrough: 'https://brand.example/' };
  const media = [
    {
      url: 'https://cdn.example/a.mp4',
      type: 'video/mp4',
      delivery: 'progressive',
      width: 1,
      height: 1,
    } as const,
  ];
  const build: Readonly<Record<string, (version: OwnVersion) => string>> = {
    InLine: (version) => inLineVast(version, { ...ad, media }),
    Wrapper: (version) => wrapperVast(version, 'https://dsp.example/'),
  };
  for (const [form, of] of Object.entries(build)) {
    for (const version of ['3.0', '4.0'] as const) {
      test(`${form} ${version}`, () => assert.deepEqual(schemaFaults(injected(of(version)), version), []));
    }
  }
});

/** An ad as strangers write it: any of its parts, in the order of either schema, in CDATA or not. */
const someUrl = fc.nat(99).map((number) => `https://dsp.example/?n=${number}&x=y`);
const text = fc.tuple(someUrl, fc.constantFrom('cdata', 'text', 'spaced')).map(([url, style]) => {
  if (style === 'text') return url.replace('&', '&amp;');
  return style === 'cdata' ? `<![CDATA[${url}]]>` : `\n  <![CDATA[${url}]]>\n `;
});
const some = (name: string, max = 2) =>
  fc.array(text, { maxLength: max }).map((urls) => urls.map((url) => `<${name}>${url}</${name}>`).join('\n'));
const starts = fc
  .option(fc.array(text, { maxLength: 2 }))
  .map((urls) =>
    urls === null
      ? ''
      : `<TrackingEvents>${urls.map((url) => `<Tracking event="start">${url}</Tracking>`).join('')}</TrackingEvents>`,
  );
const clicks = fc
  .option(fc.tuple(some('ClickThrough', 1), some('ClickTracking'), fc.boolean()))
  .map((parts) => {
    if (parts === null) return '';
    const [through, tracking, isNew] = parts;
    return `<VideoClicks>${isNew ? tracking + through : through + tracking}</VideoClicks>`;
  });
const media = '<MediaFiles><MediaFile type="video/mp4">https://cdn.example/a.mp4</MediaFile></MediaFiles>';
const creatives = fc.tuple(starts, clicks, fc.boolean()).map(([events, video, isNew]) => {
  const linear = isNew
    ? `${events}<Duration>00:00:15</Duration>${media}${video}`
    : `<Duration>00:00:15</Duration>${events}${video}${media}`;
  return `<Creatives><Creative><Linear>${linear}</Linear></Creative></Creatives>`;
});
const inLineAd = fc
  .tuple(some('Error'), some('Impression'), creatives, fc.boolean())
  .map(([errors, impressions, creative, isNew]) => {
    const head = '<AdSystem>x</AdSystem>';
    const middle = isNew
      ? `${errors}${impressions}<AdTitle>t</AdTitle>`
      : `<AdTitle>t</AdTitle>${errors}${impressions}`;
    return `<Ad><InLine>${head}${middle}${creative}</InLine></Ad>`;
  });
const version = fc.constantFrom('2.0', '3.0', '4.0', '4.2');
const inLineDocument = fc
  .tuple(version, inLineAd)
  .map(([number, ad]) => `<VAST version="${number}">\n${ad}\n</VAST>`);
const wrapperAd = fc
  .tuple(inLineDocument, some('Error'), some('Impression'), fc.option(fc.tuple(starts, clicks)))
  .map(([wrapped, errors, impressions, tracking]) => {
    const uri = `<VASTAdTagURI>${dataUrl(wrapped)}</VASTAdTagURI>`;
    const linear =
      tracking === null
        ? ''
        : `<Creatives><Creative><Linear>${tracking.join('')}</Linear></Creative></Creatives>`;
    return `<Ad><Wrapper><AdSystem>x</AdSystem>${uri}${errors}${impressions}${linear}</Wrapper></Ad>`;
  });
const someDocument = fc
  .tuple(version, fc.array(fc.oneof(inLineAd, wrapperAd), { minLength: 1, maxLength: 2 }))
  .map(([number, ads]) => `<?xml version="1.0"?>\n<VAST version="${number}">${ads.join('\n')}</VAST>`);

const sorted = (urls: readonly string[]) => urls.toSorted();

/** Our error, for each ad that has room for it: in VAST 2.0 and 3.0 an ad has one, and keeps its own. */
function ourErrors(xml: string): string[][] {
  const document = readVast(xml);
  assert.ok(!('fault' in document));
  const hasMany = Number(document.version) >= 4;
  return document.ads.map(({ content }) =>
    hasMany || content.children.every(({ key }) => key !== 'error') ? [trackers.error] : [],
  );
}

function withOurs(calls: Calls, errors: readonly string[] = []): Calls {
  return {
    errors: sorted([...calls.errors, ...errors]),
    impressions: sorted([...calls.impressions, trackers.impression]),
    clicks: sorted([...calls.clicks, trackers.clickTracking]),
    starts: sorted([...calls.starts, trackers.quartiles.start]),
    destinations: calls.destinations,
    media: calls.media,
  };
}

function inSorted({ errors, impressions, clicks: clicked, starts: started, ...others }: Calls): Calls {
  return {
    errors: sorted(errors),
    impressions: sorted(impressions),
    clicks: sorted(clicked),
    starts: sorted(started),
    ...others,
  };
}

/** Whether a text can be got from another by leaving characters out. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (part[at] === character) at += 1;
  return at === part.length;
}

test('a player calls all that it called before, and ours', async () => {
  await fc.assert(
    fc.asyncProperty(someDocument, async (xml) => {
      const ours = injected(xml);
      assert.ok(isWithin(xml, ours));
      const [before, after] = await Promise.all([played(xml), played(ours)]);
      assert.ok(before.length > 0);
      const errors = ourErrors(xml);
      const expected = before.map((calls, index) => withOurs(calls, errors[index]));
      assert.deepEqual(after.map(inSorted), expected);
    }),
    seeded(150),
  );
});
