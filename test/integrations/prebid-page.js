// @ts-nocheck: runs in a page, with modules of Prebid.js that have no types.
// What a publisher's page does with Prebid.js and the adapter, for a test; `window.ask` is the page's settings.
import pbjs from 'prebid.js';
import 'prebid.js/modules/consentManagementGpp';
import 'prebid.js/modules/consentManagementTcf';
import 'prebid.js/modules/consentManagementUsp';
import 'prebid.js/modules/currency';
import 'prebid.js/modules/nativeRendering';
import 'prebid.js/modules/priceFloors';
import { VASTParser, VASTTracker } from '@dailymotion/vast-client';
import { getPriceBucketString } from '../src/cpmBucketManager.js';
import './bourseBidAdapter.js';

window.bucketOf = (cpm) => getPriceBucketString(cpm).med;

/** Absent where the page's own code asks. */
const { bidder, config, units } = window.ask ?? {};
/** How often Prebid told of each event. */
const counts = {};
for (const event of ['bidResponse', 'bidRejected', 'bidWon', 'noBid', 'bidderError', 'adRenderFailed'])
  pbjs.onEvent(event, () => {
    counts[event] = (counts[event] ?? 0) + 1;
  });

async function play({ vastXml }) {
  const parser = new VASTParser();
  const document = new DOMParser().parseFromString(vastXml, 'text/xml');
  const { ads } = await parser.parseVAST(document, { resolveAll: true });
  const [ad] = ads;
  const creative = ad.creatives.find(({ type }) => type === 'linear');
  const tracker = new VASTTracker(null, ad, creative);
  const video = Object.assign(window.document.createElement('video'), { muted: true });
  window.document.body.append(video);
  video.src = creative.mediaFiles[0].fileURL;
  await video.play();
  tracker.setDuration(video.duration);
  tracker.trackImpression();
  video.playbackRate = 16;
  await new Promise((resolve) => video.addEventListener('ended', resolve));
  tracker.complete();
}

async function show(bid) {
  if (bid.mediaType === 'video') {
    pbjs.markWinningBidAsUsed({ adId: bid.adId, adUnitCode: bid.adUnitCode, events: true });
    await play(bid);
    return;
  }
  const frame = window.document.createElement('iframe');
  window.document.body.append(frame);
  const loaded = new Promise((resolve) => pbjs.onEvent('adRenderSucceeded', resolve));
  pbjs.renderAd(frame.contentDocument, bid.adId);
  await loaded;
}

if (units)
  pbjs.que.push(() => {
    if (bidder !== 'bourse') pbjs.aliasBidder('bourse', bidder, { gvlid: 755 });
    pbjs.setConfig(config);
    pbjs.addAdUnits(units);
    pbjs.requestBids({
      timeout: 10_000,
      bidsBackHandler: async () => {
        const bids = units.flatMap(({ code }) => pbjs.getHighestCpmBids(code));
        for (const bid of bids) await show(bid);
        window.outcome = {
          counts,
          bids: bids.map(
            ({ adUnitCode, bidderCode, mediaType, cpm, currency, width, height, ttl, meta }) => ({
              ...{ adUnitCode, bidderCode, mediaType, cpm, currency, width, height, ttl },
              domains: meta.advertiserDomains,
            }),
          ),
        };
      },
    });
  });
pbjs.processQueue();
