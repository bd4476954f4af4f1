import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { OutboundRequest } from '../../../src/exchange/demand/demand-kind.ts';
import { dspVastTag } from '../../../src/exchange/demand/dsp-vast-tag/dsp-vast-tag.ts';
import type { Opportunity } from '../../../src/exchange/opportunity.ts';
import { hostileText } from '../../protocols/vast/hostile-text.ts';
import { seeded } from '../../support/seed.ts';
import { demandOf, opportunity, solicitationOf } from './examples.ts';

const everyMacro =
  'https://dsp.example/ad?w={width}&h={height}&cb={cb}&ua={ua}&ip={ip}&an={app_name}&ab={app_bundle}&dm={device_model}&dk={device_make}&as={app_store_url}&c={country}&lat={lat}&lon={lon}&x={other}';

function requestFor(settings: object, given: Partial<Opportunity> = {}, region = 'us-east'): OutboundRequest {
  const solicitation = solicitationOf({ opportunity: { ...opportunity, ...given }, region });
  const request = dspVastTag.build(demandOf('DspVastTag', { ...settings }), solicitation);
  assert.ok(request !== undefined && !('reason' in request));
  return request;
}

const known: Partial<Opportunity> = {
  width: 640,
  height: 360,
  userAgent: 'Player/1.0 (a&b=c; #)\r\nX-Evil: 1 \ud800é',
  ip: { text: '2001:db8::1', version: 6, bytes: new Uint8Array(16) },
  country: 'DE',
  latitude: 0,
  longitude: -12.5,
  device: { ...opportunity.device, make: 'Make & Co', model: 'M/1', language: 'de-DE' },
  inventory: {
    ...opportunity.inventory,
    appName: 'My App',
    appBundle: 'com.example.app',
    appStoreUrl: 'https://store.example/?id=1',
  },
};

describe('macros', () => {
  test('are filled, encoded', () => {
    const { method, url } = requestFor({ ZoneUrlUsEast: everyMacro }, known);
    assert.equal(method, 'GET');
    assert.equal(
      url,
      'https://dsp.example/ad?w=640&h=360&cb=auction-1&ua=Player%2F1.0%20(a%26b%3Dc%3B%20%23)%0D%0AX-Evil%3A%201%20%EF%BF%BD%C3%A9&ip=2001%3Adb8%3A%3A1&an=My%20App&ab=com.example.app&dm=M%2F1&dk=Make%20%26%20Co&as=https%3A%2F%2Fstore.example%2F%3Fid%3D1&c=DE&lat=0&lon=-12.5&x={other}',
    );
  });

  test('are empty where a value is not known', () => {
    assert.equal(
      requestFor({ ZoneUrlUsEast: everyMacro }).url,
      'https://dsp.example/ad?w=&h=&cb=auction-1&ua=&ip=&an=&ab=&dm=&dk=&as=&c=&lat=&lon=&x={other}',
    );
  });

  test('whatever their values, the query has the same members and headers are clean', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (userAgent, appName) => {
        const inventory = { ...opportunity.inventory, appName, pageUrl: appName };
        const { url, headers } = requestFor(
          { ZoneUrlUsEast: everyMacro },
          { ...known, userAgent, inventory },
        );
        const query = new URL(url).searchParams;
        assert.equal(query.get('ua'), userAgent.toWellFormed());
        assert.equal(query.get('an'), appName.toWellFormed());
        assert.equal(Array.from(query.keys()).join(), 'w,h,cb,ua,ip,an,ab,dm,dk,as,c,lat,lon,x');
        new Headers(headers);
        for (const value of Object.values(headers))
          assert.match(value, /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);
      }),
      seeded(200),
    );
  });
});

test('headers tell of the device', () => {
  assert.deepEqual(requestFor({ ZoneUrlUsEast: everyMacro }, known).headers, {
    accept: 'application/xml, text/xml, */*;q=0.1',
    'x-device-user-agent': 'Player/1.0 (a&b=c; #)X-Evil: 1',
    'x-device-ip': '2001:db8::1',
    'x-forwarded-for': '2001:db8::1',
    'x-device-accept-language': 'de-DE',
    'x-device-referer': 'https://site.example/page',
  });
});

describe('the URL is that of the region', () => {
  const urls = {
    ZoneUrlUsEast: 'https://us.example/',
    ZoneUrlEu: 'https://eu.example/',
    ZoneUrlApac: 'https://ap.example/',
  };
  const cases: readonly [region: string, settings: object, url: string][] = [
    ['us-east', urls, 'https://us.example/'],
    ['eu', urls, 'https://eu.example/'],
    ['apac', urls, 'https://ap.example/'],
    ['elsewhere', urls, 'https://us.example/'],
    ['eu', { ...urls, ZoneUrlEu: '' }, 'https://us.example/'],
    [
      'us-east',
      { ZoneUrlUsEast: '', ZoneUrlEu: '', ZoneUrlApac: 'https://ap.example/' },
      'https://ap.example/',
    ],
  ];
  for (const [region, settings, url] of cases) {
    test(`${region} of ${JSON.stringify(settings)}`, () =>
      assert.equal(requestFor(settings, {}, region).url, url));
  }

  test('none', () => {
    const refusal = dspVastTag.build(demandOf('DspVastTag', { ZoneUrlUsEast: '' }), solicitationOf());
    assert.partialDeepStrictEqual(refusal, { reason: 'not_callable', field: 'ZoneUrl' });
  });
});

const vast = (inside: string) => `<VAST version="3.0"><Ad><InLine>${inside}</InLine></Ad></VAST>`;
const pricing = (value: string, model = 'CPM', currency = 'USD') =>
  vast(`<Pricing model="${model}" currency="${currency}">${value}</Pricing>`);

describe('an answer is a bid or a named refusal', () => {
  const cases: readonly (readonly [
    name: string,
    fixed: number,
    status: number,
    body: string,
    expected: object,
  ])[] = [
    ['a fixed price', 1.25, 200, vast(''), { priceCpmMicros: 1_250_000 }],
    ['a fixed price comes before one that is told', 1.25, 200, pricing('9'), { priceCpmMicros: 1_250_000 }],
    ['a price that is told', 0, 200, pricing('2.5'), { priceCpmMicros: 2_500_000 }],
    ['in lower case, with space', 0, 200, pricing('\n .75 ', ' cpm', 'usd '), { priceCpmMicros: 750_000 }],
    [
      'of the second ad',
      0,
      200,
      pricing('2').replace('<Ad>', '<Ad><InLine/></Ad><Ad>'),
      { priceCpmMicros: 2_000_000 },
    ],
    ['of a wrapper', 0, 200, pricing('2').replaceAll('InLine', 'Wrapper'), { priceCpmMicros: 2_000_000 }],
    ['no price', 0, 200, vast(''), { reason: 'invalid_price', field: 'FixedCpm' }],
    ['cost per click', 0, 200, pricing('2', 'CPC'), { reason: 'invalid_price', met: 'CPC' }],
    [
      'euros',
      0,
      200,
      pricing('2', 'CPM', 'EUR'),
      { reason: 'currency_not_accepted', wanted: 'USD, or a currency with a current rate', met: 'EUR' },
    ],
    ['no currency', 0, 200, pricing('2', 'CPM', ''), { reason: 'currency_not_accepted', met: '' }],
    ...[
      '-1',
      '0',
      '0.0000001',
      'NaN',
      'Infinity',
      '1e308',
      '1e2',
      '0x10',
      '1,5',
      '',
      '1000000.1',
      '9'.repeat(400),
    ].map(
      (value) =>
        [
          `the price ${value.slice(0, 12)}`,
          0,
          200,
          pricing(value),
          { reason: 'invalid_price', met: value.slice(0, 100) },
        ] as const,
    ),
    ['no content', 1, 204, '', { reason: 'no_bid', met: 204 }],
    ['an ad with another status', 1, 201, vast(''), { reason: 'invalid_response', met: 201 }],
    ['a redirect', 1, 302, '', { reason: 'invalid_response', met: 302 }],
    ['a failure', 1, 500, vast(''), { reason: 'invalid_response', met: 500 }],
    ['nothing', 1, 200, '', { reason: 'no_bid', met: 'empty' }],
    ['no ad', 1, 200, '<VAST version="3.0"/>', { reason: 'no_bid', wanted: '<Ad>' }],
    ['HTML', 1, 200, '<html><br></html>', { reason: 'invalid_response', met: 'malformed' }],
    ['entities', 1, 200, `<!DOCTYPE a>${vast('')}`, { reason: 'invalid_response', met: 'doctype' }],
    ['too much', 1, 200, vast(' '.repeat(300_000)), { reason: 'invalid_response', met: 'too_long' }],
  ];
  for (const [name, FixedCpm, status, body, expected] of cases) {
    test(name, () => {
      const demand = demandOf('DspVastTag', { FixedCpm });
      const answer = dspVastTag.read(demand, solicitationOf(), { status, headers: {}, body });
      assert.partialDeepStrictEqual(answer, expected);
    });
  }
});

test('a bid says what its settings says', () => {
  const body = vast(
    '<Advertiser>brand.example</Advertiser><Category authority="x">IAB1</Category><Creatives><Creative id="c1"/></Creatives>',
  );
  const bid = dspVastTag.read(demandOf('DspVastTag', { FixedCpm: 1 }), solicitationOf(), {
    status: 200,
    headers: {},
    body: `\ufeff${body}\n`,
  });
  assert.partialDeepStrictEqual(bid, {
    id: 'auction-1',
    media: 'video',
    markup: body,
    adDomains: ['brand.example'],
    categories: ['IAB1'],
    creativeId: 'c1',
  });
});

test('only videos are asked for', () => {
  const solicitation = solicitationOf({ opportunity: { ...opportunity, media: 'banner' } });
  const refusal = dspVastTag.read(demandOf('DspVastTag', { FixedCpm: 1 }), solicitation, undefined);
  assert.partialDeepStrictEqual(refusal, { reason: 'media_not_enabled', met: 'banner' });
});
