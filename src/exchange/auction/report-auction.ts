import { fillMacros } from '../../protocols/openrtb/macros.ts';
import type { Counted } from '../../reference/counters.ts';
import type { EventSink, Pair } from '../../statistics/events.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import type { Bid, LostBid } from '../demand/demand-kind.ts';
import type { InventoryQuality } from '../limits/inventory-quality.ts';
import type { Reason } from '../reasons.ts';
import type { Auction, Candidate } from './auction.ts';
import { storePromises } from './store-promises.ts';

/** Reasons for which the limits do not take a request: it is then not counted as received. */
const notTaken: ReadonlySet<Reason> = new Set(['max_qps', 'requests_daily_limit', 'technical_error']);

/** Where an auction is reported to. */
export interface AuctionReports {
  readonly events: EventSink;
  readonly quality: InventoryQuality;
}

/** The inventory of an auction: its supply object and the domain or bundle. */
function inventoryOf({ supply, opportunity }: Pick<Auction, 'supply' | 'opportunity'>) {
  const { domain, appBundle } = opportunity.inventory;
  return { kind: supply.kind, id: supply.id, place: appBundle || domain };
}

function tellLoss(auction: Auction, bid: Bid | LostBid, url: string, reason: Reason): void {
  if (url === '') return;
  const { opportunity, services, ranking } = auction;
  const minToWinCpmMicros = ranking[0]?.clearingCpmMicros;
  const macros = auctionMacros(opportunity.auctionId, bid, {
    reason,
    ...(minToWinCpmMicros === undefined ? {} : { minToWinCpmMicros }),
  });
  services.outbound.notify(fillMacros(url, macros));
}

/** Only so many further bids of an answer are told, so that no bidder fills the queue of notices with one answer. */
const furtherNoticesMax = 16;

function tellLoser(auction: Auction, { bid, refusal, lost }: Candidate): void {
  if (bid && refusal) tellLoss(auction, bid, bid.notices.loss, refusal.reason);
  for (const further of lost.slice(0, furtherNoticesMax)) {
    tellLoss(auction, further, further.lossUrl, further.reason);
  }
}

function tellWinner({ opportunity, services, ranking }: Auction): void {
  const winner = ranking[0];
  if (!winner || winner.bid.notices.win === '') return;
  const { bid, clearingCpmMicros } = winner;
  services.outbound.notify(
    fillMacros(bid.notices.win, auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros })),
  );
}

/** Sends the win and loss notices (`nurl`, `lurl`). The winner of an offer is told later, once the offer has won. */
export function notify(auction: Auction): void {
  if (!auction.opportunity.isOffer) tellWinner(auction);
  for (const candidate of auction.candidates) tellLoser(auction, candidate);
}

/**
 * Counts an auction for the statistics: the request, the demand that was asked, its bids, promises and the win. The win
 * of an offer is counted later.
 */
export function count(auction: Auction, { events, quality }: AuctionReports): void {
  const { supply, opportunity, promises, ranking, refusal } = auction;
  if (refusal && notTaken.has(refusal.reason) && auction.candidates.length === 0) return;
  const { timeMs, subId, ip } = opportunity;
  const pairWith = (demand: Pair['demand']): Pair => ({ supply, demand, subId });
  const add = (demand: Pair['demand'], counted: Counted) => events.count(pairWith(demand), counted, timeMs);
  if (opportunity.impression !== 'further') add(undefined, 'requests');
  quality.count(inventoryOf(auction), opportunity.device.isBot, timeMs);
  for (const { demand, isAsked, bid, lost, isBidTaken } of auction.candidates) {
    if (isAsked) add(demand, 'requests');
    for (let bids = lost.length + Number(bid !== undefined); bids > 0; bids -= 1) add(demand, 'bids');
    if (isBidTaken) add(demand, 'taken');
  }
  storePromises(events, { supply, subId, timeMs, ip }, promises.values(), 1);
  const [winner] = ranking;
  if (!winner) return;
  add(undefined, 'taken');
  if (!opportunity.isOffer) add(winner.candidate.demand, 'wins');
}
