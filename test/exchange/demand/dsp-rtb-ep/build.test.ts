import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OutboundRequest, Solicitation } from '../../../../src/exchange/demand/demand-kind.ts';
import { dspRtbEp } from '../../../../src/exchange/demand/dsp-rtb-ep/dsp-rtb-ep.ts';
import type { Demand } from '../../../../src/exchange/snapshot/demand.ts';
import { faultsOfRequest } from '../../../protocols/openrtb/bid-request-schema.ts';
import { opportunityWith } from '../../unrestricted.ts';
import { rows } from './request-rows.ts';
import { contentOf, demandWith, solicitationWith, supplyWith } from './solicitations.ts';

function build(demand: Demand, solicitation: Solicitation): OutboundRequest {
  const request = dspRtbEp.build(demand, solicitation);
  assert.ok(request !== undefined && !('reason' in request), JSON.stringify(request));
  return request;
}

/** The bid request as the bidder reads it; valid, and without a trace of what is not known. */
function bodyOf(demand: Demand, solicitation: Solicitation): Record<string, unknown> {
  const request = JSON.parse(contentOf(build(demand, solicitation)));
  assert.deepEqual(faultsOfRequest(request), []);
  return request;
}

test('a video on a site, whole', () => {
  assert.deepEqual(bodyOf(demandWith(), solicitationWith()), {
    id: 'auction-1',
    imp: [
      {
        id: '1',
        video: {
          mimes: ['video/mp4', 'video/webm'],
          minduration: 5,
          maxduration: 30,
          startdelay: 0,
          protocols: [2, 3, 5, 6],
          w: 640,
          h: 360,
          placement: 1,
          linearity: 1,
          pos: 7,
        },
        displaymanager: 'Example Player',
        tagid: '3',
        bidfloor: 1.8,
        bidfloorcur: 'USD',
        secure: 1,
        exp: 3600,
      },
    ],
    site: {
      id: '3',
      domain: 'site.example',
      page: 'https://site.example/page',
      cat: ['IAB1', 'IAB1-2'],
      keywords: 'sports,football',
      publisher: { id: 'pub-4', name: 'Example Media', domain: 'media.example' },
      content: { series: 'Series', season: 'Season 2', context: 1 },
    },
    device: {
      ua: 'Mozilla/5.0',
      ip: '192.0.2.7',
      geo: { country: 'DEU', region: 'BE', lat: 52.5, lon: 13.4 },
      devicetype: 4,
      make: 'Example',
      model: 'Phone 3',
      os: 'Android',
      osv: '14.1',
      language: 'en',
      ifa: 'ifa-1',
    },
    user: { id: 'user-1' },
    at: 1,
    tmax: 250,
    cur: ['USD'],
    source: { fd: 0, tid: 'auction-1' },
  });
});

test('what is not known is left out', () => {
  const supply = supplyWith({ DisplayManager: '', Mimes: [] });
  const opportunity = opportunityWith({ sellerId: 'pub-4' });
  assert.deepEqual(bodyOf(demandWith(), solicitationWith({}, { supply, opportunity })), {
    id: 'auction-1',
    imp: [
      {
        id: '1',
        video: { mimes: ['video/mp4'], protocols: [2, 3, 5, 6] },
        tagid: '3',
        bidfloor: 0,
        bidfloorcur: 'USD',
        secure: 0,
        exp: 3600,
      },
    ],
    site: { id: '3', publisher: { id: 'pub-4', name: 'Example Media', domain: 'media.example' } },
    device: {},
    at: 1,
    tmax: 250,
    cur: ['USD'],
    source: { fd: 0, tid: 'auction-1' },
  });
});

function memberAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => Object(at)[name], value);
}

describe('the bid request', () => {
  for (const [name, { chance, members, demand, holds, absent = [] }] of Object.entries(rows)) {
    test(name, () => {
      const body = bodyOf(demandWith(demand), solicitationWith(chance, members));
      assert.partialDeepStrictEqual(body, holds);
      for (const path of absent) assert.equal(memberAt(body, path), undefined, path);
    });
  }

  test('native asks for a title and an image where the request does not say', () => {
    const body = bodyOf(demandWith(), solicitationWith({ media: 'native' }));
    const request = JSON.parse(String(memberAt(body, 'imp.0.native.request')));
    assert.equal(request.ver, '1.2');
    assert.ok(request.assets.some((asset: object) => 'title' in asset));
    assert.ok(request.assets.some((asset: object) => 'img' in asset));
  });
});

const headers = {
  'content-type': 'application/json',
  'accept-encoding': 'gzip',
  'x-openrtb-version': '2.6',
};

const urls: readonly (readonly [region: string, document: object, url: string | undefined])[] = [
  ['us-east', {}, 'https://us.dsp.example/bid'],
  ['eu', {}, 'https://us.dsp.example/bid'],
  ['eu', { ZoneUrlEu: 'https://eu.dsp.example' }, 'https://eu.dsp.example'],
  ['apac', { ZoneUrlApac: 'https://ap.dsp.example' }, 'https://ap.dsp.example'],
  ['us-east', { ZoneUrlUsEast: '', ZoneUrlApac: 'https://ap.dsp.example' }, 'https://ap.dsp.example'],
  ['mars', { ZoneUrlEu: 'https://eu.dsp.example' }, 'https://us.dsp.example/bid'],
  ['us-east', { ZoneUrlUsEast: '' }, undefined],
];

describe('the call', () => {
  for (const [region, document, url] of urls) {
    test(`${region}, ${JSON.stringify(document)}: ${url}`, () => {
      const request = dspRtbEp.build(demandWith({ ...document }), solicitationWith({}, { region }));
      if (url === undefined) assert.deepEqual(request, { reason: 'not_callable', field: 'ZoneUrl' });
      else assert.partialDeepStrictEqual(request, { method: 'POST', url, headers });
    });
  }

  test('is compressed where the endpoint wants it', () => {
    const solicitation = solicitationWith();
    const zipped = build(demandWith({ Gzip: 1 }), solicitation);
    assert.deepEqual(zipped.headers, { ...headers, 'content-encoding': 'gzip' });
    assert.equal(contentOf(zipped), contentOf(build(demandWith(), solicitation)));
  });

  test('of endpoints that want the same has the very same body; of others, and of other auctions, its own', () => {
    const solicitation = solicitationWith();
    const zipped = () => build(demandWith({ Gzip: 1 }), solicitation).body;
    assert.equal(zipped(), zipped());
    const bodies = [{}, { AuctionType: 2 }, { AddSchainNode: 1 }, { ExpiryWindow: 1 }].map(
      (document) => build(demandWith(document), solicitation).body,
    );
    assert.equal(new Set(bodies).size, 4);
    const other = build(demandWith(), solicitationWith({ auctionId: 'auction-2' })).body;
    assert.equal(new Set([...bodies, other]).size, 5);
  });

  test('of one endpoint takes nothing from the values set by path of another', () => {
    const solicitation = solicitationWith();
    const before = build(demandWith(), solicitation).body;
    build(demandWith({ CustomParams: { 'imp.tagid': 'x', 'device.ua': 'y' } }), solicitation);
    assert.equal(build(demandWith(), solicitation).body, before);
  });
});
