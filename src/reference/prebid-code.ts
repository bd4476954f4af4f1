import { csvLines } from './csv.ts';
import { literal, type PrebidMedium, type Tag } from './integration-code.ts';

/** What the adapters in `integrations/` take. */
function paramsOf(url: string) {
  const { origin, pathname, searchParams } = new URL(url);
  const [zone, auth] = [Number(searchParams.get('zone')), searchParams.get('auth') ?? ''];
  return { endpoint: `${origin}${pathname}`, zone, auth };
}

type PrebidJsMedium = Exclude<PrebidMedium, 'audio'>;

const mediaTypes: Readonly<Record<PrebidJsMedium, string>> = {
  banner: 'banner: { sizes: [[300, 250], [728, 90]] }',
  video: `video: {
            context: 'instream',
            playerSize: [640, 360],
            mimes: ['video/mp4'],
            protocols: [2, 3],
            plcmt: 1,
          }`,
  native: `native: {
            adTemplate:
              '<a href="##hb_native_linkurl##"><img src="##hb_native_asset_id_2##" alt="">##hb_native_asset_id_1##</a>',
            ortb: {
              ver: '1.2',
              assets: [
                { id: 1, required: 1, title: { len: 90 } },
                { id: 2, required: 1, img: { type: 3, wmin: 300, hmin: 157 } },
              ],
            },
          }`,
};

const isForPages = (medium: PrebidMedium): medium is PrebidJsMedium => medium !== 'audio';
const frame = (name: string) =>
  `<iframe id="${name}" title="Advertisement" width="0" height="0" style="border: 0" scrolling="no"></iframe>\n`;

/** Prebid asks the page's consent tools by itself; the adapter passes on what they say. */
export function prebidJsCode({ url, id, media, vendor, alias }: Tag): string {
  const { endpoint, zone, auth } = paramsOf(url);
  const units = media.filter(isForPages).map((medium) => ({ medium, name: `${medium}-${id}` }));
  const frames = units.filter(({ medium }) => medium !== 'video').map(({ name }) => name);
  const videos = units.filter(({ medium }) => medium === 'video');
  const gvlid = vendor === 0 ? '' : `, { gvlid: ${vendor} }`;
  return `<script async src="prebid.js"></script>
${frames.map(frame).join('')}<script>
  var pbjs = window.pbjs || {};
  pbjs.que = pbjs.que || [];
  pbjs.que.push(() => {
    // To give the bidder another name: pbjs.aliasBidder('bourse', '${alias}'${gvlid}); and that name below.
    const bids = [
      { bidder: 'bourse', params: { endpoint: ${literal(endpoint)}, zone: ${zone}, auth: ${literal(auth)} } },
    ];
    pbjs.setConfig({
      userSync: { filterSettings: { iframe: { bidders: ['bourse'], filter: 'include' } } },
    });
    // Prebid waits for the consent tools that it is told of: those that the page has.
    const tools = { gdpr: '__tcfapi', usp: '__uspapi', gpp: '__gpp' };
    for (const [name, api] of Object.entries(tools))
      if (window[api]) pbjs.mergeConfig({ consentManagement: { [name]: { cmpApi: 'iab', timeout: 1000 } } });
    pbjs.addAdUnits([
${units
  .map(
    ({ medium, name }) => `      {
        code: '${name}',
        mediaTypes: {
          ${mediaTypes[medium]},
        },
        bids,
      },\n`,
  )
  .join('')}    ]);
    pbjs.requestBids({
      bidsBackHandler: () => {
        for (const code of [${frames.map((name) => `'${name}'`).join(', ')}]) {
          const [bid] = pbjs.getHighestCpmBids(code);
          if (bid) pbjs.renderAd(document.getElementById(code).contentDocument, bid.adId);
        }
${videos
  .map(
    ({ name }) => `        const [video] = pbjs.getHighestCpmBids('${name}');
        if (video) {
          pbjs.markWinningBidAsUsed({ adId: video.adId, adUnitCode: video.adUnitCode, events: true });
          // Hand this VAST to your player.
          window.dispatchEvent(new CustomEvent('vast', { detail: video.vastXml }));
        }
`,
  )
  .join('')}      },
    });
  });
</script>
`;
}

const storedMedia: Readonly<Record<PrebidMedium, object>> = {
  banner: {
    format: [
      { w: 300, h: 250 },
      { w: 728, h: 90 },
    ],
  },
  video: { mimes: ['video/mp4'], w: 640, h: 360, protocols: [2, 3], plcmt: 1 },
  native: {
    ver: '1.2',
    request: JSON.stringify({
      ver: '1.2',
      assets: [
        { id: 1, required: 1, title: { len: 90 } },
        { id: 2, required: 1, img: { type: 3, wmin: 300, hmin: 157 } },
      ],
    }),
  },
  audio: { mimes: ['audio/mpeg'], protocols: [9, 10] },
};

/** An impression that both Prebid Servers store by an ID. */
export function storedImpCode({ url, media, alias }: Tag): string {
  const bidder = { [alias]: paramsOf(url) };
  const imp = {
    ...Object.fromEntries(media.map((medium) => [medium, storedMedia[medium]])),
    ext: { prebid: { bidder } },
  };
  return `${JSON.stringify(imp, undefined, 2)}\n`;
}

const maintainerOf = (endpoint: string) => `adops@${new URL(endpoint).hostname}`;

/** What each server fills into URLs of user syncs, by our parameters. */
const goMacros = {
  gdpr: '{{.GDPR}}',
  gdpr_consent: '{{.GDPRConsent}}',
  us_privacy: '{{.USPrivacy}}',
  gpp: '{{.GPP}}',
  gpp_sid: '{{.GPPSID}}',
  redirect: '{{.RedirectURL}}',
};
const javaMacros = {
  gdpr: '{gdpr}',
  gdpr_consent: '{gdpr_consent}',
  us_privacy: '{us_privacy}',
  gpp: '{gpp}',
  gpp_sid: '{gpp_sid}',
  redirect: '{redirect_url}',
};

/** Where a viewer's matches are handed over (reference, "User sync"); as a frame, partners match before. */
function syncUrl(url: string, macros: typeof goMacros, type?: 'iframe'): string {
  const { origin, search } = new URL(url);
  const pairs = Object.entries({ ...(type && { type }), ...macros }).map(
    ([name, value]) => `${name}=${value}`,
  );
  return literal(`${origin}/sync${search}&${pairs.join('&')}`);
}

/** `static/bidder-info/` of prebid-server: https://docs.prebid.org/prebid-server/developers/add-new-bidder-go.html. */
export function prebidServerGoCode({ url, vendor }: Tag): string {
  const { endpoint } = paramsOf(url);
  return `aliasOf: bourse
disabled: false
endpoint: ${literal(`${endpoint}?zone={{.ZoneID}}&auth={{.AccountID}}`)}
${vendor === 0 ? '' : `gvlVendorID: ${vendor}\n`}maintainer:
  email: ${literal(maintainerOf(endpoint))}
userSync:
  default: iframe
  iframe:
    url: ${syncUrl(url, goMacros, 'iframe')}
    userMacro: "$UID"
  redirect:
    url: ${syncUrl(url, goMacros)}
    userMacro: "$UID"
`;
}

/** `bidder-config/generic.yaml` of prebid-server-java 4.0 has the same members; before, macros had two braces. */
export function prebidServerJavaCode({ url, media, vendor, alias }: Tag): string {
  const types = media.join(', ');
  return `adapters:
  generic:
    enabled: true
    aliases:
      ${alias}:
        enabled: true
        endpoint: ${literal(url)}
        endpoint-compression: gzip
        meta-info:
          maintainer-email: ${literal(maintainerOf(url))}
          app-media-types: [${types}]
          site-media-types: [${types}]
          supported-vendors: []
          vendor-id: ${vendor}
        usersync:
          enabled: true
          cookie-family-name: ${alias}
          iframe:
            url: ${syncUrl(url, javaMacros, 'iframe')}
            uid-macro: "$UID"
          redirect:
            url: ${syncUrl(url, javaMacros)}
            uid-macro: "$UID"
`;
}

/** https://docs.prebid.org/adops/gam-creative-banner-sbs.html, for the highest bid alone. */
export const universalCreative =
  () => `<script src="https://cdn.jsdelivr.net/npm/prebid-universal-creative@latest/dist/%%PATTERN:hb_format%%.js"></script>
<script>
  var ucTagData = {};
  ucTagData.adServerDomain = "";
  ucTagData.pubUrl = "%%PATTERN:url%%";
  ucTagData.targetingMap = %%PATTERN:TARGETINGMAP%%;
  ucTagData.hbPb = "%%PATTERN:hb_pb%%";
  ucTagData.requestAllAssets = true;
  ucTagData.clickUrlUnesc = "%%CLICK_URL_UNESC%%";
  try {
    ucTag.renderAd(document, ucTagData);
  } catch (e) {
    console.log(e);
  }
</script>
`;

/** Prebid's own cache; `cache.url` of the page names the same. */
export const cachedVideoUrl = () => 'https://prebid.adnxs.com/pbc/v1/cache?uuid=%%PATTERN:hb_uuid%%';

/** Prebid's price granularity `medium`, its default, in cents. */
const priceStep = 10;
const priceMax = 2000;

/** Ad Manager imports no line items from files, so these columns are what its form and its API ask for. */
export function lineItemsCode(): string {
  const line = csvLines();
  const head = ['Line item', 'Type', 'Rate', 'Currency', 'Key', 'Value'];
  const rows = Array.from({ length: priceMax / priceStep }, (_, index) => {
    const price = (((index + 1) * priceStep) / 100).toFixed(2);
    return [`Prebid ${price}`, 'Price priority', price, 'USD', 'hb_pb', price];
  });
  return [head, ...rows].map((cells) => line(cells)).join('');
}

const indented = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');

/** The configuration of https://github.com/prebid/line-item-manager, which makes line items by Ad Manager's API. */
export const lineItemManagerCode = ({ media }: Tag) => `advertiser:
  name: "Prebid"
creative:
  name: "Prebid {{ bidder_name }} {{ media_type }}"
${
  media.includes('video')
    ? `  video:
    sizes:
      - { width: 640, height: 360 }
    vast_xml_url: ${literal(cachedVideoUrl())}
`
    : ''
}  banner:
    sizes:
      - { width: 300, height: 250 }
      - { width: 728, height: 90 }
    snippet: |
${indented(universalCreative())}
order:
  name: "Prebid {{ bidder_name }} {{ media_type }} {{ cpm_min }}-{{ cpm_max }}"
line_item:
  name: "Prebid {{ media_type }} {{ cpm }}"
  priority_type: "price_priority"
targeting:
  ad_unit_names:
    - "name of your ad unit"
rate:
  currency: "USD"
  cpm_buckets:
    - { min: ${(priceStep / 100).toFixed(2)}, max: ${(priceMax / 100).toFixed(2)}, interval: ${(priceStep / 100).toFixed(2)} }
`;
