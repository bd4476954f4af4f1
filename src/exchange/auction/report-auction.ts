import { fillMacros } from '../../protocols/openrtb/macros.ts';
import type { Counted } from '../../reference/counters.ts';
import { latencyCounterOf } from '../../reference/latency.ts';
import type { EventSink, Pair } from '../../statistics/events.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import type { Bid, LostBid } from '../demand/demand-kind.ts';
import type { InventoryQuality } from '../limits/inventory-quality.ts';
import type { Reason } from '../reasons.ts';
import type { Auction, Candidate } from './auction.ts';
import { adFactsOf, placeOf, trafficOf } from './counted-facts.ts';
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
  return { kind: supply.kind, id: supply.id, place: placeOf(opportunity) };
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

/** Reasons for which a demand object that was chosen is not called, and for which its call fails. */
const notCalled: ReadonlySet<Reason> = new Set(['paused_after_failures', 'too_many_calls']);
const failed: ReadonlySet<Reason> = new Set(['error', 'unreachable', 'invalid_response', 'private_address']);

/** How the call of a demand object ended; undefined where there was none. */
function endOfCall({ bid, refusal }: Candidate): 'answers' | 'timeouts' | 'errors' | undefined {
  if (bid || !refusal) return 'answers';
  if (notCalled.has(refusal.reason)) return undefined;
  if (refusal.reason === 'timed_out') return 'timeouts';
  return failed.has(refusal.reason) ? 'errors' : 'answers';
}

type Add = (counted: Counted, by?: number) => void;

type Refuse = (reason: Reason, lostNanos?: number) => void;

/**
 * Counts why a demand object did not win, and why further bids of its answer took no part. Where no bid of an answer
 * was taken, the first of them gives the reason of the whole.
 */
function countRefusals({ bid, lost, refusal }: Candidate, refuseOne: Refuse): void {
  if (refusal && (bid || lost.length === 0)) refuseOne(refusal.reason, bid?.priceCpmMicros);
  for (const { reason } of lost) refuseOne(reason);
}

/** Counts what became of a demand object in an auction. */
function countCandidate(candidate: Candidate, add: Add): void {
  const { isAsked, bid, lost, isBidTaken, refusal, latencyMs } = candidate;
  if (isAsked) {
    add('requests');
    const end = endOfCall(candidate);
    if (end) {
      add('calls');
      add(end);
      if (refusal?.reason === 'no_bid') add('noBids');
      if (latencyMs !== undefined) add(latencyCounterOf(latencyMs));
    }
  }
  const bids = lost.length + Number(bid !== undefined);
  if (bids > 0) add('bids', bids);
  if (bid) add('bidNanos', bid.priceCpmMicros);
  if (isBidTaken) add('taken');
}

/**
 * Counts an auction for the statistics: the request, the demand that was asked, its bids, promises and the win. The win
 * of an offer is counted later.
 */
export function count(auction: Auction, { events, quality }: AuctionReports): void {
  const { supply, opportunity, services, promises, ranking, refusal, candidates } = auction;
  const { timeMs, subId, ip } = opportunity;
  const refusing =
    (demand: Pair['demand']): Refuse =>
    (reason, lostNanos = 0) =>
      events.refuse({ supply, demand }, reason, timeMs, { count: 1, lostNanos });
  if (refusal && candidates.length === 0) refusing(undefined)(refusal.reason);
  if (refusal && notTaken.has(refusal.reason) && candidates.length === 0) return;
  const traffic = { ...trafficOf(opportunity, services.region), site: placeOf(opportunity) };
  const adding = (demand: Pair['demand'], more: Pick<Pair, 'ad'> = {}): Add => {
    const pair: Pair = { supply, demand, subId, traffic, ...more };
    return (counted, by) => events.count(pair, counted, timeMs, by);
  };
  const add = adding(undefined);
  if (opportunity.impression !== 'further') add('requests');
  add('opportunities');
  quality.count(inventoryOf(auction), opportunity.device.isBot, timeMs);
  for (const candidate of candidates) {
    countCandidate(candidate, adding(candidate.demand));
    countRefusals(candidate, refusing(candidate.demand));
  }
  storePromises(events, { supply, subId, timeMs, ip }, promises.values(), 1);
  const [winner] = ranking;
  if (!winner) return;
  add('taken');
  if (!opportunity.isOffer) adding(winner.candidate.demand, { ad: adFactsOf(winner.bid) })('wins');
}
