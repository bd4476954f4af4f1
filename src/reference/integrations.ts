import {
  bannerPageCode,
  directLinkCode,
  frameCode,
  imaCode,
  jwPlayerCode,
  openRtbCode,
  type PrebidMedium,
  popServerCode,
  type Tag,
  urlCode,
  videoJsCode,
} from './integration-code.ts';
import {
  cachedVideoUrl,
  lineItemManagerCode,
  lineItemsCode,
  prebidJsCode,
  prebidServerGoCode,
  prebidServerJavaCode,
  storedImpCode,
  universalCreative,
} from './prebid-code.ts';

/** In the order in which they are shown. */
export const integrationGroups = ['Players', 'Pages', 'Ad servers', 'Prebid', 'Own server'] as const;

/** What the code is written in. */
export const codeForms = ['html', 'url', 'javascript', 'json', 'yaml', 'csv', 'sh'] as const;

/** What calls a supply object, and how. */
export interface Integration {
  readonly title: string;
  /** The endpoint that its code calls: the last part of the path of a zone, feed or direct URL. */
  readonly calls: 'vast' | 'banner' | 'rtb' | 'pop' | 'direct';
  readonly group: (typeof integrationGroups)[number];
  readonly form: (typeof codeForms)[number];
  /** `{alias}` is the exchange's name as a bidder, `{id}` the object's ID. */
  readonly fileName: string;
  /** The page of the guide that says more. */
  readonly guide: 'players' | 'publishers' | 'prebid-js' | 'prebid-server' | 'ad-manager';
  /** What the endpoint must take for it. */
  readonly medium?: PrebidMedium;
  /** What the publisher does with the code, and what it fills in. */
  readonly help: string;
  /** Parameters of the URL, each with the platform's own macro; all others are left out. */
  readonly macros: Readonly<Record<string, string>>;
  readonly code: (tag: Tag) => string;
}

const iab = (name: string) => `\${${name}}`;

/** Google Ad Manager help, "Macros"; the IAB's for consent. */
const adManager = {
  site_url: '%%REFERRER_URL_ESC%%',
  cb: '%%CACHEBUSTER%%',
  ifa: '%%ADVERTISING_IDENTIFIER_PLAIN%%',
  gdpr: iab('GDPR'),
  gdpr_consent: iab('GDPR_CONSENT_VENDOR'),
  us_privacy: iab('US_PRIVACY'),
  gpp: iab('GPP_STRING_VENDOR'),
  gpp_sid: iab('GPP_SID'),
  coppa: '%%TFCD%%',
  lmt: '%%ADVERTISING_IDENTIFIER_IS_LAT%%',
} as const;

const consent = "It passes on the visitor's consent (TCF, US Privacy, GPP).";
const filmHelp = 'Put your own video in place of `film.mp4`.';

export const integrations = {
  jwPlayer: {
    title: 'JW Player',
    calls: 'vast',
    group: 'Players',
    form: 'html',
    fileName: 'jw-player.html',
    guide: 'players',
    help: `Goes into the page, after JW Player's own script. The player fills in the page and its size. ${consent} ${filmHelp}`,
    // JWX, "Ad tag targeting macro reference"; each macro may stand once in a tag.
    macros: {
      width: '__player-width__',
      height: '__player-height__',
      site_url: '__page-url__',
      cb: '__random-number__',
      gdpr: '__gdpr__',
      gdpr_consent: '__gdpr_consent__',
    },
    code: jwPlayerCode,
  },
  videoJs: {
    title: 'Video.js',
    calls: 'vast',
    group: 'Players',
    form: 'html',
    fileName: 'video-js.html',
    guide: 'players',
    help: `Goes into the page. The plugin videojs-ima needs videojs-contrib-ads and Google's SDK; the code loads all of them. ${consent} ${filmHelp}`,
    macros: {},
    code: videoJsCode,
  },
  ima: {
    title: 'Google IMA',
    calls: 'vast',
    group: 'Players',
    form: 'html',
    fileName: 'google-ima.html',
    guide: 'players',
    help: `Goes into the page: Google's IMA SDK plays the ad before a plain video. ${consent} ${filmHelp}`,
    macros: {},
    code: imaCode,
  },
  adManagerVideo: {
    title: 'Google Ad Manager',
    calls: 'vast',
    group: 'Ad servers',
    form: 'url',
    fileName: 'ad-manager-vast.txt',
    guide: 'ad-manager',
    help: 'Add a creative of the type Redirect to a video line item and paste this as its VAST tag URL. Ad Manager fills in page, device ID and consent.',
    macros: adManager,
    code: urlCode,
  },
  springServe: {
    title: 'SpringServe',
    calls: 'vast',
    group: 'Ad servers',
    form: 'url',
    fileName: 'springserve.txt',
    guide: 'players',
    help: 'Add a demand tag and paste this as its endpoint URL. SpringServe fills in what the supply tag knows: size, page or app, device and consent.',
    // SpringServe, "Macros".
    macros: {
      ip: '{{IP}}',
      ua: '{{USER_AGENT}}',
      width: '{{WIDTH}}',
      height: '{{HEIGHT}}',
      site_url: '{{ENCODED_URL}}',
      app_bundle: '{{APP_BUNDLE}}',
      app_name: '{{APP_NAME}}',
      app_store_url: '{{APP_STORE_URL}}',
      device_make: '{{DEVICE_MAKE}}',
      device_model: '{{DEVICE_MODEL}}',
      ifa: '{{DEVICE_ID}}',
      cb: '{{CACHEBUSTER}}',
      gdpr: '{{GDPR}}',
      gdpr_consent: '{{CONSENT}}',
      us_privacy: '{{US_PRIVACY}}',
      gpp: '{{GPP}}',
      gpp_sid: '{{GPP_SID}}',
      coppa: '{{COPPA}}',
      lmt: '{{LMT}}',
    },
    code: urlCode,
  },
  vastPlayer: {
    title: 'Other players',
    calls: 'vast',
    group: 'Players',
    form: 'url',
    fileName: 'vast.txt',
    guide: 'players',
    help: 'Give this to the player as its ad tag. Players that know the macros of VAST 4 fill them in; for others, a macro that is left as it is counts as absent.',
    // VAST 4.3, "Macros".
    macros: {
      site_url: '[PAGEURL]',
      app_bundle: '[APPBUNDLE]',
      ifa: '[IFA]',
      cb: '[CACHEBUSTING]',
      gdpr: '[REGULATIONS]',
      gdpr_consent: '[GDPRCONSENT]',
      gpp: '[GPPSTRING]',
      gpp_sid: '[GPPSECTIONID]',
      coppa: '[REGULATIONS]',
      lmt: '[LIMITADTRACKING]',
    },
    code: urlCode,
  },
  bannerPage: {
    title: 'Page',
    calls: 'banner',
    group: 'Pages',
    form: 'html',
    fileName: 'banner.html',
    guide: 'players',
    help: `Goes into the page where the banner is to be. Without an ad its frame stays empty. ${consent}`,
    macros: {},
    code: bannerPageCode,
  },
  adManagerBanner: {
    title: 'Google Ad Manager',
    calls: 'banner',
    group: 'Ad servers',
    form: 'html',
    fileName: 'ad-manager-banner.html',
    guide: 'ad-manager',
    help: 'Add a creative of the type Third party to a display line item and paste this as its code. Ad Manager fills in page, device ID and consent.',
    macros: adManager,
    code: frameCode,
  },
  prebidJs: {
    title: 'Prebid.js',
    calls: 'rtb',
    group: 'Prebid',
    form: 'html',
    fileName: 'prebid.html',
    guide: 'prebid-js',
    help: 'Goes into the page, after your consent tools. Build `prebid.js` with `bourseBidAdapter`, the consent modules (TCF, USP, GPP) and, for native ads, `nativeRendering`. The endpoint needs `HeaderBidJs` 1 and `RevenueCountingMethod` 2.',
    macros: {},
    code: prebidJsCode,
  },
  storedImp: {
    title: 'Stored request',
    calls: 'rtb',
    group: 'Prebid',
    form: 'json',
    fileName: '{id}.json',
    guide: 'prebid-server',
    help: 'An impression that Prebid Server, in Go or Java, stores under an ID of your choice: its file name. The bidder is named as in the files for both servers.',
    macros: {},
    code: storedImpCode,
  },
  prebidServerGo: {
    title: 'Prebid Server (Go)',
    calls: 'rtb',
    group: 'Prebid',
    form: 'yaml',
    fileName: '{alias}.yaml',
    guide: 'prebid-server',
    help: "Goes into `static/bidder-info` of a prebid-server that has the adapter `bourse`. The file's name is the bidder's. Put your own address in place of the maintainer's, and your server's host into `SyncDomains` of the endpoint.",
    macros: {},
    code: prebidServerGoCode,
  },
  prebidServer: {
    title: 'Prebid Server (Java)',
    calls: 'rtb',
    group: 'Prebid',
    form: 'yaml',
    fileName: 'bourse-bidder.yaml',
    guide: 'prebid-server',
    help: "Goes into the configuration of a Prebid Server in Java, from version 4.0: an alias of its generic adapter for this endpoint alone. That adapter takes a bid's medium from the impression, so ask for one medium in each. Put your own address in place of the maintainer's, and your server's host into `SyncDomains` of the endpoint.",
    macros: {},
    code: prebidServerJavaCode,
  },
  prebidCreative: {
    title: 'Ad Manager creative',
    calls: 'rtb',
    group: 'Ad servers',
    form: 'html',
    fileName: 'prebid-creative.html',
    guide: 'ad-manager',
    help: 'For line items of Google Ad Manager that stand for bids of Prebid.js. Add a creative of the type Third party, 1×1, and paste this as its code. The page calls `pbjs.setTargetingForGPTAsync()` before it asks Ad Manager.',
    macros: {},
    code: universalCreative,
  },
  prebidVideoCreative: {
    title: 'Ad Manager video creative',
    calls: 'rtb',
    medium: 'video',
    group: 'Ad servers',
    form: 'url',
    fileName: 'prebid-video-creative.txt',
    guide: 'ad-manager',
    help: "For video line items of Google Ad Manager that stand for bids of Prebid.js. Add a creative of the type Redirect and paste this as its VAST tag URL. If the page's `cache.url` is another, put that in place of the part before the question mark.",
    macros: {},
    code: cachedVideoUrl,
  },
  lineItems: {
    title: 'Ad Manager line items',
    calls: 'rtb',
    group: 'Ad servers',
    form: 'csv',
    fileName: 'line-items.csv',
    guide: 'ad-manager',
    help: "A line item for each price of Prebid's default granularity (`medium`): its rate, and the key-value that it targets. Ad Manager cannot import line items from a file; create them by this list, or with Line Item Manager.",
    macros: {},
    code: lineItemsCode,
  },
  lineItemManager: {
    title: 'Line Item Manager',
    calls: 'rtb',
    group: 'Ad servers',
    form: 'yaml',
    fileName: 'line-items.yaml',
    guide: 'ad-manager',
    help: "The configuration of Prebid's Line Item Manager, which creates the same line items and their creatives in Google Ad Manager. Put your own ad units in place of the one named.",
    macros: {},
    code: lineItemManagerCode,
  },
  openRtb: {
    title: 'OpenRTB request',
    calls: 'rtb',
    group: 'Own server',
    form: 'sh',
    fileName: 'bid-request.sh',
    guide: 'publishers',
    help: 'Your server sends an OpenRTB 2.5 or 2.6 bid request by POST. This is an example to run as it is; consent goes into `regs` and `user`.',
    macros: {},
    code: openRtbCode,
  },
  popServer: {
    title: 'Server code',
    calls: 'pop',
    group: 'Own server',
    form: 'javascript',
    fileName: 'pop-server.js',
    guide: 'publishers',
    help: 'Your server asks for each visitor, and sends the visitor to `click` of the answer. Give each source of visitors its own `subid`, and pass on the consent that you have.',
    macros: {},
    code: popServerCode,
  },
  directLink: {
    title: 'Link in a page',
    calls: 'direct',
    group: 'Pages',
    form: 'html',
    fileName: 'link.html',
    guide: 'publishers',
    help: `Goes into the page as a link: the auction is held when the visitor follows it. ${consent}`,
    macros: {},
    code: directLinkCode,
  },
} as const satisfies Readonly<Record<string, Integration>>;

export type IntegrationName = keyof typeof integrations;

export const integrationRows = Object.entries(integrations) as readonly (readonly [
  IntegrationName,
  Integration,
])[];
