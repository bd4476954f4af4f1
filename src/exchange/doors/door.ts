import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Auction, AuctionServices } from '../auction/auction.ts';
import type { AuctionReports } from '../auction/report-auction.ts';
import type { Crawled } from '../crawl/crawled.ts';
import type { CountryOf } from '../reading/geo-ip.ts';
import type { UserAgentReader } from '../reading/user-agent.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Tokens } from '../trackers/tokens.ts';
import type { CallerOf } from './caller.ts';

/** What doors work with. */
export interface DoorContext {
  /** The configuration that is served now. */
  readonly snapshot: () => Snapshot;
  readonly services: AuctionServices;
  readonly reports: AuctionReports;
  readonly tokens: Tokens;
  readonly callerOf: CallerOf;
  readonly readUserAgent: UserAgentReader;
  readonly countryOf: CountryOf;
  readonly crawled: Crawled;
  /** Called with each auction that was answered. */
  readonly onAuction: (auction: Auction) => void;
  /** Called with errors that should not happen. */
  readonly onFault: (error: unknown) => void;
}

/** One door of the delivery plane: answers every request for its path, however broken. Never rejects. */
export interface Door {
  readonly path: string;
  serve(request: IncomingMessage, response: ServerResponse, context: DoorContext): Promise<void> | void;
}
