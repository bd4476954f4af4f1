import { htmlText } from './html-text.ts';

export const prebidMedia = ['banner', 'video', 'native', 'audio'] as const;
export type PrebidMedium = (typeof prebidMedia)[number];

/** A tag, as it goes into code: its URL with the platform's macros, and what its object says of the place. */
export interface Tag {
  readonly url: string;
  readonly id: number;
  readonly width: number;
  readonly height: number;
  /** What an RTB EP takes. */
  readonly media: readonly PrebidMedium[];
  /** The exchange's ID in the Global Vendor List; 0 = none. */
  readonly vendor: number;
  /** What the exchange is called as a bidder: small letters and digits. */
  readonly alias: string;
}

/** A string literal of JavaScript that ends no script element; of JSON and YAML, too. */
export const literal = (text: string) =>
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

const imps: Readonly<Record<PrebidMedium, string>> = {
  banner: '{ "id": "1", "banner": { "w": 300, "h": 250 }, "bidfloor": 0.5 }',
  video:
    '{ "id": "2", "video": { "w": 640, "h": 360, "mimes": [ "video/mp4" ], "protocols": [ 2, 3 ] }, "bidfloor": 2 }',
  native: String.raw`{ "id": "3", "native": { "request": "{ \"ver\": \"1.2\", \"assets\": [ { \"id\": 1, \"required\": 1, \"title\": { \"len\": 90 } } ] }" } }`,
  audio: '{ "id": "4", "audio": { "mimes": [ "audio/mpeg" ], "protocols": [ 9, 10 ] } }',
};

export const openRtbCode = (tag: Tag) => `curl -sS --fail-with-body \\
  -H 'Content-Type: application/json' ${shellWord(tag.url)} -d '{
  "id": "1", "at": 1, "cur": [ "USD" ], "tmax": 300,
  "imp": [ ${tag.media.map((medium) => imps[medium]).join(',\n    ')} ],
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
