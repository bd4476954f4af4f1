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
import type { TrackerContext } from '../trackers/tracker-call.ts';

export interface DeliveryContext extends TrackerContext {
  readonly readUserAgent: UserAgentReader;
  readonly countryOf: CountryOf;
  readonly crawled: CrawlFindings;
  /** Called with each auction that was answered. */
  readonly onAuction: (auction: Auction) => void;
}

/**
 * A request that is not sent but explained: a URL of the supply object with its macros filled, or a bid request that
 * `asBidRequest` has let pass.
 */
export interface AskedRequest {
  readonly url?: string | undefined;
  readonly openRtb?: BidRequest | undefined;
}

/**
 * How an endpoint makes an opportunity of a request that is explained or tested. Without a `caller`, only what the request
 * itself declares is known.
 */
export interface RequestReader {
  readonly kind: SupplyKind;
  /** Of several impressions the first; undefined where the request has none. */
  read(
    supply: Supply,
    request: AskedRequest,
    context: DeliveryContext,
    caller?: Caller,
  ): Opportunity | undefined;
}

/** One endpoint of the delivery plane: answers every request for its path, however broken. Never rejects. */
export interface DeliveryEndpoint {
  readonly path: string;
  /** Absent where it holds no auctions. */
  readonly requestReader?: RequestReader;
  /**
   * The content security policy of its pages. Absent where it has none: what it sends is nothing for browsers to show,
   * and has the policy of every answer, which lets nothing run.
   */
  readonly pagePolicy?: string;
  serve(request: IncomingMessage, response: ServerResponse, context: DeliveryContext): Promise<void> | void;
}
