import { htmlText } from './html-text.ts';

/** A tag, as it goes into code: its URL with the platform's macros, and what its object says of the place. */
export interface Tag {
  readonly url: string;
  readonly id: number;
  readonly width: number;
  readonly height: number;
  /** Media that an RTB EP takes. */
  readonly hasBanner: boolean;
  readonly hasVideo: boolean;
}

/** A string literal of JavaScript that ends no script element; of JSON and YAML, too. */
const literal = (text: string) =>
  JSON.stringify(text).replaceAll(
    /[<>\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const shellWord = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Makes the address of a request: the page, a number against caches, and what the consent tool says (TCF 2, US Privacy,
 * GPP). It waits a second for the visitor's choice at most; macros that the URL has stay.
 */
const adUrl = (url: string, page: string) => `  const ask = (name, call) =>
    new Promise((resolve) => {
      let latest;
      const api = window[name];
      if (typeof api !== 'function') return resolve();
      setTimeout(() => resolve(latest), 1000);
      call(api, (answer, isFinal) => {
        latest = answer;
        if (isFinal) resolve(answer);
      });
    });
  async function adUrl() {
    const [tcf, usp, gpp] = await Promise.all([
      ask('__tcfapi', (api, tell) =>
        api('addEventListener', 2, (data, isOk) => {
          if (isOk) tell(data, data.eventStatus !== 'cmpuishown');
        }),
      ),
      ask('__uspapi', (api, tell) => api('getUSPData', 1, (data) => tell(data, true))),
      ask('__gpp', (api, tell) => api('ping', (data) => tell(data, true))),
    ]);
    const values = {
      ${page}: location.href,
      cb: Date.now(),
      gdpr: tcf?.gdprApplies === undefined ? undefined : Number(tcf.gdprApplies),
      gdpr_consent: tcf?.tcString,
      us_privacy: usp?.uspString,
      gpp: gpp?.gppString,
      gpp_sid: gpp?.applicableSections?.join(),
    };
    const url = new URL(${literal(url)});
    for (const [name, value] of Object.entries(values))
      if (value !== undefined && !url.searchParams.has(name)) url.searchParams.set(name, value);
    return url.href;
  }
`;

const module = (url: string, code: string, page = 'site_url') => `<script type="module">
${adUrl(url, page)}${code}</script>
`;

export const jwPlayerCode = ({ url, id }: Tag) => `<div id="player-${id}"></div>
${module(
  url,
  `  jwplayer('player-${id}').setup({
    file: 'https://media.example/film.mp4',
    advertising: { client: 'vast', tag: await adUrl() },
  });
`,
)}`;

export const videoJsCode = ({ url, id, width, height }: Tag) => `<link rel="stylesheet" href="video-js.css">
<link rel="stylesheet" href="videojs.ima.css">
<video id="player-${id}" class="video-js" controls width="${width}" height="${height}">
  <source src="https://media.example/film.mp4" type="video/mp4">
</video>
<script src="https://imasdk.googleapis.com/js/sdkloader/ima3.js"></script>
<script src="video.js"></script>
<script src="videojs-contrib-ads.js"></script>
<script src="videojs.ima.js"></script>
${module(url, `  videojs('player-${id}').ima({ adTagUrl: await adUrl() });\n`)}`;

export const imaCode = ({
  url,
  id,
  width,
  height,
}: Tag) => `<div style="position: relative; width: ${width}px; height: ${height}px">
  <video id="video-${id}" controls playsinline width="${width}" height="${height}" src="https://media.example/film.mp4"></video>
  <div id="ads-${id}" hidden style="position: absolute; inset: 0"></div>
</div>
<script src="https://imasdk.googleapis.com/js/sdkloader/ima3.js"></script>
${module(
  url,
  `  const { AdDisplayContainer, AdErrorEvent, AdEvent, AdsLoader, AdsManagerLoadedEvent, AdsRequest } = google.ima;
  const video = document.getElementById('video-${id}');
  const ads = document.getElementById('ads-${id}');
  const container = new AdDisplayContainer(ads, video);
  const loader = new AdsLoader(container);
  const show = (isAd) => {
    ads.hidden = !isAd;
    if (isAd) video.pause();
    else video.play();
  };
  loader.addEventListener(AdErrorEvent.Type.AD_ERROR, () => show(false));
  loader.addEventListener(AdsManagerLoadedEvent.Type.ADS_MANAGER_LOADED, (event) => {
    const manager = event.getAdsManager(video);
    manager.addEventListener(AdErrorEvent.Type.AD_ERROR, () => {
      manager.destroy();
      show(false);
    });
    manager.addEventListener(AdEvent.Type.CONTENT_PAUSE_REQUESTED, () => show(true));
    manager.addEventListener(AdEvent.Type.CONTENT_RESUME_REQUESTED, () => show(false));
    manager.init(${width}, ${height});
    manager.start();
  });
  const begin = async () => {
    container.initialize();
    const request = new AdsRequest();
    request.adTagUrl = await adUrl();
    request.linearAdSlotWidth = ${width};
    request.linearAdSlotHeight = ${height};
    loader.requestAds(request);
  };
  video.addEventListener('play', begin, { once: true });
`,
)}`;

/** For ad servers and players that fill in the macros themselves. */
export const urlCode = ({ url }: Tag) => url;

export const frameCode = ({ url, width, height }: Tag) => `<iframe src="${htmlText(url)}"
  width="${width}" height="${height}" style="border: 0" scrolling="no" title="Advertisement"></iframe>
`;

export const bannerPageCode = ({ url, id, width, height }: Tag) => `<div id="ad-${id}"></div>
${module(
  url,
  `  const frame = document.createElement('iframe');
  Object.assign(frame, { width: ${width}, height: ${height}, scrolling: 'no', title: 'Advertisement' });
  frame.style.border = '0';
  frame.src = await adUrl();
  document.getElementById('ad-${id}').append(frame);
`,
)}`;

const bannerUnit = `
      { code: 'banner', mediaTypes: { banner: { sizes: [[728, 90], [300, 250]] } }, bids },`;
const videoUnit = `
      {
        code: 'video',
        mediaTypes: {
          video: { context: 'instream', playerSize: [640, 360], mimes: ['video/mp4'], protocols: [2, 3] },
        },
        bids,
      },`;

/** Prebid asks the page's consent tools by itself and sends what they say in `regs` and `user`. */
export const prebidJsCode = ({ url, hasBanner, hasVideo }: Tag) => `<script>
  var pbjs = window.pbjs || {};
  pbjs.que = pbjs.que || [];
  pbjs.que.push(() => {
    const endpoint = ${literal(url)};
    pbjs.setConfig({
      s2sConfig: {
        accountId: '1',
        bidders: ['exchange'],
        adapter: 'prebidServer',
        enabled: true,
        timeout: 1000,
        allowUnknownBidderCodes: true,
        endpoint: { p1Consent: endpoint, noP1Consent: endpoint },
      },
    });
    // Prebid waits for the consent tools that it is told of: those that the page has.
    const tools = { gdpr: '__tcfapi', usp: '__uspapi', gpp: '__gpp' };
    for (const [name, api] of Object.entries(tools))
      if (window[api]) pbjs.mergeConfig({ consentManagement: { [name]: { cmpApi: 'iab', timeout: 1000 } } });
    const bids = [{ bidder: 'exchange', params: {} }];
    pbjs.addAdUnits([${hasBanner ? bannerUnit : ''}${hasVideo ? videoUnit : ''}
    ]);
    pbjs.requestBids({
      bidsBackHandler: () => {
${
  hasBanner
    ? `        const [banner] = pbjs.getHighestCpmBids('banner');
        if (banner) pbjs.renderAd(document.getElementById('slot').contentDocument, banner.adId);
`
    : ''
}${
  hasVideo
    ? `        // VAST for your player, if somebody buys.
        const [video] = pbjs.getHighestCpmBids('video');
        if (video) console.log(video.vastXml);
`
    : ''
}      },
    });
  });
</script>
`;

export const prebidServerCode = ({ url }: Tag) => `adapters:
  generic:
    enabled: true
    aliases:
      exchange:
        enabled: true
        endpoint: ${literal(url)}
`;

const imps = ({ hasBanner, hasVideo }: Tag) => [
  ...(hasBanner ? ['{ "id": "1", "banner": { "w": 300, "h": 250 }, "bidfloor": 0.5 }'] : []),
  ...(hasVideo
    ? [
        '{ "id": "2", "video": { "w": 640, "h": 360, "mimes": [ "video/mp4" ], "protocols": [ 2, 3 ] }, "bidfloor": 2 }',
      ]
    : []),
];

export const openRtbCode = (tag: Tag) => `curl -sS --fail-with-body \\
  -H 'Content-Type: application/json' ${shellWord(tag.url)} -d '{
  "id": "1", "at": 1, "cur": [ "USD" ], "tmax": 300,
  "imp": [ ${imps(tag).join(',\n    ')} ],
  "site": { "domain": "news.example", "page": "https://news.example/" },
  "device": { "ip": "192.0.2.7", "ua": "Mozilla/5.0" },
  "regs": { "gdpr": 0, "us_privacy": "1YNN", "gpp": "", "gpp_sid": [ ] },
  "user": { "consent": "" } }'
`;

export const popServerCode = ({ url }: Tag) => `/** Asks for an ad for a visitor; undefined if nobody buys. */
export async function popFor(visitor) {
  const url = new URL(${literal(url)});
  const values = {
    user_ip: visitor.ip,
    ua: visitor.userAgent,
    url: visitor.pageUrl,
    subid: visitor.source,
    query: visitor.keywords,
    uid: visitor.id,
    gdpr: visitor.gdpr,
    gdpr_consent: visitor.tcfString,
    us_privacy: visitor.usPrivacy,
    gpp: visitor.gppString,
    gpp_sid: visitor.gppSections?.join(),
  };
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) url.searchParams.set(name, value);
  const answer = await fetch(url);
  if (answer.status !== 200) return undefined;
  const { result: [ad] } = await answer.json();
  // Send the visitor to \`click\` within ten minutes: that visit counts and pays.
  return ad?.click;
}
`;

export const directLinkCode = ({ url, id }: Tag) => `<a id="link-${id}" href="${htmlText(url)}">More</a>
${module(url, `  document.getElementById('link-${id}').href = await adUrl();\n`, 'url')}`;
