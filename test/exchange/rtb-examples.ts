import type { Values } from './exchange-room.ts';

/** A bid request as exchanges and header bidding send them, and what it deserves. */
export interface Example {
  readonly name: string;
  readonly request: Values;
  /** At an endpoint with a video, a banner of any size and a pop campaign, none of them dear. */
  readonly status: 200 | 204 | 400;
}

const agent =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15';

/** Written for these tests after what the examples of OpenRTB 2.5 and 2.6 (section 6.2) show. */
const standard: readonly Example[] = [
  {
    name: 'a plain banner, a floor and a first price',
    status: 200,
    request: {
      id: '5f0c9a1e7b',
      at: 1,
      cur: ['USD'],
      imp: [{ id: '1', bidfloor: 0.05, banner: { h: 250, w: 300, pos: 0 } }],
      site: { id: '88123', cat: ['IAB3-1'], domain: 'www.fjordtimes.example', page: 'http://www.fjordtimes.example/4.html', publisher: { id: '77', name: 'fjordtimes.example', cat: ['IAB3-1'], domain: 'fjordtimes.example' } },
      device: { ua: agent, ip: '198.51.100.20' },
      user: { id: 'c0ffee' },
    },
  },
  {
    name: 'an expandable banner in an iframe, attributes and advertisers blocked',
    status: 200,
    request: {
      id: '77ab',
      imp: [{ id: '1', bidfloor: 0.03, iframebuster: ['vendor.example'], banner: { h: 250, w: 300, pos: 0, battr: [13], topframe: 1, expdir: [2, 4] } }],
      site: { id: '1', domain: 'www.fjordtimes.example', cat: ['IAB2-1'], privacypolicy: 1, page: 'http://www.fjordtimes.example/5.html', ref: 'http://search.example/', publisher: { id: 'pub9', name: 'P' }, content: { keywords: 'a,b,c' } },
      device: { ua: agent, ip: '198.51.100.21', flashver: '10.1', geo: { country: 'USA', region: 'CA', city: 'Oakland' } },
      user: { id: 'u', buyeruid: 'b', yob: 1984, gender: 'M', data: [{ id: '6', name: 'Data', segment: [{ id: '12', name: 'auto' }] }] },
      badv: ['bad.example'], bcat: ['IAB25'],
    },
  },
  {
    name: 'a phone, second price, with carrier and coordinates',
    status: 200,
    request: {
      id: 'IxPhone', at: 2, tmax: 200, bcat: ['IAB25', 'IAB7-39'], badv: ['apple.example'],
      imp: [{ id: '1', bidfloor: 0.5, instl: 0, tagid: 'agl', banner: { w: 728, h: 90, pos: 1, btype: [4], battr: [14], api: [3] } }],
      app: { id: 'app1', name: 'Weather', cat: ['IAB15', 'IAB15-10'], ver: '1.0.2', bundle: '12345', storeurl: 'https://store.example/id1', publisher: { id: 'p', name: 'y', domain: 'www.y.example' } },
      device: { dnt: 0, ua: agent, ip: '198.51.100.30', ifa: 'AA000DFE', carrier: 'CARRIER', language: 'en', make: 'Apple', model: 'iPhone', os: 'iOS', osv: '6.1', js: 1, connectiontype: 3, devicetype: 1, geo: { lat: 35.01, lon: -115.1, country: 'USA', metro: '803', type: 2 } },
      user: { id: 'ffff', yob: 1974 },
    },
  },
  {
    name: 'a video with companions and content',
    status: 200,
    request: {
      id: '9090', at: 2, tmax: 300,
      imp: [{ id: '1', bidfloor: 0.03, video: { w: 640, h: 480, pos: 1, startdelay: 0, minduration: 5, maxduration: 30, maxextended: 30, minbitrate: 300, maxbitrate: 1500, api: [1, 2], protocols: [2, 3], mimes: ['video/x-flv', 'video/mp4', 'application/javascript'], linearity: 1, boxingallowed: 1, playbackmethod: [1, 3], delivery: [2], battr: [13, 14], companionad: [{ id: 'c-1', w: 300, h: 250, pos: 1, battr: [13], expdir: [2] }], companiontype: [1, 2] } }],
      site: { id: '1', name: 'Cars', domain: 'cars.example', cat: ['IAB2-1'], page: 'http://cars.example/p', ref: 'http://r.example/', privacypolicy: 1, publisher: { id: 'p', name: 'P' }, content: { id: '1', series: 'Cars', season: '2', episode: 23, title: 'Show', cat: ['IAB2-2'], keywords: 'a,b', len: 1200 } },
      device: { ua: agent, ip: '198.51.100.31', os: 'OS X', js: 1 },
      user: { id: '4567', buyeruid: '5456', data: [{ id: '6', name: 'D', segment: [{ id: '1', name: 'auto' }] }] },
    },
  },
  {
    name: 'a private auction among deals, which we have none of',
    status: 204,
    request: {
      id: 'deal1', at: 1, cur: ['USD'],
      imp: [{ id: '1', bidfloor: 0.03, banner: { h: 250, w: 300 }, pmp: { private_auction: 1, deals: [{ id: 'A-1', at: 1, bidfloor: 2.5, wseat: ['Agency1'] }] } }],
      site: { domain: 'www.fjordtimes.example' }, device: { ua: agent },
    },
  },
  {
    name: 'a native ad',
    status: 200,
    request: {
      id: 'native1',
      imp: [{ id: '1', native: { request: '{"native":{"ver":"1.0","layout":1,"assets":[{"id":1,"required":1,"title":{"len":75}}]}}', ver: '1.0', api: [3], battr: [13, 14] } }],
      site: { domain: 'www.fjordtimes.example' }, device: { ua: agent },
    },
  },
  {
    name: 'a pop, beside a banner',
    status: 200,
    request: {
      id: 'pop1',
      imp: [{ id: '1', instl: 1, ext: { type: 'popunder' } }, { id: '2', banner: { w: 300, h: 250 } }],
      site: { domain: 'www.fjordtimes.example' }, device: { ua: agent },
    },
  },
]; // biome-ignore format: one request a few lines

/** Written for these tests after what servers of header bidding send and are sent. */
const headerBidding: readonly Example[] = [
  {
    name: 'two formats, parameters of many bidders, privacy of 2.5',
    status: 200,
    request: {
      id: 'hb-1', tmax: 500,
      imp: [{ id: 'div-1', banner: { format: [{ w: 300, h: 250 }, { w: 300, h: 600 }] }, ext: { prebid: { bidder: { one: { placementId: 12 } } }, data: { pbadslot: '/1/a' } } }],
      site: { page: 'fjordtimes.example', ext: { amp: 0 } },
      user: { ext: { consent: 'CPx', eids: [{ source: 'id.example', uids: [{ id: 'x', atype: 1 }] }] } },
      regs: { ext: { gdpr: 1, us_privacy: '1NYN' } },
      ext: { prebid: { targeting: { pricegranularity: { precision: 2 } }, cache: { bids: {} } } },
    },
  },
  {
    name: 'client hints, and coordinates of no place on earth',
    status: 200,
    request: {
      id: 'hb-2', tmax: 1000,
      imp: [{ id: 'a', banner: { format: [{ w: 300, h: 250 }] } }],
      site: { page: 'https://fjordtimes.example/a', publisher: { id: 'a3de' } },
      device: { ua: 'Mozilla', dnt: 1, lmt: 1, geo: { lat: 321.5, lon: 700, zip: '1' }, sua: { browsers: [{ brand: 'Chromium', version: ['120'] }, { brand: 'Not A', ext: {} }], platform: { brand: 'Windows' }, mobile: 0 } },
    },
  },
  {
    name: 'banner and video in one impression',
    status: 200,
    request: {
      id: 'hb-3', test: 1,
      imp: [{ id: 'a', banner: { format: [{ w: 300, h: 250 }] }, video: { mimes: ['video/mp4'], w: 300, h: 250 }, native: null }],
      site: { page: 'https://fjordtimes.example/a' }, user: null,
    },
  },
  {
    name: 'an interstitial banner of no size',
    status: 200,
    request: { id: 'hb-4', imp: [{ id: 'a', instl: 1, banner: {} }], app: { bundle: 'com.game' } },
  },
  {
    name: 'a video for which only deals are preferred',
    status: 200,
    request: { id: 'hb-5', imp: [{ id: 'a', video: { mimes: ['video/mp4'] }, pmp: { deals: [{ id: 'd' }] } }], app: { ext: { prebid: { source: 'sdk' } } } },
  },
  {
    name: 'the supply chain of 2.5',
    status: 200,
    request: {
      id: 'hb-6', imp: [{ id: 'a', banner: { w: 300, h: 250 } }], site: { domain: 'fjordtimes.example' },
      source: { tid: 't', ext: { schain: { ver: '1.0', complete: 1, nodes: [{ asi: 'ssp.example', sid: '1', hp: 1, rid: 'r', ext: {} }] } } },
    },
  },
  {
    name: 'a request whose impression is stored elsewhere',
    status: 400,
    request: { id: 'hb-7', imp: [{ id: 'a', ext: { prebid: { storedrequest: { id: '1' } } } }], site: { page: 'fjordtimes.example' } },
  },
  {
    name: 'a site and an app at once',
    status: 400,
    request: { id: 'hb-8', imp: [{ id: 'a', banner: {} }], site: { page: 'a.example' }, app: { bundle: 'b' } },
  },
  {
    name: 'a publisher who is paid in pounds alone',
    status: 204,
    request: { id: 'hb-9', cur: ['GBP'], imp: [{ id: 'a', banner: {} }], site: { page: 'a.example' } },
  },
]; // biome-ignore format: one request a few lines

export const examples: readonly Example[] = [...standard, ...headerBidding];
