import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { mediaOf } from '../../../src/protocols/openrtb/imp-media.ts';
import {
  anyObject,
  FormFault,
  type MemberType,
  type ObjectKind,
} from '../../../src/protocols/openrtb/member-types.ts';
import { imp as impKind } from '../../../src/protocols/openrtb/objects/imp.ts';
import { bidRequest } from '../../../src/protocols/openrtb/objects/request.ts';
import { asBidRequest, readBidRequest } from '../../../src/protocols/openrtb/read-bid-request.ts';
import { seeded } from '../../support/seed.ts';

type ReadType = Pick<MemberType<unknown>, 'form' | 'isList' | 'object'>;

const banner = { id: '1', banner: {} };
const request = { id: 'r', imp: [banner] };

/** What JSON has of a value: no members that are undefined. */
const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

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
    ['no medium', { id: 'r', imp: [{ id: '1', ext: { type: 'rich' } }] }, 'imp[0]', /banner/],
    ['a banner that is true', { id: 'r', imp: [{ id: '1', banner: true }] }, 'imp[0].banner', /object/],
    ['half a pixel', { id: 'r', imp: [{ id: '1', banner: { w: 0.5 } }] }, 'imp[0].banner.w', /integer/],
    ['a format of text', { id: 'r', imp: [{ id: '1', banner: { format: [{}, { w: '1' }] } }] }, 'imp[0].banner.format[1].w', /integer/],
    ['native without a request', { id: 'r', imp: [{ id: '1', native: {} }] }, 'imp[0].native.request', /string/],
    ['a MIME type that is 1', { id: 'r', imp: [{ id: '1', video: { mimes: [1] } }] }, 'imp[0].video.mimes[0]', /string/],
    ['a floor beyond all bids', { id: 'r', imp: [{ ...banner, bidfloor: 1e9 }] }, 'imp[0].bidfloor', /number/],
    ['a site and an app', { ...request, site: {}, app: {} }, 'app', /one of site, app and dooh/],
    ['an app and a screen', { ...request, app: {}, dooh: {} }, 'dooh', /one of site, app and dooh/],
    ['no multiplier', { id: 'r', imp: [{ ...banner, qty: {} }] }, 'imp[0].qty.multiplier', /above 0/],
    ['a multiplier of 0', { id: 'r', imp: [{ ...banner, qty: { multiplier: 0 } }] }, 'imp[0].qty.multiplier', /above 0/],
    ['a multiplier beyond 10,000', { id: 'r', imp: [{ ...banner, qty: { multiplier: 10_000.5 } }] }, 'imp[0].qty.multiplier', /10000/],
    ['a signal of privacy in the ext of 2.5', { ...request, user: { ext: { consent: 1 } } }, 'user.ext.consent', /string/],
    ['all impressions, the first of them first', { id: 'r', imp: [{ id: '1' }, { id: 2 }] }, 'imp[0]', /banner/],
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
  const cases: readonly (readonly [name: string, value: object, kept: object])[] = [
    ['the least that is one', request, request],
    [
      'null all over',
      { ...request, site: null, tmax: null, imp: [{ ...banner, bidfloor: null, video: null }] },
      request,
    ],
    ['a member called fault', { ...request, fault: 'none', request: 1 }, request],
    ['an own __proto__', JSON.parse(JSON.stringify(request).replace('{', '{"__proto__":{"at":1},')), request],
    ['a strange yob', { ...request, user: { id: 'u', yob: '1984', data: 'x' } }, { ...request, user: { id: 'u' } }],
    ['a context as text', { ...request, site: { content: { context: 'game' } } }, { ...request, site: { content: {} } }],
    ['a chain that is none', { ...request, source: { tid: 't', schain: 'x' } }, { ...request, source: { tid: 't' } }],
    ['coordinates of no place', { ...request, device: { geo: { lat: 321.5, lon: 7 } } }, { ...request, device: { geo: { lon: 7 } } }],
    ['the places of 2.5', { ...request, regs: { ext: { gdpr: 1, dsa: { x: 1 }, y: 1 } } }, { ...request, regs: { ext: { dsa: { x: 1 } }, gdpr: 1 } }],
    ['2.6 before 2.5', { ...request, user: { consent: 'a', ext: { consent: 'b' } } }, { ...request, user: { consent: 'a' } }],
  ]; // biome-ignore format: a table
  for (const [name, value, kept] of cases) {
    test(name, () => {
      const before = structuredClone(value);
      assert.deepEqual(asSent(asBidRequest(value)), { request: kept, dropped: [], unfilled: [] });
      assert.deepEqual(value, before);
    });
  }
});

describe('an impression that is wrong is left out by name', () => {
  const good = { id: 'g', banner: {} };
  const cases: readonly (readonly [name: string, bad: unknown, id: string, path: string])[] = [
    ['a width that is text', { id: 'b', banner: { w: '1' } }, 'b', 'imp[1].banner.w'],
    ['no medium', { id: 'b' }, 'b', 'imp[1]'],
    ['no object', 7, '', 'imp[1]'],
    ['null', null, '', 'imp[1]'],
    ['an ID that is a number', { id: 7, banner: {} }, '', 'imp[1].id'],
    ['an endless ID', { id: 'x'.repeat(5000), banner: 1 }, 'x'.repeat(256), 'imp[1].banner'],
    ['the ID of another', { id: 'g', video: {} }, 'g', 'imp[1].id'],
    ['a multiplier of nothing', { id: 'b', banner: {}, qty: { multiplier: -1 } }, 'b', 'imp[1].qty.multiplier'],
  ]; // biome-ignore format: a table
  for (const [name, bad, id, path] of cases) {
    test(name, () => {
      const read = asBidRequest({ id: 'r', imp: [good, bad, { ...good, id: 'h' }] });
      assert.ok('request' in read);
      assert.deepEqual(
        read.request.imp.map((imp) => imp.id),
        ['g', 'h'],
      );
      assert.deepEqual(
        read.dropped.map((dropped) => [dropped.index, dropped.id, dropped.fault.path]),
        [[1, id, path]],
      );
    });
  }
});

test('the media of an impression', () => {
  const cases: readonly (readonly [object, readonly string[]])[] = [
    [{ banner: {}, video: {} }, ['video', 'banner']],
    [{ audio: { mimes: ['audio/mpeg'] }, native: { request: '{}' } }, ['native', 'audio']],
    [{ audio: {}, native: { request: '{}' } }, ['native']],
    [{ instl: 1 }, ['pop']],
    [{ instl: 1, banner: {} }, ['banner']],
    [{ ext: { type: 'popunder' } }, ['pop']],
    [{ ext: { pop: 1 } }, ['pop']],
    [{ ext: { type: 7 } }, []],
  ];
  for (const [imp, media] of cases) {
    const read = impKind.read({ id: '1', ...imp });
    assert.ok(!(read instanceof FormFault));
    assert.deepEqual(mediaOf(read), media);
  }
});

test('nesting has a bound, and strings do not count', () => {
  const nested = (levels: number) =>
    Buffer.from(`{"id":"r","imp":[{"id":"1","banner":{}}],"ext":${'['.repeat(levels)}${']'.repeat(levels)}}`);
  assert.ok('request' in readBidRequest(nested(39)));
  assert.ok('fault' in readBidRequest(nested(40)));
  assert.ok('fault' in readBidRequest(nested(200_000)));
  const text = { ...request, ext: `${'\\"['.repeat(100)}\\` };
  assert.deepEqual(asSent(readBidRequest(Buffer.from(JSON.stringify(text)))), {
    request,
    dropped: [],
    unfilled: [],
  });
});

/** Values of a type of the tables, now and then of another. */
function valuesOf({ form, isList, object }: ReadType, depth: number): fc.Arbitrary<unknown> {
  const simple = { string: macros, integer: numbers, float: numbers, object: fc.constant({ x: 1 }) };
  const one: fc.Arbitrary<unknown> = object && depth < 5 ? objectsOf(object, depth + 1) : simple[form];
  const right: fc.Arbitrary<unknown> = isList ? fc.array(one, { maxLength: 3 }) : one;
  return fc.oneof(
    { weight: 20, arbitrary: right },
    { weight: 1, arbitrary: fc.oneof(macros, numbers, fc.jsonValue()) },
  );
}

const macros = fc.constantFrom('[MACRO]', '%%DEVICE%%', '-1', '0', 'unknown', 'DE', 'news.example', '');
const numbers = fc.constantFrom(0, 1, 2, 0.5, -1, -2, 1e21, '3');

function objectsOf({ rows, older }: ObjectKind, depth = 0): fc.Arbitrary<Record<string, unknown>> {
  const values = (names: readonly string[]) =>
    names.map((name) => [name, valuesOf(rows[name]?.[0] ?? anyObject, depth)] as const);
  const ext =
    older.length > 0 ? { ext: fc.record(Object.fromEntries(values(older)), { requiredKeys: [] }) } : {};
  const names = Object.keys(rows);
  return fc
    .subarray(names, { maxLength: Math.min(6, names.length) })
    .chain((some) => fc.record({ ...Object.fromEntries(values(some)), ...ext }, { noNullPrototype: true }));
}

const requests = fc
  .tuple(objectsOf(bidRequest), fc.array(objectsOf(impKind), { minLength: 1, maxLength: 3 }))
  .map(([some, imps]) => ({
    ...some,
    id: 'r',
    imp: imps.map((imp, index) => ({ banner: {}, ...imp, id: `${index}` })),
  }));

/** Where it stands, without indices: `imp.banner.w`. */
const rowAt = (path: string) =>
  path
    .replace(/\[\d+\]/g, '')
    .replace(/\bext\./g, '')
    .split('.')
    .reduce<ReadType | undefined>(
      (type, name) => (name === '' ? type : type?.object?.rows[name]?.[0]),
      bidRequest,
    );

test('what the tables allow is read, the same when read again, and faults name a row of theirs', () => {
  fc.assert(
    fc.property(requests, (value) => {
      const before = JSON.stringify(value);
      const read = asBidRequest(value);
      assert.equal(JSON.stringify(value), before);
      const faults = 'fault' in read ? [read.fault] : read.dropped.map(({ fault }) => fault);
      for (const { path } of faults) assert.ok(rowAt(path), path);
      if ('fault' in read) return;
      for (const path of read.unfilled) assert.ok(rowAt(path), path);
      assert.deepEqual(asSent(asBidRequest(asSent(read.request))), {
        request: asSent(read.request),
        dropped: [],
        unfilled: [],
      });
    }),
    seeded(3000),
  );
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
