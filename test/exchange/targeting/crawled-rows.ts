import type { CrawlFindings, Finding } from '../../../src/exchange/crawl/crawl-findings.ts';
import { type Row, refused } from './rule-row.ts';

/** What is known, by kind and what it is about, separated by spaces. */
const known: Readonly<Record<string, Finding>> = {
  'site gone.example': 'no',
  'site there.example': 'yes',
  'app play.google.com/store/apps/details?id=com.gone': 'no',
  'app apps.apple.com/app/id123456789': 'yes',
  'app apps.apple.com/de/app/id5': 'no',
  'ads.txt open.example us.example pub-7': 'yes',
  'ads.txt open.example ssp.example a1': 'yes',
  'ads.txt open.example reseller.example b2': 'no',
  'ads.txt open.example reseller.example b2 partner.example': 'yes',
  'ads.txt open.example reseller.example b2 silent.example': 'missing',
  'ads.txt bare.example us.example pub-7': 'missing',
  'app-ads.txt play.google.com/store/apps/details?id=com.there  us.example pub-7': 'yes',
  'app-ads.txt play.google.com/store/apps/details?id=com.gone  us.example pub-7': 'no',
  'app-ads.txt play.google.com/store/apps/details?id=com.unnamed  us.example pub-7': 'missing',
  'app-ads.txt play.google.com/store/apps/details?id=com.unnamed studio.example us.example pub-7': 'yes',
  'sellers.json ssp.example a1': 'yes',
  'sellers.json reseller.example b2': 'no',
  'sellers.json bare.example c3': 'missing',
};

const findings: CrawlFindings = {
  find: (kind, ...about) => known[[kind, ...about].join(' ')],
  businessOf: () => undefined,
  ownSystem: () => 'us.example',
};
const sellerId = 'pub-7';
const site = (domain: string) => ({
  crawled: findings,
  sellerId,
  inventory: { environment: 'web', domain } as const,
});
const ofPartner = (partnerDomain: string) => ({
  ...site('open.example'),
  inventory: { environment: 'web', domain: 'open.example', partnerDomain } as const,
});
const app = (appBundle: string, appStoreUrl = '') => ({
  crawled: findings,
  sellerId,
  inventory: { environment: 'app', appBundle, appStoreUrl } as const,
});
const by = (...sellers: readonly string[]) => ({
  supplyChain: { complete: 1, nodes: sellers.map(nodeOf) } as const,
});
function nodeOf(seller: string) {
  const [asi = '', sid = '', hp = '1'] = seller.split(' ');
  return { asi, sid, hp: hp === '1' ? 1 : 0 } as const;
}

const tag = (values: Readonly<Record<string, number>>) => ['DspVastTag', values] as const;
const endpoint = (values: Readonly<Record<string, number>>) =>
  ['RtbEp', { VideoEnabled: 1, ...values }] as const;
const live = tag({ CheckSiteLive: 1 });
const inStore = tag({ CheckAppStore: 1 });
const own = { asi: 'us.example', sid: 'pub-7' };
const reseller = { asi: 'reseller.example', sid: 'b2', listed: 'no' };

/** Demand objects against what is known of sites and apps. */
export const crawledDemandRows: readonly Row[] = [
  ['a site that answers', live, site('there.example'), undefined],
  ['a site not yet known', live, site('new.example'), undefined],
  [
    'a site that does not answer',
    live,
    site('gone.example'),
    refused('site_not_live', 'CheckSiteLive', { not: ['not live'] }, 'gone.example'),
  ],
  ['whether sites answer is not asked', tag({ CheckSiteLive: 0 }), site('gone.example'), undefined],
  ['nobody to ask', live, { inventory: { environment: 'web', domain: 'gone.example' } }, undefined],
  ['the site of an app is not asked', live, app('com.gone'), undefined],
  ['no site', live, { ...site(''), inventory: {} }, undefined],
  ['an app of the store', inStore, app('123456789'), undefined],
  ['an app not yet known', inStore, app('com.new'), undefined],
  [
    'an app that the store has not, by its bundle',
    inStore,
    app('com.gone'),
    refused(
      'app_not_live',
      'CheckAppStore',
      { not: ['not live'] },
      'play.google.com/store/apps/details?id=com.gone',
    ),
  ],
  [
    'an app that the store has not, by its URL there',
    inStore,
    app('123456789', 'http://apps.apple.com/de/app/id5'),
    refused('app_not_live', 'CheckAppStore', { not: ['not live'] }, 'apps.apple.com/de/app/id5'),
  ],
  [
    'an app that the store has not, whatever else its URL says',
    inStore,
    app('game', 'https://play.google.com/store/apps/details?hl=de&id=com.gone&utm=1#top'),
    refused(
      'app_not_live',
      'CheckAppStore',
      { not: ['not live'] },
      'play.google.com/store/apps/details?id=com.gone',
    ),
  ],
  ['a URL of no store is not asked', inStore, app('123456789', 'https://evil.example/id5'), undefined],
  ['a bundle that leads nowhere', inStore, app('game'), undefined],
];

/** Endpoints against what is known of sellers. */
export const crawledSupplyRows: readonly Row[] = [
  ['supply asks for sites, too', ['PopFeed', { CheckSiteLive: 1 }], site('there.example'), undefined],
  ['ads.txt lists the publisher', endpoint({ CheckAdsTxt: 2 }), site('open.example'), undefined],
  ['ads.txt, allowed until crawled', endpoint({ CheckAdsTxt: 1 }), site('new.example'), undefined],
  [
    'ads.txt, denied until crawled',
    endpoint({ CheckAdsTxt: 2 }),
    site('new.example'),
    refused(
      'ads_txt_unavailable',
      'CheckAdsTxt',
      { not: ['not known'] },
      { ...own, listed: 'not crawled yet' },
    ),
  ],
  ['a site without ads.txt, allowed', endpoint({ CheckAdsTxt: 1 }), site('bare.example'), undefined],
  [
    'a site without ads.txt, denied',
    endpoint({ CheckAdsTxt: 2 }),
    site('bare.example'),
    refused('ads_txt_unavailable', 'CheckAdsTxt', { not: ['not known'] }, { ...own, listed: 'missing' }),
  ],
  [
    'a request that tells no site',
    endpoint({ CheckAdsTxt: 2 }),
    site(''),
    refused('ads_txt_unavailable', 'CheckAdsTxt', { not: ['not known'] }, { ...own, listed: 'missing' }),
  ],
  [
    'ads.txt lists every seller of the chain',
    endpoint({ CheckAdsTxt: 2 }),
    { ...site('open.example'), ...by('SSP.example a1') },
    undefined,
  ],
  [
    'ads.txt does not list one of the chain',
    endpoint({ CheckAdsTxt: 1 }),
    { ...site('open.example'), ...by('ssp.example a1', 'reseller.example b2') },
    refused('ads_txt_violation', 'CheckAdsTxt', { not: ['not listed'] }, reseller),
  ],
  [
    'ads.txt does not list the only one of the chain',
    endpoint({ CheckAdsTxt: 1 }),
    { ...site('open.example'), ...by('reseller.example b2') },
    refused('ads_txt_violation', 'CheckAdsTxt', { not: ['not listed'] }, reseller),
  ],
  [
    "a partner's ads.txt lists a seller of its inventory",
    endpoint({ CheckAdsTxt: 2 }),
    { ...ofPartner('partner.example'), ...by('reseller.example b2') },
    undefined,
  ],
  [
    'a partner without ads.txt',
    endpoint({ CheckAdsTxt: 1 }),
    { ...ofPartner('silent.example'), ...by('reseller.example b2') },
    undefined,
  ],
  [
    'a partner not yet known changes nothing',
    endpoint({ CheckAdsTxt: 1 }),
    { ...ofPartner('anybody.example'), ...by('reseller.example b2') },
    refused('ads_txt_violation', 'CheckAdsTxt', { not: ['not listed'] }, reseller),
  ],
  [
    'one that is not paid need not be listed',
    endpoint({ CheckAdsTxt: 1 }),
    { ...site('open.example'), ...by('ssp.example a1', 'reseller.example b2 0') },
    undefined,
  ],
  ['ads.txt is of sites', endpoint({ CheckAdsTxt: 2 }), app('com.gone'), undefined],
  ['app-ads.txt lists the publisher', endpoint({ CheckAppAdsTxt: 2 }), app('com.there'), undefined],
  [
    'app-ads.txt does not list the publisher',
    endpoint({ CheckAppAdsTxt: 1 }),
    app('com.gone'),
    refused('ads_txt_violation', 'CheckAppAdsTxt', { not: ['not listed'] }, { ...own, listed: 'no' }),
  ],
  [
    'app-ads.txt does not list the publisher, whatever domain the request names',
    endpoint({ CheckAppAdsTxt: 1 }),
    {
      ...app('com.gone'),
      inventory: { environment: 'app', appBundle: 'com.gone', appStoreUrl: '', domain: 'anybody.example' },
    },
    refused('ads_txt_violation', 'CheckAppAdsTxt', { not: ['not listed'] }, { ...own, listed: 'no' }),
  ],
  [
    "app-ads.txt of the request's domain, where the store names no developer",
    endpoint({ CheckAppAdsTxt: 2 }),
    {
      ...app('com.unnamed'),
      inventory: { environment: 'app', appBundle: 'com.unnamed', appStoreUrl: '', domain: 'studio.example' },
    },
    undefined,
  ],
  [
    'app-ads.txt, denied until crawled',
    endpoint({ CheckAppAdsTxt: 2 }),
    app('com.new'),
    refused(
      'ads_txt_unavailable',
      'CheckAppAdsTxt',
      { not: ['not known'] },
      { ...own, listed: 'not crawled yet' },
    ),
  ],
  ['app-ads.txt is of apps', endpoint({ CheckAppAdsTxt: 2 }), site('new.example'), undefined],
  [
    'sellers.json lists the seller',
    endpoint({ CheckSellersJson: 2 }),
    { crawled: findings, ...by('ssp.example a1') },
    undefined,
  ],
  [
    'sellers.json lists the seller, and another does not',
    endpoint({ CheckSellersJson: 1 }),
    { crawled: findings, ...by('ssp.example a1', 'reseller.example b2') },
    refused('sellers_json_violation', 'CheckSellersJson', { not: ['not listed'] }, reseller),
  ],
  [
    'a system without sellers.json, denied',
    endpoint({ CheckSellersJson: 2 }),
    { crawled: findings, ...by('bare.example c3') },
    refused(
      'sellers_json_unavailable',
      'CheckSellersJson',
      { not: ['not known'] },
      {
        asi: 'bare.example',
        sid: 'c3',
        listed: 'missing',
      },
    ),
  ],
  [
    'no chain tells the system, denied',
    endpoint({ CheckSellersJson: 2 }),
    { crawled: findings },
    refused(
      'sellers_json_unavailable',
      'CheckSellersJson',
      { not: ['not known'] },
      { asi: '', sid: '', listed: 'missing' },
    ),
  ],
  ['no chain tells the system, allowed', endpoint({ CheckSellersJson: 1 }), { crawled: findings }, undefined],
];
