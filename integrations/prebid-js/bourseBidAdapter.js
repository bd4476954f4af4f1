import { getCurrencyFromBidderRequest } from '../libraries/ortb2Utils/currency.js';
import { ortbConverter } from '../libraries/ortbConverter/converter.js';
import { registerBidder } from '../src/adapters/bidderFactory.js';
import { AUDIO, BANNER, NATIVE, VIDEO } from '../src/mediaTypes.js';
import { isStr, replaceAuctionPrice, triggerPixel } from '../src/utils.js';

/**
 * @typedef {import('../src/adapters/bidderFactory.js').BidRequest} BidRequest
 * @typedef {import('../src/adapters/bidderFactory.js').Bid} Bid
 */

const BIDDER_CODE = 'bourse';
/** `mtype` of OpenRTB 2.6, which Prebid's converter does not know. */
const AUDIO_MARKUP = 3;

/** The URL of a supply object. */
function zoneUrl({ endpoint, zone, auth }) {
  const url = new URL(endpoint);
  url.searchParams.set('zone', zone);
  url.searchParams.set('auth', auth);
  return url.href;
}

/** The supply objects that the page has asked, by their URLs. */
const asked = new Set();

/** Where the exchange lets its partners match the user, with what consent tools say. */
function syncUrl(zone, type, { gdpr, usp, gpp }) {
  const url = new URL('sync', zone);
  const { searchParams } = new URL(zone);
  const values = {
    zone: searchParams.get('zone'),
    auth: searchParams.get('auth'),
    type,
    gdpr: gdpr?.gdprApplies === undefined ? undefined : Number(gdpr.gdprApplies),
    gdpr_consent: gdpr?.consentString,
    us_privacy: usp,
    gpp: gpp?.gppString,
    gpp_sid: gpp?.applicableSections?.join(),
  };
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== '') url.searchParams.set(name, value);
  return url.href;
}

function isEndpoint(value) {
  return isStr(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

const converter = ortbConverter({
  context: { netRevenue: true, ttl: 300 },
  imp(buildImp, bidRequest, context) {
    const imp = buildImp(bidRequest, context);
    imp.tagid ??= bidRequest.adUnitCode;
    return imp;
  },
  request(buildRequest, imps, bidderRequest, context) {
    const request = buildRequest(imps, bidderRequest, context);
    const currency = getCurrencyFromBidderRequest(bidderRequest);
    if (currency && !request.cur) request.cur = [currency];
    return request;
  },
  bidResponse(buildBidResponse, bid, context) {
    const isAudio = bid.mtype === AUDIO_MARKUP;
    const response = buildBidResponse(bid, isAudio ? { ...context, mediaType: AUDIO } : context);
    if (response.mediaType === BANNER) return response;
    // The markup of banners calls the win notice. Elsewhere Prebid calls none, and takes it for the URL of the ad.
    response.winNotice = bid.nurl;
    if (response.vastXml)
      response.vastUrl = `data:text/xml;charset=utf-8,${encodeURIComponent(response.vastXml)}`;
    return response;
  },
});

export const spec = {
  code: BIDDER_CODE,
  supportedMediaTypes: [BANNER, VIDEO, AUDIO, NATIVE],

  /**
   * @param {BidRequest} bid `params`: `endpoint` (the exchange's URL for bid requests), `zone` and `auth` of the supply.
   */
  isBidRequestValid({ params }) {
    const { endpoint, zone, auth } = params ?? {};
    return isEndpoint(endpoint) && Number.isInteger(Number(zone)) && zone > 0 && isStr(auth) && auth !== '';
  },

  /** One request for each supply object. */
  buildRequests(bidRequests, bidderRequest) {
    const byUrl = new Map();
    for (const bidRequest of bidRequests) {
      const url = zoneUrl(bidRequest.params);
      byUrl.set(url, [...(byUrl.get(url) ?? []), bidRequest]);
    }
    for (const url of byUrl.keys()) asked.add(url);
    return [...byUrl].map(([url, requests]) => ({
      method: 'POST',
      url,
      data: converter.toORTB({ bidRequests: requests, bidderRequest }),
      options: { endpointCompression: true },
    }));
  },

  /** @return {Bid[]} */
  interpretResponse({ body }, { data }) {
    if (!body?.seatbid) return [];
    return converter.fromORTB({ request: data, response: body }).bids;
  },

  getUserSyncs({ iframeEnabled, pixelEnabled }, responses, gdpr, usp, gpp) {
    if (responses.length === 0 || (!iframeEnabled && !pixelEnabled)) return [];
    const type = iframeEnabled ? 'iframe' : 'image';
    return [...asked].map((zone) => ({ type, url: syncUrl(zone, type, { gdpr, usp, gpp }) }));
  },

  onBidWon({ winNotice, originalCpm, cpm }) {
    if (winNotice) triggerPixel(replaceAuctionPrice(winNotice, originalCpm ?? cpm));
  },
};

registerBidder(spec);
