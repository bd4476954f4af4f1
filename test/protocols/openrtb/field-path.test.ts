import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readPathValue, withValueAt } from '../../../src/protocols/openrtb/field-path.ts';

const request = {
  id: 'a1',
  imp: [
    { id: '1', tagid: '3', video: { mimes: ['video/mp4'], protocols: [2, 3] } },
    { id: '2', tagid: '3', banner: { w: 300 } },
  ],
  site: { domain: 'site.example', publisher: { id: 'p' } },
  device: { ua: 'x' },
  bcat: ['IAB1', 'IAB2'],
  at: 1,
};

function set(path: string, text: string): unknown {
  const value = readPathValue(path, text);
  return value === undefined ? request : withValueAt(request, value);
}

const [video, banner] = request.imp;

const changes: readonly (readonly [path: string, text: string, changed: object])[] = [
  [
    'imp.tagid',
    'home',
    {
      imp: [
        { ...video, tagid: 'home' },
        { ...banner, tagid: 'home' },
      ],
    },
  ],
  ['imp.0.tagid', 'home', { imp: [{ ...video, tagid: 'home' }, banner] }],
  ['imp.1.tagid', '7', { imp: [video, { ...banner, tagid: '7' }] }],
  [
    'imp.bidfloor',
    '1.25',
    {
      imp: [
        { ...video, bidfloor: 1.25 },
        { ...banner, bidfloor: 1.25 },
      ],
    },
  ],
  ['imp.video.skip', '1', { imp: [{ ...video, video: { ...video?.video, skip: 1 } }, banner] }],
  [
    'imp.video.protocols',
    '2, 7',
    { imp: [{ ...video, video: { ...video?.video, protocols: [2, 7] } }, banner] },
  ],
  [
    'imp.video.protocols.1',
    '7',
    { imp: [{ ...video, video: { ...video?.video, protocols: [2, 7] } }, banner] },
  ],
  ['at', '2', { at: 2 }],
  ['test', '1', { test: 1 }],
  ['bcat', 'IAB7,IAB8-1', { bcat: ['IAB7', 'IAB8-1'] }],
  ['bcat.1', 'IAB9', { bcat: ['IAB1', 'IAB9'] }],
  ['regs.coppa', '1', { regs: { coppa: 1 } }],
  ['regs.ext.gdpr', '1', { regs: { ext: { gdpr: '1' } } }],
  ['device.geo.lat', '-51.5', { device: { ua: 'x', geo: { lat: -51.5 } } }],
  ['device.dnt', '1', { device: { ua: 'x', dnt: 1 } }],
  ['site.publisher.id', '77', { site: { ...request.site, publisher: { id: '77' } } }],
  ['site.content.series', 'S', { site: { ...request.site, content: { series: 'S' } } }],
  ['user.id', '5', { user: { id: '5' } }],
  ['ext.partner', 'p1', { ext: { partner: 'p1' } }],
  ['ext.a.b.c', '1', { ext: { a: { b: { c: '1' } } } }],
  ['ext', '{"a":1}', { ext: { a: 1 } }],
  ['user.eids', '[{"source":"x"}]', { user: { eids: [{ source: 'x' }] } }],
];

const unchanged: readonly (readonly [path: string, text: string])[] = [
  ['id', 'x'],
  ['imp.id', 'x'],
  ['imp.0.id', 'x'],
  ['imp', '[]'],
  ['at', 'two'],
  ['at', '1.5'],
  ['at', ''],
  ['imp.bidfloor', '1e308'],
  ['imp.bidfloor', 'NaN'],
  ['imp.bidfloor', 'Infinity'],
  ['imp.video.protocols', '2,x'],
  ['user.eids', '{"source":"x"}'],
  ['user.eids', '[1]'],
  ['user.eids', '[{'],
  ['ext', 'x'],
  ['app.ver', '2'],
  ['imp.audio.startdelay', '1'],
  ['imp.9.tagid', 'x'],
  ['bcat.5', 'x'],
  ['badv.0', 'x'],
  ['user.data.name', 'x'],
  ['device.ua.x', 'y'],
  ['source.schain.ver', '1.0'],
  ['__proto__.polluted', '1'],
  ['ext.__proto__.polluted', '1'],
  ['constructor.prototype.polluted', '1'],
  ['imp.constructor', 'x'],
];

describe('a value by its path', () => {
  for (const [path, text, changed] of changes) {
    test(`${path} = ${text}`, () => assert.deepEqual(set(path, text), { ...request, ...changed }));
  }

  for (const [path, text] of unchanged) {
    test(`${path} = ${text} changes nothing`, () => {
      assert.deepEqual(set(path, text), request);
      assert.equal(({} as Record<string, unknown>).polluted, undefined);
    });
  }

  test('leaves the request as it was, and shares what it does not touch', () => {
    const before = structuredClone(request);
    const after = set('imp.0.tagid', 'x') as typeof request;
    assert.deepEqual(request, before);
    assert.equal(after.site, request.site);
    assert.equal(after.imp[1], request.imp[1]);
  });
});
