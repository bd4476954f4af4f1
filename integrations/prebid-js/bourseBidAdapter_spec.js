import { expect } from 'chai';
import { spec } from 'modules/bourseBidAdapter.js';

const params = { endpoint: 'https://ads.example/rtb', zone: 7, auth: 'secret' };

const bidRequest = (bidId, mediaTypes, rest = {}) => ({
  bidder: 'bourse',
  bidId,
  adUnitCode: `unit-${bidId}`,
  mediaTypes,
  params,
  ortb2Imp: {},
  ...rest,
});
const banner = {
  banner: {
    sizes: [
      [300, 250],
      [728, 90],
    ],
  },
};
const video = {
  video: { context: 'instream', playerSize: [[640, 360]], mimes: ['video/mp4'], protocols: [2, 3], plcmt: 1 },
};
const audio = { audio: { context: 'instream', mimes: ['audio/mpeg'], protocols: [9, 10], maxduration: 30 } };
const nativeOrtbRequest = { ver: '1.2', assets: [{ id: 1, required: 1, title: { len: 80 } }] };
const bidderRequest = {
  bidderCode: 'bourse',
  timeout: 800,
  ortb2: {
    site: { page: 'https://news.example/today', domain: 'news.example' },
    regs: { gdpr: 1, gpp: 'DBAA', gpp_sid: [7] },
    user: { consent: 'CP' },
    source: { schain: { ver: '1.0', complete: 1, nodes: [] } },
  },
};
const build = (...bids) => spec.buildRequests(bids, bidderRequest);

describe('Bourse bid adapter', () => {
  describe('isBidRequestValid', () => {
    const isValid = (changes) => spec.isBidRequestValid({ params: { ...params, ...changes } });

    it('accepts an endpoint with its zone and credential', () => {
      expect(isValid({})).to.equal(true);
      expect(isValid({ zone: '7' })).to.equal(true);
    });

    for (const changes of [
      { endpoint: undefined },
      { endpoint: '' },
      { endpoint: 'ads.example/rtb' },
      { endpoint: 'javascript:alert(1)' },
      { endpoint: 7 },
      { zone: undefined },
      { zone: 0 },
      { zone: 'seven' },
      { auth: undefined },
      { auth: '' },
      { auth: 7 },
    ]) {
      it(`refuses ${Object.keys(changes)[0]} ${JSON.stringify(Object.values(changes)[0])}`, () => {
        expect(isValid(changes)).to.equal(false);
      });
    }

    it('refuses a bid without params', () => {
      expect(spec.isBidRequestValid({})).to.equal(false);
    });
  });

  describe('buildRequests', () => {
    it('sends what OpenRTB has for each medium', () => {
      const [{ method, url, data, options }] = build(
        bidRequest('1', { ...banner, ...video, ...audio, native: {} }, { nativeOrtbRequest }),
      );
      expect(method).to.equal('POST');
      expect(url).to.equal('https://ads.example/rtb?zone=7&auth=secret');
      expect(options).to.deep.equal({ endpointCompression: true });
      const [imp] = data.imp;
      expect(imp.id).to.equal('1');
      expect(imp.banner.format).to.deep.equal([
        { w: 300, h: 250 },
        { w: 728, h: 90 },
      ]);
      expect(imp.video).to.include({ w: 640, h: 360, plcmt: 1 });
      expect(imp.audio).to.include({ maxduration: 30 });
      expect(JSON.parse(imp.native.request).assets).to.deep.equal(nativeOrtbRequest.assets);
      expect(data.tmax).to.equal(800);
    });

    it('passes on the page, consent and the supply chain', () => {
      const [{ data }] = build(bidRequest('1', banner));
      expect(data).to.deep.include(bidderRequest.ortb2);
    });

    it('leaves the tag ID to the publisher, else names the ad unit', () => {
      const [{ data }] = build(
        bidRequest('1', banner),
        bidRequest('2', banner, { ortb2Imp: { tagid: 'top' } }),
      );
      expect(data.imp.map(({ tagid }) => tagid)).to.deep.equal(['unit-1', 'top']);
    });

    it('asks each supply object once', () => {
      const other = { ...params, zone: 8 };
      const requests = build(
        bidRequest('1', banner),
        bidRequest('2', banner, { params: other }),
        bidRequest('3', banner),
      );
      expect(
        requests.map(({ url, data }) => [url.includes('zone=8'), data.imp.map(({ id }) => id)]),
      ).to.deep.equal([
        [false, ['1', '3']],
        [true, ['2']],
      ]);
    });

    it('asks for the currency of the page', () => {
      const ortb2 = { ...bidderRequest.ortb2, ext: { prebid: { adServerCurrency: 'EUR' } } };
      const [{ data }] = spec.buildRequests([bidRequest('1', banner)], { ...bidderRequest, ortb2 });
      expect(data.cur).to.deep.equal(['EUR']);
    });
  });

  describe('interpretResponse', () => {
    const answer = (mediaTypes, bid, rest) => {
      const [request] = build(bidRequest('1', mediaTypes, rest));
      const body = {
        id: request.data.id,
        cur: 'EUR',
        seatbid: [{ seat: '3', bid: [{ id: 'b', impid: '1', price: 2.5, crid: 'c', exp: 60, ...bid }] }],
      };
      return spec.interpretResponse({ body }, request);
    };

    it('reads a banner', () => {
      const [bid] = answer(banner, {
        mtype: 1,
        adm: '<b>ad</b>',
        w: 300,
        h: 250,
        adomain: ['brand.example'],
      });
      expect(bid).to.deep.include({
        requestId: '1',
        mediaType: 'banner',
        cpm: 2.5,
        currency: 'EUR',
        width: 300,
        height: 250,
        creativeId: 'c',
        ttl: 60,
        netRevenue: true,
        ad: '<b>ad</b>',
        meta: { advertiserDomains: ['brand.example'] },
      });
    });

    it('reads a video as VAST, and keeps its win notice apart', () => {
      const [bid] = answer(video, { mtype: 2, adm: '<VAST/>', nurl: 'https://ads.example/win' });
      expect(bid).to.include({
        mediaType: 'video',
        vastXml: '<VAST/>',
        winNotice: 'https://ads.example/win',
      });
      expect(bid.vastUrl).to.equal('data:text/xml;charset=utf-8,%3CVAST%2F%3E');
    });

    it('reads an audio ad as VAST', () => {
      const [bid] = answer(audio, { mtype: 3, adm: '<VAST/>', nurl: 'https://ads.example/win' });
      expect(bid).to.include({
        mediaType: 'audio',
        vastXml: '<VAST/>',
        winNotice: 'https://ads.example/win',
      });
    });

    it('reads a native ad', () => {
      const adm = JSON.stringify({
        assets: [{ id: 1, title: { text: 'Title' } }],
        link: { url: 'https://brand.example' },
      });
      const [bid] = answer({ native: {} }, { mtype: 4, adm }, { nativeOrtbRequest });
      expect(bid.native.ortb.assets[0].title.text).to.equal('Title');
    });

    it('has no bids where there are none', () => {
      const [request] = build(bidRequest('1', banner));
      for (const body of [undefined, '', {}, { id: '1' }])
        expect(spec.interpretResponse({ body }, request)).to.deep.equal([]);
    });
  });

  describe('getUserSyncs', () => {
    const responses = [{ body: {} }];
    const sync = (options, gdpr, usp, gpp) => {
      build(bidRequest('1', banner));
      return spec.getUserSyncs(options, responses, gdpr, usp, gpp);
    };
    const start = 'https://ads.example/sync?zone=7&auth=secret';

    it('lets partners sync by a frame, or else by a picture', () => {
      expect(sync({ iframeEnabled: true, pixelEnabled: true })).to.deep.include({
        type: 'iframe',
        url: `${start}&type=iframe`,
      });
      expect(sync({ iframeEnabled: false, pixelEnabled: true })).to.deep.include({
        type: 'image',
        url: `${start}&type=image`,
      });
    });

    it('passes on what consent tools say', () => {
      const gdpr = { gdprApplies: true, consentString: 'CP' };
      const gpp = { gppString: 'DBAA', applicableSections: [7, 8] };
      const said = '&gdpr=1&gdpr_consent=CP&us_privacy=1YNN&gpp=DBAA&gpp_sid=7%2C8';
      const urls = sync({ iframeEnabled: true }, gdpr, '1YNN', gpp).map(({ url }) => url);
      expect(urls).to.include(`${start}&type=iframe${said}`);
      const elsewhere = sync({ iframeEnabled: true }, { gdprApplies: false }).map(({ url }) => url);
      expect(elsewhere).to.include(`${start}&type=iframe&gdpr=0`);
    });

    it('does nothing where it may not, or before an answer', () => {
      expect(sync({ iframeEnabled: false, pixelEnabled: false })).to.deep.equal([]);
      expect(spec.getUserSyncs({ iframeEnabled: true }, [])).to.deep.equal([]);
    });
  });

  describe('onBidWon', () => {
    it('calls the win notice of a video with its price', () => {
      const calls = [];
      const original = window.Image;
      window.Image = class {
        set src(url) {
          calls.push(url);
        }
        addEventListener() {
          // Nothing loads.
        }
      };
      spec.onBidWon({ winNotice: 'https://ads.example/win?p=${AUCTION_PRICE}', originalCpm: 2.5, cpm: 3 });
      spec.onBidWon({ cpm: 3 });
      window.Image = original;
      expect(calls).to.deep.equal(['https://ads.example/win?p=2.5']);
    });
  });
});
