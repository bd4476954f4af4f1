import type { Bid } from '../../../src/exchange/demand/demand-kind.ts';
import type { Opportunity } from '../../../src/exchange/opportunity.ts';
import { placement } from '../demand/examples.ts';

export type Document = Readonly<Record<string, unknown>>;
/** What supply, bid and opportunity have set, and what of the refusal must be; undefined: none. */
export type Case = readonly [
  name: string,
  supply: Document,
  bid: Partial<Bid>,
  opportunity: Partial<Opportunity>,
  expected: object | undefined,
];

/** A document with an InLine ad. */
export const inLine = (inside = '') => `<VAST version="3.0"><Ad><InLine>${inside}</InLine></Ad></VAST>`;
/** The same with a linear creative. */
export const linear = (inside: string) =>
  inLine(`<Creatives><Creative><Linear>${inside}</Linear></Creative></Creatives>`);
/** A media file, as a linear creative has it. */
export const file = '<MediaFiles><MediaFile>https://cdn.example/a</MediaFile></MediaFiles>';
/** An ad that can be played. */
export const film = linear(file);
/** Markup that only leads to an ad. */
export const wrapper =
  '<VAST version="3.0"><Ad><Wrapper><VASTAdTagURI>https://x.example/</VASTAdTagURI></Wrapper></Ad></VAST>';
const mediaFile = (type: string, url = 'https://cdn.example/a') =>
  linear(`<MediaFiles><MediaFile type="${type}">${url}</MediaFile></MediaFiles>`);
const banner = { media: 'banner' } as const;
const pop = { media: 'pop' } as const;

/** Cases of each rule. */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  'floor, the greater of supply and request': [
    [
      'below',
      {},
      { priceCpmMicros: 999_999 },
      { floorCpmMicros: 1_000_000 },
      { reason: 'below_floor', field: 'Bidfloor', wanted: 1, met: 0.999_999 },
    ],
    ['at', {}, { priceCpmMicros: 1_000_000 }, { floorCpmMicros: 1_000_000 }, undefined],
    ['none', {}, { priceCpmMicros: 1 }, {}, undefined],
  ],
  AdDomainsBrandsBlacklist: [
    [
      'the domain',
      { AdDomainsBrandsBlacklist: 'other.example\n brand.example \r\n' },
      { adDomains: ['brand.example'] },
      {},
      {
        reason: 'domain_blocked',
        field: 'AdDomainsBrandsBlacklist',
        wanted: 'not brand.example',
        met: 'brand.example',
      },
    ],
    [
      'a subdomain',
      { AdDomainsBrandsBlacklist: 'brand.example' },
      { adDomains: ['ok.example', 'Shop.BRAND.example'] },
      {},
      { reason: 'domain_blocked', met: 'Shop.BRAND.example' },
    ],
    [
      'its parent',
      { AdDomainsBrandsBlacklist: 'shop.brand.example' },
      { adDomains: ['brand.example'] },
      {},
      undefined,
    ],
    [
      'one that only ends like it',
      { AdDomainsBrandsBlacklist: 'brand.example' },
      { adDomains: ['mybrand.example'] },
      {},
      undefined,
    ],
    [
      'with www.',
      { AdDomainsBrandsBlacklist: 'www.brand.example' },
      { adDomains: ['brand.example'] },
      {},
      { reason: 'domain_blocked' },
    ],
    [
      'as URLs',
      { AdDomainsBrandsBlacklist: 'https://brand.example/x' },
      { adDomains: ['http://www.brand.example/?y'] },
      {},
      { reason: 'domain_blocked' },
    ],
    [
      'in another script',
      { AdDomainsBrandsBlacklist: 'bücher.example' },
      { adDomains: ['xn--bcher-kva.example'] },
      {},
      { reason: 'domain_blocked' },
    ],
    [
      'a brand by its domain',
      { AdDomainsBrandsBlacklist: 'Acme' },
      { adDomains: ['www.acme.co.uk'] },
      {},
      { reason: 'domain_blocked', wanted: 'not acme', met: 'acme' },
    ],
    [
      'a brand by its name',
      { AdDomainsBrandsBlacklist: 'Acme Shoes Inc.' },
      { markup: inLine('<Advertiser>ACME shoes inc.</Advertiser>') },
      {},
      { reason: 'domain_blocked' },
    ],
    [
      'a part of a brand',
      { AdDomainsBrandsBlacklist: 'acme' },
      { adDomains: ['acmeshop.example'] },
      {},
      undefined,
    ],
    ['no domain told', { AdDomainsBrandsBlacklist: 'brand.example\nacme' }, {}, {}, undefined],
    ['an empty list', { AdDomainsBrandsBlacklist: ' \n' }, { adDomains: ['brand.example'] }, {}, undefined],
  ],
  AdAppsBlacklist: [
    [
      'listed',
      { AdAppsBlacklist: 'com.a\ncom.b' },
      { appBundle: 'com.b' },
      {},
      { reason: 'app_blocked', field: 'AdAppsBlacklist', wanted: 'not com.b', met: 'com.b' },
    ],
    ['not listed', { AdAppsBlacklist: 'com.a' }, { appBundle: 'com.ab' }, {}, undefined],
    ['not told', { AdAppsBlacklist: 'com.a' }, {}, {}, undefined],
  ],
  BlockedAdIabCategories: [
    [
      'the category',
      { BlockedAdIabCategories: ['IAB25-3'] },
      { categories: ['IAB1', 'IAB25-3'] },
      {},
      { reason: 'category_blocked', field: 'BlockedAdIabCategories', wanted: 'not IAB25-3', met: 'IAB25-3' },
    ],
    [
      'below the category',
      { BlockedAdIabCategories: ['IAB25'] },
      { categories: ['iab25-3'] },
      {},
      { reason: 'category_blocked', wanted: 'not IAB25', met: 'iab25-3' },
    ],
    ['above it', { BlockedAdIabCategories: ['IAB25-3'] }, { categories: ['IAB25'] }, {}, undefined],
    [
      'with a like number',
      { BlockedAdIabCategories: ['IAB2'] },
      { categories: ['IAB25', 'IAB25-2'] },
      {},
      undefined,
    ],
    ['not told', { BlockedAdIabCategories: ['IAB2'] }, {}, {}, undefined],
  ],
  BlockedAdAttributes: [
    [
      'listed',
      { BlockedAdAttributes: [1, 6] },
      { attributes: [2, 6] },
      {},
      { reason: 'attribute_blocked', field: 'BlockedAdAttributes', met: 6 },
    ],
    ['not listed', { BlockedAdAttributes: [1] }, { attributes: [2] }, {}, undefined],
    ['not told', { BlockedAdAttributes: [1] }, {}, {}, undefined],
  ],
  CridList: [
    [
      'in a blacklist',
      { CridListMode: 0, CridList: 'a\nb' },
      { creativeId: 'b' },
      {},
      { reason: 'creative_id_listed', field: 'CridList', wanted: 'not listed', met: 'b' },
    ],
    ['not in a blacklist', { CridListMode: 0, CridList: 'a' }, { creativeId: 'A' }, {}, undefined],
    ['no ID, blacklist', { CridListMode: 0, CridList: 'a' }, {}, {}, undefined],
    ['in a whitelist', { CridListMode: 1, CridList: 'a\nb' }, { creativeId: 'b' }, {}, undefined],
    [
      'not in a whitelist',
      { CridListMode: 1, CridList: 'a' },
      { creativeId: 'b' },
      {},
      { reason: 'creative_id_listed', wanted: 'listed', met: 'b' },
    ],
    [
      'no ID, whitelist',
      { CridListMode: 1, CridList: 'a' },
      {},
      {},
      { reason: 'creative_id_listed', met: '' },
    ],
    ['an empty whitelist', { CridListMode: 1, CridList: '' }, { creativeId: 'b' }, {}, undefined],
  ],
  Secure: [
    [
      'http in VAST',
      { Secure: 1 },
      { markup: mediaFile('video/mp4', 'http://cdn.example/a') },
      {},
      { reason: 'not_secure', field: 'Secure', wanted: 'https', met: 'MediaFile' },
    ],
    [
      'http where it is allowed',
      { Secure: 0 },
      { markup: mediaFile('video/mp4', 'http://cdn.example/a') },
      {},
      undefined,
    ],
    [
      'a request that wants https',
      {},
      { markup: mediaFile('video/mp4', 'http://cdn.example/a') },
      { isSecure: true },
      { reason: 'not_secure' },
    ],
    ['https', { Secure: 1 }, { markup: mediaFile('video/mp4') }, {}, undefined],
    [
      'an image in HTML',
      { Secure: 1 },
      { ...banner, markup: '<img src=http://e.example/>' },
      banner,
      { reason: 'not_secure', met: 'markup' },
    ],
    [
      'a style',
      { Secure: 1 },
      { ...banner, markup: '<p style="background:url(http://e.example/)">' },
      banner,
      { reason: 'not_secure' },
    ],
    [
      'a style sheet',
      { Secure: 1 },
      { ...banner, markup: '<link rel="stylesheet" href="http://e.example/">' },
      banner,
      { reason: 'not_secure' },
    ],
    [
      'a script',
      { Secure: 1 },
      { ...banner, markup: "<script>new Image().src='http:\\/\\/e.example'</script>" },
      banner,
      { reason: 'not_secure' },
    ],
    [
      'a link in HTML',
      { Secure: 1 },
      {
        ...banner,
        markup:
          '<svg xmlns="http://www.w3.org/2000/svg"/><a href="http://e.example/">x</a><img src="https://e.example/?u=http://x">',
      },
      banner,
      undefined,
    ],
    [
      'a pop by http',
      { Secure: 1 },
      { ...pop, markup: 'http://e.example/' },
      pop,
      { reason: 'not_secure', met: 'URL' },
    ],
    [
      'a pop by http in XML',
      { Secure: 1 },
      { ...pop, markup: '<ad><popunderAd><url>http://e.example/</url></popunderAd></ad>' },
      pop,
      { reason: 'not_secure', met: 'URL' },
    ],
    ['a pop by https', { Secure: 1 }, { ...pop, markup: 'https://e.example/?u=http://x' }, pop, undefined],
    ['markup that is still to come', { Secure: 1 }, {}, {}, undefined],
  ],
  'the media that was asked for': [
    [
      'another',
      {},
      { ...banner, markup: '<p>' },
      {},
      { reason: 'incorrect_format', wanted: 'video', met: 'banner' },
    ],
    ['a banner of space', {}, { ...banner, markup: ' \n' }, banner, { reason: 'invalid_creative' }],
    ['no VAST', {}, { markup: '<p>' }, {}, { reason: 'invalid_creative', wanted: 'VAST', met: 'HTML' }],
    ['VAST without an ad', {}, { markup: '<VAST/>' }, {}, { reason: 'invalid_creative', wanted: '<Ad>' }],
    [
      'a type that the player knows',
      {},
      { markup: mediaFile('Video/MP4') },
      { video: { ...placement, mimes: ['video/webm', 'video/mp4'] } },
      undefined,
    ],
    [
      'a type that it does not know',
      {},
      { markup: mediaFile('video/ogg') },
      { video: { ...placement, mimes: ['video/mp4'] } },
      { reason: 'incorrect_format', field: 'Mimes', wanted: ['video/mp4'], met: ['video/ogg'] },
    ],
    [
      'a wrapper, whose types nobody knows',
      {},
      { markup: wrapper },
      { video: { ...placement, mimes: ['video/mp4'] } },
      undefined,
    ],
    [
      'long enough',
      {},
      { markup: linear(`<Duration>00:00:15</Duration>${file}`) },
      { video: { ...placement, minduration: 15, maxduration: 15 } },
      undefined,
    ],
    [
      'too short',
      {},
      { markup: linear(`<Duration>00:00:05</Duration>${file}`) },
      { video: { ...placement, minduration: 15 } },
      { reason: 'incorrect_format', field: 'minduration', wanted: 15, met: 5 },
    ],
    [
      'too long',
      {},
      { markup: linear(`<Duration>00:00:31</Duration>${file}`) },
      { video: { ...placement, maxduration: 30 } },
      { reason: 'incorrect_format', field: 'maxduration', wanted: 30, met: 31 },
    ],
    [
      'a length that is not told',
      {},
      { markup: linear(`<Duration>00:00:00</Duration>${file}`) },
      { video: { ...placement, minduration: 5 } },
      undefined,
    ],
    ['markup that is still to come', {}, {}, {}, undefined],
  ],
  'the size of banners': [
    [
      'the one asked for',
      {},
      { ...banner, width: 300, height: 250 },
      { ...banner, width: 300, height: 250 },
      undefined,
    ],
    [
      'another',
      {},
      { ...banner, width: 728, height: 90 },
      { ...banner, width: 300, height: 250 },
      { reason: 'size_not_allowed', wanted: '300x250', met: '728x90' },
    ],
    ['not told', {}, banner, { ...banner, width: 300, height: 250 }, undefined],
    [
      'in a blacklist',
      { SizesListMode: 0, SizesList: ['728x90'] },
      { ...banner, width: 728, height: 90 },
      banner,
      { reason: 'size_not_allowed', field: 'SizesList', wanted: 'not listed' },
    ],
    [
      'not in a whitelist',
      { SizesListMode: 1, SizesList: ['300x250'] },
      { ...banner, width: 728, height: 90 },
      banner,
      { reason: 'size_not_allowed', wanted: 'listed', met: '728x90' },
    ],
    [
      'in a whitelist',
      { SizesListMode: 1, SizesList: ['300x250'] },
      { ...banner, width: 300, height: 250 },
      banner,
      undefined,
    ],
    [
      'of a video, which is scaled',
      { SizesListMode: 1, SizesList: ['300x250'] },
      { width: 640, height: 360 },
      { width: 300, height: 250 },
      undefined,
    ],
  ],
};
