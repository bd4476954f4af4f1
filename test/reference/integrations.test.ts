import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { vastQuery } from '../../src/entities/zone-macros.ts';
import { isUnfilled } from '../../src/protocols/unfilled.ts';
import { snippetOf } from '../../src/reference/integration-snippet.ts';
import { type Integration, integrationRows, integrations } from '../../src/reference/integrations.ts';

const server = 'https://ads.example';
const { $schema: _, ...bidderParams } = JSON.parse(
  readFileSync(
    new URL('../../integrations/prebid-server/static/bidder-params/bourse.json', import.meta.url),
    'utf8',
  ),
) as { readonly $schema?: string };
/** As objects of each kind hand them out, all together. */
const urls = [
  `${server}/vast?zone=7&auth=secret${vastQuery}`,
  `${server}/banner?zone=7&auth=secret${vastQuery}`,
  `${server}/rtb?zone=7&auth=secret`,
  `${server}/pop?feed=7&auth=secret&subid={subid}&ua={ua}`,
  `${server}/pop?feed=7&auth=secret&subid={subid}&ua={ua}&format=json`,
  `${server}/direct?feed=7&auth=secret`,
];
const object = { Id: 7, Name: 'Zone', Width: 0, Height: 0, BannerEnabled: 1, VideoEnabled: 1 };

function snippet(integration: Integration, changes: object = {}, vendor = 0, of = urls): string {
  const tagged = { object: { ...object, ...changes }, urls: of, vendor, exchange: 'Acme Ads, Inc.' };
  return snippetOf(integration, tagged)?.code ?? assert.fail(`${integration.title} has no code`);
}

/** What stands for bids in an ad server, whichever exchange they come from. */
const ofPrebid = ['prebidCreative', 'prebidVideoCreative', 'lineItems', 'lineItemManager'];
/** Takes URL and credential apart. */
const adapters = ['prebidJs', 'storedImp', 'prebidServerGo'];

/** The first URL of a snippet, as the page or server that has it would read it. */
function urlIn(code: string): { readonly path: string; readonly values: ReadonlyMap<string, string> } {
  const [found = ''] = /https:\/\/ads\.example\/[^"'<>\s]+/.exec(code) ?? [];
  const [path = '', query = ''] = found.replaceAll('&amp;', '&').split('?');
  // As it is written: decoded, the first letters of `%%AD…%%` would be a byte.
  const pairs = query.split('&').map((pair) => pair.split('='));
  return {
    path: path.slice(server.length),
    values: new Map(pairs.map(([name = '', value = '']) => [name, value])),
  };
}

for (const [name, integration] of integrationRows) {
  describe(`the code for ${integration.title} (${name})`, () => {
    const isTag = ![...ofPrebid, ...adapters].includes(name);
    if (isTag)
      test('calls its endpoint with the credential, and with no value that is not the platform’s own', () => {
        const { path, values } = urlIn(snippet(integration));
        assert.equal(path, `/${integration.calls}`);
        assert.equal(values.get('auth'), 'secret');
        const known = new Set(['zone', 'feed', 'auth', 'format', 'width', 'height']);
        for (const [parameter, value] of values) {
          const macro = (integration.macros as Readonly<Record<string, string>>)[parameter];
          if (macro === undefined) assert.ok(known.has(parameter), `${parameter}=${value}`);
          // A platform that does not know its own macro after all does no harm.
          else assert.ok(isUnfilled(value), `${parameter}=${value}`);
        }
      });

    test('stays code, whatever the address of the server is', () => {
      const hostile = '"\'`</script><script>own()</script>&\u2028';
      const code = snippet(
        integration,
        {},
        0,
        urls.map((url) => url.replace('secret', hostile)),
      );
      if (!snippet(integration).includes('</')) return;
      assert.doesNotMatch(code, /<script>own|(?<!\\)"'`/);
      if (/type="module"/.test(code)) new AsyncFunction(moduleOf(code));
    });
  });
}

const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...texts: string[]
) => (...values: unknown[]) => Promise<void>;

/** The script of a snippet. */
function moduleOf(code: string): string {
  return /<script type="module">(.*)<\/script>/s.exec(code)?.[1] ?? assert.fail(code);
}

/** What a page's code asks for, where the page has these consent tools. */
async function askedBy(integration: Integration, tools: object): Promise<URL> {
  let asked = '';
  const seen = (url: string) => {
    asked = url;
  };
  const element = (member: string) =>
    Object.defineProperty({ style: {}, append: () => undefined }, member, { set: seen });
  const page = {
    window: tools,
    location: { href: 'https://news.example/a?b=1&c="' },
    document: { createElement: () => element('src'), getElementById: () => element('href') },
    jwplayer: () => ({
      setup: ({ advertising }: { readonly advertising: { readonly tag: string } }) => seen(advertising.tag),
    }),
    videojs: () => ({ ima: ({ adTagUrl }: { readonly adTagUrl: string }) => seen(adTagUrl) }),
    setTimeout: (act: () => void) => setImmediate(act),
  };
  await new AsyncFunction(...Object.keys(page), moduleOf(snippet(integration)))(...Object.values(page));
  return new URL(asked);
}

const tools = {
  __tcfapi: (_command: string, _version: number, tell: (data: object, isOk: boolean) => void) => {
    tell({ gdprApplies: true, tcString: '', eventStatus: 'cmpuishown' }, true);
    tell({ gdprApplies: true, tcString: 'CPX&x', eventStatus: 'useractioncomplete' }, true);
  },
  __uspapi: (_command: string, _version: number, tell: (data: object) => void) => tell({ uspString: '1YYN' }),
  __gpp: (_command: string, tell: (data: object) => void) =>
    tell({ gppString: 'DBABLA~B', applicableSections: [7, 8] }),
};

describe('in a page', () => {
  for (const name of ['videoJs', 'jwPlayer', 'bannerPage', 'directLink'] as const) {
    const integration = integrations[name];
    const own = integration.macros as Readonly<Record<string, string>>;
    const page = integration.calls === 'direct' ? 'url' : 'site_url';

    test(`${name} passes on where it is and what the visitor has consented to`, async () => {
      const { searchParams } = await askedBy(integration, tools);
      const expected = {
        [page]: 'https://news.example/a?b=1&c="',
        gdpr: '1',
        gdpr_consent: 'CPX&x',
        us_privacy: '1YYN',
        gpp: 'DBABLA~B',
        gpp_sid: '7,8',
        ...own,
      };
      for (const [parameter, value] of Object.entries(expected))
        assert.equal(searchParams.get(parameter), value, parameter);
    });

    test(`${name} says what is known where the visitor has not chosen, and nothing without tools`, async () => {
      const waiting = {
        __tcfapi: (_command: string, _version: number, tell: (data: object, isOk: boolean) => void) =>
          tell({ gdprApplies: true, tcString: '', eventStatus: 'cmpuishown' }, true),
      };
      const asked = await askedBy(integration, waiting);
      if (!own.gdpr) assert.equal(asked.searchParams.get('gdpr'), '1');
      const { searchParams } = await askedBy(integration, {});
      for (const parameter of ['gdpr', 'us_privacy', 'gpp'])
        assert.equal(searchParams.get(parameter), own[parameter] ?? null, parameter);
    });
  }
});

test('an object has the platforms that can call its URLs, and show its media', () => {
  const namesOf = (of: readonly string[], changes: object = {}) => {
    const tagged = { object: { Id: 7, ...changes }, urls: of, vendor: 0, exchange: '' };
    return integrationRows.filter(([, one]) => snippetOf(one, tagged)).map(([name]) => name);
  };
  const ofRtb = namesOf(urls.slice(2, 3), { VideoEnabled: 1 });
  assert.deepEqual(ofRtb, [
    ...['prebidJs', 'storedImp', 'prebidServerGo', 'prebidServer'],
    ...ofPrebid,
    'openRtb',
  ]);
  assert.ok(!namesOf(urls.slice(2, 3)).includes('prebidVideoCreative'));
  assert.deepEqual(namesOf(urls.slice(3)), ['popServer', 'directLink']);
  assert.deepEqual(namesOf([]), []);
});

test('sizes are the object’s, unless the platform knows better', () => {
  const sized = { Width: 400, Height: 225 };
  assert.match(snippet(integrations.ima, sized), /width=400&height=225.*manager\.init\(400, 225\)/s);
  assert.match(snippet(integrations.ima), /manager\.init\(640, 360\)/);
  assert.equal(urlIn(snippet(integrations.springServe, sized)).values.get('width'), '{{WIDTH}}');
});

test('Google Ad Manager names the vendor that receives consent, if known', () => {
  assert.match(snippet(integrations.adManagerVideo, {}, 1234), /\{GDPR_CONSENT_1234\}.*\{GPP_STRING_1234\}/);
  assert.match(snippet(integrations.adManagerVideo), /\{GDPR_CONSENT\}.*\{GPP_STRING\}/);
});

const allMedia = { BannerEnabled: 1, VideoEnabled: 1, NativeEnabled: 1, AudioEnabled: 1 };

test('an RTB EP is asked for the media that it takes', () => {
  const video = snippet(integrations.prebidJs, { BannerEnabled: 0 });
  assert.ok(video.includes('context: ') && !video.includes('sizes: ') && !video.includes('iframe id'));
  const body = JSON.parse(/-d '(.*)'/s.exec(snippet(integrations.openRtb, allMedia))?.[1] ?? '') as {
    imp: readonly object[];
  };
  assert.deepEqual(
    body.imp.map((imp) => Object.keys(imp)[1]),
    ['banner', 'video', 'native', 'audio'],
  );
});

test('a stored impression has the media, and what the adapters take', () => {
  const { ext, ...media } = JSON.parse(snippet(integrations.storedImp, allMedia)) as Record<string, object>;
  assert.deepEqual(Object.keys(media), ['banner', 'video', 'native', 'audio']);
  const acmeadsinc = { endpoint: `${server}/rtb`, zone: 7, auth: 'secret' };
  assert.deepEqual(ext, { prebid: { bidder: { acmeadsinc } } });
  const isTaken = new Ajv({ strict: false }).compile(bidderParams);
  assert.ok(isTaken(acmeadsinc), JSON.stringify(isTaken.errors));
});

test('Prebid Server is given an alias that reads as its own files do', () => {
  const { userSync, ...go } = parse(snippet(integrations.prebidServerGo, {}, 755)) as {
    readonly userSync: Readonly<Record<'iframe' | 'redirect', { readonly url: string }>>;
  };
  assert.equal(
    userSync.redirect.url,
    `${server}/sync?zone=7&auth=secret&gdpr={{.GDPR}}&gdpr_consent={{.GDPRConsent}}&us_privacy={{.USPrivacy}}&gpp={{.GPP}}&gpp_sid={{.GPPSID}}&redirect={{.RedirectURL}}`,
  );
  assert.equal(userSync.iframe.url, userSync.redirect.url.replace('&gdpr=', '&type=iframe&gdpr='));
  assert.deepEqual(go, {
    aliasOf: 'bourse',
    disabled: false,
    endpoint: `${server}/rtb?zone={{.ZoneID}}&auth={{.AccountID}}`,
    gvlVendorID: 755,
    maintainer: { email: 'adops@ads.example' },
  });
  assert.doesNotMatch(snippet(integrations.prebidServerGo), /gvlVendorID/);
});

const only = (properties: object) => ({ type: 'object', additionalProperties: false, properties });
const javaMethod = only({ url: {}, 'uid-macro': {}, 'format-override': {} });
/**
 * What prebid-server-java 4.0.0 reads of a bidder, by `BidderConfigurationProperties`, `MetaInfo` and `Usersync…` in
 * its folder `spring/config/bidder/model`, as far as there is a use for it.
 */
const javaBidder = {
  ...only({
    enabled: { type: 'boolean' },
    endpoint: { type: 'string', minLength: 1 },
    'endpoint-compression': { enum: ['none', 'gzip'] },
    'meta-info': {
      ...only({
        'maintainer-email': { type: 'string', minLength: 1 },
        'app-media-types': { items: { enum: ['banner', 'video', 'native', 'audio'] } },
        'site-media-types': { items: { enum: ['banner', 'video', 'native', 'audio'] } },
        'supported-vendors': {},
        'vendor-id': { type: 'integer' },
      }),
      required: ['maintainer-email', 'vendor-id'],
    },
    usersync: {
      ...only({ enabled: {}, 'cookie-family-name': {}, redirect: javaMethod, iframe: javaMethod }),
      required: ['cookie-family-name'],
    },
  }),
  required: ['endpoint', 'meta-info'],
};

test('Prebid Server in Java is given an alias of its generic adapter, with members that it reads', () => {
  const { adapters: java } = parse(snippet(integrations.prebidServer, allMedia, 755)) as {
    readonly adapters: { readonly generic: { readonly aliases: Readonly<Record<string, object>> } };
  };
  const alias = java.generic.aliases.acmeadsinc;
  const isRead = new Ajv({ strict: false }).compile(javaBidder);
  assert.ok(isRead(alias), JSON.stringify(isRead.errors));
  // The macros of its `UsersyncInfoFactory`.
  const url = `${server}/sync?zone=7&auth=secret&gdpr={gdpr}&gdpr_consent={gdpr_consent}&us_privacy={us_privacy}&gpp={gpp}&gpp_sid={gpp_sid}&redirect={redirect_url}`;
  const redirect = { url, 'uid-macro': '$UID' };
  const iframe = { ...redirect, url: url.replace('&gdpr=', '&type=iframe&gdpr=') };
  assert.partialDeepStrictEqual(alias, {
    endpoint: `${server}/rtb?zone=7&auth=secret`,
    usersync: { 'cookie-family-name': 'acmeadsinc', redirect, iframe },
    'meta-info': { 'site-media-types': ['banner', 'video', 'native', 'audio'], 'vendor-id': 755 },
  });
});

test('an exchange is a bidder by its name, as far as Prebid takes it', () => {
  const fileOf = (exchange: string) => {
    const tagged = { object, urls, vendor: 0, exchange };
    return snippetOf(integrations.prebidServerGo, tagged)?.fileName;
  };
  assert.equal(fileOf('Acme Ads, Inc.'), 'acmeadsinc.yaml');
  assert.equal(fileOf('An exchange with a long name'), 'anexchangewith.yaml');
  assert.deepEqual(['', '株式会社', 'Bourse'].map(fileOf), Array(3).fill('exchange.yaml'));
});

test('there is a line item for each price of Prebid’s default granularity', () => {
  const [head = '', ...rows] = snippet(integrations.lineItems).trimEnd().split('\r\n');
  assert.equal(head, 'Line item,Type,Rate,Currency,Key,Value');
  assert.equal(rows[0], 'Prebid 0.10,Price priority,0.10,USD,hb_pb,0.10');
  assert.equal(rows.at(-1), 'Prebid 20.00,Price priority,20.00,USD,hb_pb,20.00');
  assert.equal(new Set(rows).size, 200);
  const { rate, creative } = parse(snippet(integrations.lineItemManager)) as {
    readonly rate: object;
    readonly creative: Readonly<Record<'banner' | 'video', Readonly<Record<string, unknown>>>>;
  };
  assert.deepEqual(rate, { currency: 'USD', cpm_buckets: [{ min: 0.1, max: 20, interval: 0.1 }] });
  assert.equal(creative.banner.snippet, snippet(integrations.prebidCreative));
  assert.equal(creative.video.vast_xml_url, snippet(integrations.prebidVideoCreative));
});

test('the code of a feed asks for JSON', () => {
  assert.equal(urlIn(snippet(integrations.popServer)).values.get('format'), 'json');
});
