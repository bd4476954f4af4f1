import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { asBidRequest, readBidRequest } from '../../../src/protocols/openrtb/read-bid-request.ts';
import { mediaOf } from '../../../src/protocols/openrtb/received-request.ts';
import { seeded } from '../../support/seed.ts';

const banner = { id: '1', banner: {} };
const request = { id: 'r', imp: [banner] };

describe('what is wrong is told by its place', () => {
  const cases: readonly (readonly [name: string, value: unknown, path: string, wanted: RegExp])[] = [
    ['no object', [], '', /object/],
    ['no ID', { imp: [banner] }, 'id', /string/],
    ['an empty ID', { ...request, id: '' }, 'id', /not empty/],
    ['an ID that is null', { ...request, id: null }, 'id', /string/],
    ['an ID that is a number', { ...request, id: 5 }, 'id', /string/],
    ['no impressions', { id: 'r' }, 'imp', /array/],
    ['101 impressions', { id: 'r', imp: Array.from({ length: 101 }, (_, id) => ({ ...banner, id: `${id}` })) }, 'imp', /100/],
    ['an impression without ID', { id: 'r', imp: [{ banner: {} }] }, 'imp[0].id', /string/],
    ['the same ID twice', { id: 'r', imp: [banner, banner] }, 'imp[1].id', /ID of its own/],
    ['no medium', { id: 'r', imp: [{ id: '1', ext: { type: 'rich' } }] }, 'imp[0]', /banner/],
    ['a banner that is true', { id: 'r', imp: [{ id: '1', banner: true }] }, 'imp[0].banner', /object/],
    ['half a pixel', { id: 'r', imp: [{ id: '1', banner: { w: 0.5 } }] }, 'imp[0].banner.w', /integer/],
    ['a format of text', { id: 'r', imp: [{ id: '1', banner: { format: [{}, { w: '1' }] } }] }, 'imp[0].banner.format[1].w', /integer/],
    ['native without a request', { id: 'r', imp: [{ id: '1', native: {} }] }, 'imp[0].native.request', /string/],
    ['a MIME type that is 1', { id: 'r', imp: [{ id: '1', video: { mimes: [1] } }] }, 'imp[0].video.mimes[0]', /string/],
    ['a floor beyond all bids', { id: 'r', imp: [{ ...banner, bidfloor: 1e9 }] }, 'imp[0].bidfloor', /number/],
    ['a site and an app', { ...request, site: {}, app: {} }, 'app', /not both/],
    ['a domain that is a list', { ...request, site: { domain: [] } }, 'site.domain', /string/],
    ['a negative tmax', { ...request, tmax: -1 }, 'tmax', /integer/],
    ['GDPR as a boolean', { ...request, regs: { ext: { gdpr: true } } }, 'regs.ext.gdpr', /0 or 1/],
  ]; // biome-ignore format: a table
  for (const [name, value, path, wanted] of cases) {
    test(name, () => {
      const read = asBidRequest(value);
      assert.ok('fault' in read);
      assert.equal(read.fault.path, path);
      assert.match(read.fault.wanted, wanted);
    });
  }
});

describe('what it does not read, and null, are nobody’s business', () => {
  const cases: readonly (readonly [name: string, value: object])[] = [
    ['the least that is one', request],
    [
      'null all over',
      { ...request, site: null, tmax: null, imp: [{ ...banner, bidfloor: null, video: null }] },
    ],
    ['a member called fault', { ...request, fault: 'none', request: 1 }],
    ['a strange yob', { ...request, user: { yob: '1984', data: 'x' } }],
    ['a context as text', { ...request, site: { content: { context: 'game' } } }],
    ['a chain that is none', { ...request, source: { schain: 'x' } }],
  ];
  for (const [name, value] of cases) {
    test(name, () => assert.deepEqual(asBidRequest(value), { request: value }));
  }
});

test('the media of an impression', () => {
  const cases: readonly (readonly [object, readonly string[]])[] = [
    [{ banner: {}, video: {} }, ['video', 'banner']],
    [{ audio: {}, native: { request: '{}' } }, ['native', 'audio']],
    [{ instl: 1 }, ['pop']],
    [{ instl: 1, banner: {} }, ['banner']],
    [{ ext: { type: 'popunder' } }, ['pop']],
    [{ ext: { pop: 1 } }, ['pop']],
    [{ ext: { type: 7 } }, []],
  ];
  for (const [imp, media] of cases) assert.deepEqual(mediaOf({ id: '1', ...imp }), media);
});

test('nesting has a bound, and strings do not count', () => {
  const nested = (levels: number) =>
    Buffer.from(`{"id":"r","imp":[{"id":"1","banner":{}}],"ext":${'['.repeat(levels)}${']'.repeat(levels)}}`);
  assert.ok('request' in readBidRequest(nested(39)));
  assert.ok('fault' in readBidRequest(nested(40)));
  assert.ok('fault' in readBidRequest(nested(200_000)));
  const text = { ...request, ext: `${'\\"['.repeat(100)}\\` };
  assert.deepEqual(readBidRequest(Buffer.from(JSON.stringify(text))), { request: text });
});

test('any bytes and any JSON are read without throwing', () => {
  const answers = (body: Buffer) => 'request' in readBidRequest(body) || 'fault' in readBidRequest(body);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500, size: 'max' }), (bytes) => answers(Buffer.from(bytes))),
    seeded(500),
  );
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, cut) => answers(Buffer.from(text).subarray(0, cut))),
    seeded(500),
  );
});
