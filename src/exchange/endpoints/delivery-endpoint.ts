import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SupplyKind } from '../../entities/kinds.ts';
import type { BidRequest } from '../../protocols/openrtb/objects/request.ts';
import type { Auction } from '../auction/auction.ts';
import type { CrawlFindings } from '../crawl/crawl-findings.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Caller } from '../reading/caller.ts';
import type { CountryOf } from '../reading/geo-ip.ts';
import type { UserAgentReader } from '../reading/user-agent.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { MatchSealer } from '../trackers/sealed-matches.ts';
import type { TrackerContext } from '../trackers/tracker-call.ts';

export interface DeliveryContext extends TrackerContext {
  readonly readUserAgent: UserAgentReader;
  readonly countryOf: CountryOf;
  readonly matchSealer: MatchSealer;
  readonly crawled: CrawlFindings;
  readonly onAuction: (auction: Auction) => void;
}

/** A URL of the supply object with macros filled, or a bid request that `asBidRequest` accepted. */
export interface AskedRequest {
  readonly url?: string | undefined;
  readonly openRtb?: BidRequest | undefined;
}

/** For requests that are explained or tested. Without a `caller`, only what the request declares is known. */
export interface RequestReader {
  readonly kind: SupplyKind;
  /** The first impression; undefined if there is none. */
  read(
    supply: Supply,
    request: AskedRequest,
    context: DeliveryContext,
    caller?: Caller,
  ): Opportunity | undefined;
}

/** Answers every request for its path, however broken. Never rejects. */
export interface DeliveryEndpoint {
  readonly path: string;
  /** Absent if it holds no auctions. */
  readonly requestReader?: RequestReader;
  /** Content security policy of its pages; absent = that of every answer, which lets nothing run. */
  readonly pagePolicy?: string;
  serve(request: IncomingMessage, response: ServerResponse, context: DeliveryContext): Promise<void> | void;
}
