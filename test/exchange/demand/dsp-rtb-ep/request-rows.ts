import { noPrivacy } from '../../../../src/exchange/consent/privacy-signals.ts';
import type { OriginalImpression } from '../../../../src/exchange/opportunity.ts';
import { solicitationWith, supplyWith, videoPlacement } from './solicitations.ts';

const app = {
  environment: 'app',
  domain: '',
  pageUrl: '',
  appBundle: 'com.example.game',
  appName: 'Game',
  appStoreUrl: 'https://store.example/game',
  partnerDomain: '',
  categories: [],
  keywords: '',
} as const;

/** What a bid request said of an impression in a medium that tests ask for. */
const saying = (
  request: OriginalImpression['request'],
  imp: OriginalImpression['imp'] = { video: videoPlacement },
) => ({
  original: { request, imp },
});

const chain = { ver: '1.0', complete: 1, nodes: [{ asi: 'ssp.example', sid: '9', hp: 1 }] } as const;
const ours = { asi: 'us-east.exchange.example', sid: 'pub-4', hp: 1, rid: 'auction-1' };
const schainOf = (nodes: readonly object[], complete: 0 | 1) => {
  const schain = { ver: '1.0', complete, nodes };
  return { source: { schain, ext: { schain } } };
};

/** What a row changes, and what the request then holds beside the rest; `absent` names members that it lacks. */
interface Row {
  readonly chance?: Parameters<typeof solicitationWith>[0];
  readonly members?: Parameters<typeof solicitationWith>[1];
  readonly demand?: Readonly<Record<string, unknown>>;
  readonly holds: object;
  readonly absent?: readonly string[];
}

/** Bid requests by what is special about them. */
export const rows: Readonly<Record<string, Row>> = {
  'an app': {
    chance: { inventory: app },
    holds: { app: { bundle: 'com.example.game', name: 'Game', storeurl: 'https://store.example/game' } },
    absent: ['site'],
  },
  'a bundle, where nothing says which': {
    chance: { inventory: { ...app, environment: '' } },
    holds: { app: { bundle: 'com.example.game' } },
    absent: ['site'],
  },
  IPv6: {
    chance: { ip: { text: '2001:db8::1', version: 6, bytes: new Uint8Array(16) } },
    holds: { device: { ipv6: '2001:db8::1' } },
    absent: ['device.ip'],
  },
  'a country that is none': { chance: { country: 'A1' }, holds: {}, absent: ['device.geo.country'] },
  'a language of three letters': {
    chance: { device: { ...solicitationWith().opportunity.device, language: 'gsw-CH' } },
    holds: { device: { langb: 'gsw-CH' } },
    absent: ['device.language'],
  },
  'a version without its second part': {
    chance: {
      device: { ...solicitationWith().opportunity.device, os: { family: 'iOS', major: '17', minor: '' } },
    },
    holds: { device: { os: 'iOS', osv: '17' } },
  },
  'privacy signals, in both places': {
    chance: saying({
      regs: { coppa: 0, gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [7], ext: { dsa: { x: 1 } } },
      user: { consent: 'CPxx' },
      device: { dnt: 1, lmt: 0 },
    }),
    holds: {
      regs: {
        coppa: 0,
        gdpr: 1,
        us_privacy: '1YNN',
        gpp: 'DBAA',
        gpp_sid: [7],
        ext: { gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [7], dsa: { x: 1 } },
      },
      user: { consent: 'CPxx', ext: { consent: 'CPxx' } },
      device: { dnt: 1, lmt: 0 },
    },
  },
  'privacy that a player declares': {
    chance: {
      privacy: {
        coppa: 0,
        gdpr: 0,
        consent: 'CPxx',
        limitAdTracking: 0,
        usPrivacy: '1YNN',
        gpp: 'DBAA',
        gppSid: [7],
        hasGpc: true,
      },
    },
    holds: {
      regs: {
        coppa: 0,
        gdpr: 0,
        us_privacy: '1YNN',
        gpp: 'DBAA',
        gpp_sid: [7],
        ext: { gdpr: 0, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [7], gpc: '1' },
      },
      user: { consent: 'CPxx', ext: { consent: 'CPxx' } },
      device: { lmt: 0 },
    },
  },
  'privacy of which nothing is given': {
    chance: { privacy: noPrivacy },
    holds: {},
    absent: ['regs', 'user.consent', 'user.ext', 'device.lmt'],
  },
  'a request that says nothing': {
    chance: { ...saying({}, { video: {} }), isSecure: false },
    holds: { imp: [{ video: { mimes: ['video/mp4'] } }], site: { id: '3' } },
    absent: [
      'device',
      'user',
      'regs',
      'source.fd',
      'source.schain',
      'site.domain',
      'site.page',
      'imp.0.secure',
      'imp.0.instl',
      'imp.0.video.protocols',
      'imp.0.video.plcmt',
      'imp.0.video.w',
    ],
  },
  'categories of another taxonomy than the endpoint’s': {
    chance: saying({ site: { cat: ['483'], cattax: 6 } }),
    members: { supply: supplyWith({ IabCategories: ['IAB1'] }) },
    holds: { site: { cat: ['483'], cattax: 6 } },
  },
  'categories of the endpoint beside those of the request': {
    chance: saying({ site: { cat: ['IAB9', 'IAB1'] } }),
    members: { supply: supplyWith({ IabCategories: ['IAB1'] }) },
    holds: { site: { cat: ['IAB1', 'IAB9'] } },
    absent: ['site.cattax'],
  },
  'a screen outside the home': {
    chance: saying({ dooh: { name: 'Station', venuetype: ['12'], domain: 'screens.example' } }),
    holds: { dooh: { id: '3', name: 'Station', venuetype: ['12'], publisher: { id: 'pub-4' } } },
    absent: ['site', 'app'],
  },
  'VAST 4.0': {
    members: { supply: supplyWith({ Version: 1 }) },
    holds: { imp: [{ video: { protocols: [2, 3, 5, 6, 7, 8] } }] },
  },
  'what a Banner EP tells': {
    chance: { media: 'banner', position: 0, video: undefined },
    members: { supply: supplyWith({ Mimes: ['image/png'] }, { kind: 'BannerEp' }) },
    holds: { imp: [{ banner: { mimes: ['image/png'] } }] },
    absent: ['imp.0.banner.pos'],
  },
  'the position that a request tells': {
    chance: { media: 'banner', position: 1, video: undefined },
    members: { supply: supplyWith({ AdPosition: 3 }, { kind: 'BannerEp' }) },
    holds: { imp: [{ banner: { pos: 1 } }] },
  },
  skippable: {
    chance: { video: { ...videoPlacement, skip: 1 } },
    holds: { imp: [{ video: { skip: 1 } }] },
  },
  'blocks of the supply object': {
    members: {
      supply: supplyWith({
        BlockedAdIabCategories: ['IAB7', 'IAB8-1'],
        BlockedAdAttributes: [1, 2],
        AdDomainsBrandsBlacklist: 'bad.example\n\n Some Brand \r\nworse.example ',
        AdAppsBlacklist: 'com.bad\n123456',
      }),
    },
    holds: {
      bcat: ['IAB7', 'IAB8-1'],
      badv: ['bad.example', 'worse.example'],
      bapp: ['com.bad', '123456'],
      imp: [{ video: { battr: [1, 2] } }],
    },
  },
  'a floor without margin': {
    chance: { floorCpmMicros: 123_457 },
    members: { supply: supplyWith({ DspBidfloorMargin: 0 }) },
    holds: { imp: [{ bidfloor: 0.123457 }] },
  },
  'a floor with a margin, in whole millionths': {
    chance: { floorCpmMicros: 100_001 },
    members: { supply: supplyWith({ DspBidfloorMargin: 33.3 }) },
    holds: { imp: [{ bidfloor: 0.133301 }] },
  },
  'the auction type of the supply object': {
    members: { supply: supplyWith({}, { auctionType: 2 }) },
    holds: { at: 2 },
  },
  'an auction type of its own': {
    members: { supply: supplyWith({}, { auctionType: 2 }) },
    demand: { AuctionType: 1 },
    holds: { at: 1 },
  },
  'an expiry of its own': { demand: { ExpiryWindow: 5 }, holds: { imp: [{ exp: 300 }] } },
  'hardly any time': { members: { timeLeftMs: 0.2 }, holds: { tmax: 1 } },
  banner: {
    chance: { media: 'banner', position: 1, video: undefined, content: {}, width: 300, height: 250 },
    members: { supply: supplyWith({ BlockedAdAttributes: [3] }) },
    holds: { imp: [{ banner: { w: 300, h: 250, format: [{ w: 300, h: 250 }], pos: 1, battr: [3] } }] },
    absent: ['imp.0.video', 'imp.0.instl', 'site.content'],
  },
  audio: {
    chance: {
      media: 'audio',
      ...saying({}, { audio: { mimes: [], minduration: 5, maxduration: 30, startdelay: 0 } }),
    },
    members: { supply: supplyWith({ Mimes: [] }) },
    holds: { imp: [{ audio: { mimes: ['audio/mpeg'], minduration: 5, maxduration: 30, startdelay: 0 } }] },
    absent: ['imp.0.video'],
  },
  'native, as the request wants it': {
    chance: { media: 'native', ...saying({}, { native: { request: '{"ver":"1.2","assets":[]}' } }) },
    holds: { imp: [{ native: { request: '{"ver":"1.2","assets":[]}' } }] },
    absent: ['imp.0.video', 'imp.0.native.ver'],
  },
  pop: {
    chance: { media: 'pop', video: undefined, query: 'cheap flights' },
    holds: { imp: [{ instl: 1, ext: { type: 'popunder' } }], site: { search: 'cheap flights' } },
    absent: ['imp.0.video', 'imp.0.banner'],
  },
  'pop of a feed that hides its site': {
    chance: { media: 'pop' },
    members: { supply: supplyWith({ SendOriginalSite: 0 }, { kind: 'PopFeed' }) },
    holds: { site: { domain: 'us-east.exchange.example' } },
    absent: ['site.page'],
  },
  'pop of a feed that shows its site': {
    chance: { media: 'pop' },
    members: { supply: supplyWith({ SendOriginalSite: 1 }, { kind: 'PopFeed' }) },
    holds: { site: { domain: 'site.example', page: 'https://site.example/page' } },
  },
  'no chain to send': { holds: {}, absent: ['source.schain', 'source.ext'] },
  'our node alone': { demand: { AddSchainNode: 1 }, holds: schainOf([ours], 0) },
  'our node, said to be the whole chain': {
    demand: { AddSchainNode: 1 },
    members: { supply: supplyWith({ SetSchainComplete: 1 }) },
    holds: schainOf([ours], 1),
  },
  'a chain passed on': { chance: { supplyChain: chain }, holds: schainOf(chain.nodes, 1) },
  'a chain with our node': {
    chance: { supplyChain: { ...chain, complete: 0 } },
    demand: { AddSchainNode: 1 },
    holds: schainOf([...chain.nodes, ours], 0),
  },
  'a chain with our node, by the supply object': {
    chance: { supplyChain: chain },
    members: { supply: supplyWith({ AddSchainNode: 1 }, { kind: 'RtbEp' }) },
    holds: schainOf([...chain.nodes, ours], 1),
  },
  'a chain discarded by the demand object': {
    chance: { supplyChain: chain },
    demand: { AddSchainNode: 1, DiscardSchain: 1 },
    holds: {},
    absent: ['source.schain', 'source.ext'],
  },
  'a chain discarded by the supply object': {
    chance: { supplyChain: chain },
    members: { supply: supplyWith({ DiscardSchain: 1 }, { kind: 'RtbEp' }) },
    holds: {},
    absent: ['source.schain', 'source.ext'],
  },
  'values set by path': {
    demand: {
      CustomParams: {
        'imp.tagid': 'home',
        'imp.video.skip': '1',
        'regs.coppa': '1',
        'ext.partner': 'p1',
        'imp.banner.w': '1',
        at: 'x',
        id: 'x',
        '__proto__.x': '1',
      },
    },
    holds: {
      id: 'auction-1',
      imp: [{ tagid: 'home', video: { skip: 1 } }],
      regs: { coppa: 1 },
      ext: { partner: 'p1' },
      at: 1,
    },
    absent: ['imp.0.banner'],
  },
};
