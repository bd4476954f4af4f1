import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Solicitation } from '../../../../src/exchange/demand/demand-kind.ts';
import { dspRtbEp } from '../../../../src/exchange/demand/dsp-rtb-ep/dsp-rtb-ep.ts';
import type { IpAddress, Opportunity } from '../../../../src/exchange/opportunity.ts';
import type { Demand } from '../../../../src/exchange/snapshot/demand.ts';
import type { Supply } from '../../../../src/exchange/snapshot/supply.ts';
import { countries } from '../../../../src/reference/countries.ts';
import { faultsOfRequest } from '../../../protocols/openrtb/bid-request-schema.ts';
import { seeded } from '../../../support/seed.ts';
import { contentOf, demandWith, solicitationWith, supplyWith } from './solicitations.ts';

const text = fc.constantFrom('', 'a', '1', 'site.example', 'ä"\\]]>\r\n', '__proto__', '\u0000', '\uD800');
const flag = fc.constantFrom(0, 1);
const bit = fc.constantFrom(0, 1, undefined) as fc.Arbitrary<0 | 1 | undefined>;
const count = fc.integer({ min: 0, max: 2_147_483_647 });
const texts = fc.array(text, { maxLength: 3 });
const software = fc.record({ family: text, major: text, minor: text });

const ip: fc.Arbitrary<IpAddress | undefined> = fc.constantFrom(
  undefined,
  { text: '192.0.2.1', version: 4, bytes: new Uint8Array(4) },
  { text: '2001:db8::1', version: 6, bytes: new Uint8Array(16) },
);

const video = fc.record({
  linearity: fc.integer({ min: 0, max: 2 }),
  placement: fc.integer({ min: 0, max: 5 }),
  pos: fc.integer({ min: 0, max: 17 }),
  minduration: count,
  maxduration: count,
  startdelay: fc.integer({ min: -2, max: 600 }),
  mimes: texts,
});

const supplyChain = fc.record({
  complete: fc.constantFrom(0 as const, 1 as const),
  nodes: fc.array(fc.record({ asi: text, sid: text, hp: fc.constantFrom(0 as const, 1 as const) }), {
    minLength: 1,
    maxLength: 5,
  }),
});

const opportunity: fc.Arbitrary<Partial<Opportunity>> = fc.record({
  auctionId: fc.uuid(),
  media: fc.constantFrom('video', 'banner', 'audio', 'native', 'pop'),
  inventory: fc.record({
    environment: fc.constantFrom('web', 'app', ''),
    domain: text,
    pageUrl: text,
    appBundle: text,
    appName: text,
    appStoreUrl: text,
    partnerDomain: text,
    categories: texts,
    keywords: text,
  }),
  device: fc.record({
    os: software,
    browser: software,
    types: fc.subarray([1, 2, 3, 4, 5, 6, 7, 8]),
    make: text,
    model: text,
    language: fc.oneof(text, fc.constantFrom('en', 'de-CH', 'zh_Hans', 'gsw')),
    ifa: text,
  }),
  userAgent: text,
  ip,
  country: fc.constantFrom('', 'xx', ...countries.map(({ CC }) => CC)),
  region: text,
  latitude: fc.option(fc.double({ min: -90, max: 90, noNaN: true }), { nil: undefined }),
  longitude: fc.option(fc.double({ min: -180, max: 180, noNaN: true }), { nil: undefined }),
  width: count,
  height: count,
  video: fc.option(video, { nil: undefined }),
  userId: text,
  query: text,
  floorCpmMicros: fc.integer({ min: 0, max: 1e12 }),
  isSecure: fc.boolean(),
  supplyChain: fc.option(supplyChain, { nil: undefined }),
  sellerId: text,
  privacy: fc.record({
    coppa: bit,
    gdpr: bit,
    consent: text,
    limitAdTracking: bit,
    usPrivacy: text,
    gpp: text,
    gppSid: fc.array(count, { maxLength: 3 }),
    hasGpc: fc.boolean(),
  }),
});

const supplyDocument = fc.record({
  Version: flag,
  DspBidfloorMargin: fc.double({ min: 0, max: 1_000, noNaN: true }),
  DisplayManager: text,
  Mimes: texts,
  AdPosition: fc.integer({ min: 0, max: 17 }),
  Linearity: fc.integer({ min: 0, max: 2 }),
  Placement: fc.integer({ min: 0, max: 5 }),
  SetSchainComplete: flag,
  AddSchainNode: flag,
  DiscardSchain: flag,
  SendOriginalSite: flag,
  AdDomainsBrandsBlacklist: text,
  AdAppsBlacklist: text,
  BlockedAdIabCategories: texts,
  BlockedAdAttributes: fc.array(count, { maxLength: 3 }),
});

const supply: fc.Arbitrary<Supply> = fc
  .tuple(
    supplyDocument,
    fc.record({
      kind: fc.constantFrom('VastTag', 'RtbEp', 'PopFeed', 'BannerEp'),
      auctionType: fc.constantFrom(1, 2),
    }),
  )
  .map(([document, members]) => supplyWith(document, members as Partial<Supply>));

const path = fc.constantFrom(
  'imp.tagid',
  'imp.instl',
  'imp.video.skip',
  'imp.video.protocols',
  'imp.banner.w',
  'imp.bidfloor',
  'bcat',
  'at',
  'regs.coppa',
  'device.geo.lat',
  'device.geo.city',
  'site.name',
  'app.ver',
  'site.content.genre',
  'user.yob',
  'source.schain.complete',
  'source.schain.nodes.0.hp',
  'ext.a.b',
  'imp.0.ext.gpid',
  'imp.7.tagid',
  '__proto__.x',
  'constructor.prototype.x',
);
const value = fc.constantFrom(
  '',
  '0',
  '1',
  '2,3',
  'IAB1,IAB2',
  'x',
  '-1.5',
  '1e308',
  'NaN',
  '{}',
  '[]',
  'null',
);

const demand: fc.Arbitrary<Demand> = fc
  .record({
    ExpiryWindow: fc.integer({ min: 0, max: 10_000 }),
    AddSchainNode: flag,
    DiscardSchain: flag,
    Gzip: flag,
    AuctionType: fc.constantFrom(0, 1, 2),
    CustomParams: fc.dictionary(path, value, { maxKeys: 4 }),
  })
  .map(demandWith);

const solicitation: fc.Arbitrary<Solicitation> = fc
  .tuple(opportunity, supply, fc.double({ min: 0.001, max: 10_000, noNaN: true }))
  .map(([chance, supplied, timeLeftMs]) => solicitationWith(chance, { supply: supplied, timeLeftMs }));

test('every request that is built is valid by the schema made from the tables of OpenRTB 2.6', () => {
  fc.assert(
    fc.property(solicitation, fc.array(demand, { minLength: 1, maxLength: 3 }), (auction, endpoints) => {
      for (const endpoint of endpoints) {
        const built = dspRtbEp.build(endpoint, auction);
        assert.ok(built !== undefined && 'body' in built);
        const request = JSON.parse(contentOf(built));
        assert.deepEqual(faultsOfRequest(request), []);
        assert.equal(request.id, auction.opportunity.auctionId);
        assert.equal(request.imp.length, 1);
        assert.equal(request.imp[0].id, '1');
        assert.notEqual('site' in request, 'app' in request);
      }
    }),
    seeded(400),
  );
});
