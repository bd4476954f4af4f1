import {
  bannerPageCode,
  directLinkCode,
  frameCode,
  imaCode,
  jwPlayerCode,
  openRtbCode,
  popServerCode,
  prebidJsCode,
  prebidServerCode,
  type Tag,
  urlCode,
  videoJsCode,
} from './integration-code.ts';

/** What calls a supply object, and how. */
export interface Integration {
  readonly title: string;
  /** The endpoint that its code calls: the last part of the path of a zone, feed or direct URL. */
  readonly calls: 'vast' | 'banner' | 'rtb' | 'pop' | 'direct';
  /** What the publisher does with the code, and what it fills in. */
  readonly help: string;
  /** Parameters of the URL, each with the platform's own macro; all others are left out. */
  readonly macros: Readonly<Record<string, string>>;
  /** Whether macros name the exchange by its ID in the Global Vendor List (`_VENDOR`). */
  readonly namesVendor?: true;
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
    help: `Goes into the page. The plugin videojs-ima needs videojs-contrib-ads and Google's SDK; the code loads all of them. ${consent} ${filmHelp}`,
    macros: {},
    code: videoJsCode,
  },
  ima: {
    title: 'Google IMA',
    calls: 'vast',
    help: `Goes into the page: Google's IMA SDK plays the ad before a plain video. ${consent} ${filmHelp}`,
    macros: {},
    code: imaCode,
  },
  adManagerVideo: {
    title: 'Google Ad Manager',
    calls: 'vast',
    help: 'Add a creative of the type Redirect to a video line item and paste this as its VAST tag URL. Ad Manager fills in page, device ID and consent.',
    macros: adManager,
    namesVendor: true,
    code: urlCode,
  },
  springServe: {
    title: 'SpringServe',
    calls: 'vast',
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
    help: `Goes into the page where the banner is to be. Without an ad its frame stays empty. ${consent}`,
    macros: {},
    code: bannerPageCode,
  },
  adManagerBanner: {
    title: 'Google Ad Manager',
    calls: 'banner',
    help: 'Add a creative of the type Third party to a display line item and paste this as its code. Ad Manager fills in page, device ID and consent.',
    macros: adManager,
    namesVendor: true,
    code: frameCode,
  },
  prebidJs: {
    title: 'Prebid.js',
    calls: 'rtb',
    help: 'Goes into the page, after your consent tools and a Prebid.js built with prebidServerBidAdapter and the consent modules (TCF, USP, GPP). Set HeaderBidJs of the endpoint to 1 and RevenueCountingMethod to 2.',
    macros: {},
    code: prebidJsCode,
  },
  prebidServer: {
    title: 'Prebid Server',
    calls: 'rtb',
    help: 'Goes into the configuration of a Prebid Server in Java, which then knows the bidder `exchange`. It sends OpenRTB with the consent of the request.',
    macros: {},
    code: prebidServerCode,
  },
  openRtb: {
    title: 'Own server',
    calls: 'rtb',
    help: 'Your server sends an OpenRTB 2.5 or 2.6 bid request by POST. This is an example to run as it is; consent goes into `regs` and `user`.',
    macros: {},
    code: openRtbCode,
  },
  popServer: {
    title: 'Own server',
    calls: 'pop',
    help: 'Your server asks for each visitor, and sends the visitor to `click` of the answer. Give each source of visitors its own `subid`, and pass on the consent that you have.',
    macros: {},
    code: popServerCode,
  },
  directLink: {
    title: 'Link in a page',
    calls: 'direct',
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
