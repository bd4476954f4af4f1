import type { SupplyKind } from '../../entities/kinds.ts';
import type { BidRequest } from '../../protocols/openrtb/objects/request.ts';
import { readBannerRequest } from '../doors/banner/read-opportunity.ts';
import type { DoorContext } from '../doors/door.ts';
import { readFeedRequest } from '../doors/pop/read-opportunity.ts';
import { zoneQuery } from '../doors/query.ts';
import { readOpportunities } from '../doors/rtb/read-opportunities.ts';
import { readVastRequest } from '../doors/vast/read-opportunity.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Supply } from '../snapshot/supply.ts';
import { unknownCaller } from '../trackers/match.ts';

/**
 * The request to explain: a URL of the supply object with its macros filled, or a bid request that `asBidRequest` has
 * let pass.
 */
export interface AskedRequest {
  readonly url?: string | undefined;
  readonly openRtb?: BidRequest | undefined;
}

type Reader = (supply: Supply, request: AskedRequest, context: DoorContext) => Opportunity | undefined;

/** Reads a feed URL or a direct link. In both, parameters of the URL describe the visitor. */
const readPop: Reader = (supply, { url = '' }, context) => ({
  ...readFeedRequest(supply, zoneQuery(url), unknownCaller, context),
  isDirect: url.split('?', 1)[0]?.endsWith('/direct') === true,
});

/**
 * How a request to each kind of supply becomes its opportunity; of several impressions the first. An explained request
 * has no caller: only what the request itself declares is known.
 */
export const readers: Readonly<Record<SupplyKind, Reader>> = {
  VastTag: (supply, { url = '' }, context) => readVastRequest(supply, zoneQuery(url), unknownCaller, context),
  RtbEp: (supply, { openRtb }, context) =>
    openRtb &&
    readOpportunities(supply, openRtb, unknownCaller, context.services.now(), context)[0]?.opportunity,
  PopFeed: readPop,
  BannerEp: (supply, { url = '' }, context) =>
    readBannerRequest(supply, zoneQuery(url), unknownCaller, context),
};
