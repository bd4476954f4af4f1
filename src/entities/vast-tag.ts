import {
  accountManager,
  identity,
  performance,
  regionUrls,
  secret,
  state,
  statisticsUrls,
} from '../fields/derived.ts';
import { mimeTypes } from '../fields/list.ts';
import { choice, choiceIfMade, flag, int } from '../fields/number.ts';
import { text } from '../fields/text.ts';
import { linearities } from '../reference/linearities.ts';
import { placements } from '../reference/placements.ts';
import { defineEntity } from './entity.ts';
import { blockedAttributes, demandConnections, placement, publisherOwner, supply } from './supply.ts';
import { traffic } from './traffic.ts';
import { vastQuery } from './zone-macros.ts';

const { Campaigns, DspRtbEps, DspVastTags } = demandConnections('VastTags');
const { Name, Tags, ...rules } = traffic('V');
const idsOf = (list: readonly { readonly Id: number }[]) => list.map(({ Id }) => Id);

/** A publisher's tag for a video player (specification 2.4 and 2.5). */
export const vastTag = defineEntity({
  key: 'VastTag',
  title: 'VAST Tag',
  wrapper: 'VastTag',
  path: 'ortb/vasttag',
  owner: publisherOwner,
  documented: ['add'],
  fields: {
    ...identity,
    PublisherId: supply.PublisherId,
    PublisherName: supply.PublisherName,
    Name,
    Tags,
    ...rules,
    Version: choiceIfMade({
      codes: [0, 1],
      help: 'Newest VAST version that the player takes: 0 = 3.0, 1 = 4.0; omitted = any, and shown as 0',
    }),
    Bidfloor: supply.Bidfloor,
    DspBidfloorMargin: supply.DspBidfloorMargin,
    PublisherProfitShare: supply.PublisherProfitShare,
    ...placement,
    Tmax: supply.Tmax,
    AuctionType: supply.AuctionType,
    Secure: supply.Secure,
    Waterfall: flag({ help: '1 = further wrappers are followed when one gives no ad' }),
    SetSchainComplete: supply.SetSchainComplete,
    DisplayManager: text({ help: 'imp.displaymanager of bid requests', example: 'Example Player' }),
    Mimes: mimeTypes({ help: 'Content types that the player supports' }),
    AdPosition: supply.AdPosition,
    Width: int({ help: 'Width of the video in pixels', example: 640 }),
    Height: int({ help: 'Height of the video in pixels', example: 360 }),
    Linearity: choice({
      codes: idsOf(linearities),
      help: '0 = unset, 1 = linear, 2 = non-linear',
    }),
    Placement: choice({
      codes: idsOf(placements),
      help: 'Kind of video placement, a code of /api/info/placements',
    }),
    SpentDailyLimit: supply.SpentDailyLimit,
    AdDomainsBrandsBlacklist: supply.AdDomainsBrandsBlacklist,
    AdAppsBlacklist: supply.AdAppsBlacklist,
    CridListMode: supply.CridListMode,
    CridList: supply.CridList,
    BlockedAdIabCategories: supply.BlockedAdIabCategories,
    BlockedAdAttributes: blockedAttributes,
    Auth: secret('Credential of the zone URLs'),
    ZoneUrls: regionUrls({ ZoneUrl: `{RegionUrl}/vast?zone={Id}&auth={Auth}${vastQuery}` }),
    ...statisticsUrls('StatsByDate', '/api/ortb/stats/publisher/vast', 'zone'),
    Campaigns,
    DspRtbEps,
    DspVastTags,
    ...performance,
    ...accountManager,
    ...state,
  },
});
