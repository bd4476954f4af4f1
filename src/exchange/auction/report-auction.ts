import { fillMacros } from '../../protocols/openrtb/macros.ts';
import type { UnbilledCounter } from '../../reference/counters.ts';
import { latencyCounterOf, latencyCounters } from '../../reference/latency.ts';
import { notTakenReasons, reasonStages } from '../../reference/reason-stages.ts';
import type { CountedPart, CountOf, EventSink, RefusalCount } from '../../statistics/events.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import type { Bid, LostBid } from '../demand/demand-kind.ts';
import type { InventoryQuality } from '../limits/inventory-quality.ts';
import type { OfferedDeal } from '../offered-deal.ts';
import type { Reason } from '../reasons.ts';
import { type Auction, adsOf, type Candidate, otherBidsOf } from './auction.ts';
import { adFactsOf, auctionTraffic, dealCode, placementName } from './counted-facts.ts';
import { floorUsesOf } from './floor-rules.ts';
import { storePromises } from './store-promises.ts';
import type { UsualBids, UsualBidsOf } from './usual-bids.ts';

const notTaken: ReadonlySet<Reason> = new Set(notTakenReasons);
const invalidRequest: ReadonlySet<Reason> = new Set(['invalid_address', 'data_centre', 'prefetch']);

export interface AuctionSinks {
  readonly events: EventSink;
  readonly quality: InventoryQuality;
  readonly usualBids: UsualBids;
}

function inventoryOf({ supply, opportunity }: Pick<Auction, 'supply' | 'opportunity'>) {
  const { kind, id, account } = supply;
  return { kind, id, publisherId: account.id, place: placementName(opportunity) };
}

/** Why its request is invalid traffic, refused or not. */
function invalidBy({ refusal, opportunity }: Auction): Reason | undefined {
  return refusal && invalidRequest.has(refusal.reason) ? refusal.reason : opportunity.invalid;
}

function tellLoss(auction: Auction, bid: Bid | LostBid, url: string, reason: Reason): void {
  if (url === '') return;
  const { opportunity, services, ranking, pod } = auction;
  // In a pod it depends on all others, and no price wins over a higher priority.
  const isBehind = reason === 'lost_to_deal' || reason === 'lost_to_priority';
  const minToWinCpmMicros = pod || isBehind ? undefined : ranking[0]?.clearingCpmMicros;
  const macros = auctionMacros(opportunity, bid, {
    reason,
    ...(minToWinCpmMicros === undefined ? {} : { minToWinCpmMicros }),
  });
  services.outbound.notify(fillMacros(url, macros));
}

/** Bounds the notices of one answer, so that no bidder fills the queue. */
const furtherNoticesMax = 16;

const lostUrlOf = (bid: Bid | LostBid) => ('lossUrl' in bid ? bid.lossUrl : bid.notices.loss);

function tellLoser(auction: Auction, candidate: Candidate): void {
  const { bid, refusal } = candidate;
  if (bid && refusal) tellLoss(auction, bid, bid.notices.loss, refusal.reason);
  for (const other of otherBidsOf(candidate).slice(0, furtherNoticesMax)) {
    tellLoss(auction, other.bid, lostUrlOf(other.bid), other.refusal.reason);
  }
}

function tellWinner({ opportunity, services, ranking }: Auction): void {
  const winner = ranking[0];
  if (!winner || winner.bid.notices.win === '') return;
  const { bid, clearingCpmMicros } = winner;
  services.outbound.notify(
    fillMacros(bid.notices.win, auctionMacros(opportunity, bid, { clearingCpmMicros })),
  );
}

/** Sends `nurl` and `lurl`. Our own offers settle later, so their winner is notified later. */
export function sendNotices(auction: Auction): void {
  if (!auction.opportunity.isOffer) for (const ad of adsOf(auction)) tellWinner(ad);
  for (const candidate of auction.candidates) tellLoser(auction, candidate);
}

/** Reasons why chosen demand is not called, and why a call fails. */
const notCalled: ReadonlySet<Reason> = new Set([...reasonStages.notCalled, 'not_callable']);
const failed: ReadonlySet<Reason> = new Set(reasonStages.errors);

export function endOfCall(candidate: Candidate): 'answers' | 'timeouts' | 'errors' | undefined {
  const { isCalled, bid, refusal } = candidate;
  if (!isCalled) return undefined;
  if (bid || !refusal) return 'answers';
  if (notCalled.has(refusal.reason)) return undefined;
  if (refusal.reason === 'timed_out') return 'timeouts';
  return failed.has(refusal.reason) ? 'errors' : 'answers';
}

const oneRefused: RefusalCount = { count: 1, lostNanos: 0 };
const oneInvalid: RefusalCount = { count: 0, lostNanos: 0, invalid: 1 };
/** Per impression; 0 if unknown. */
const offerOf = ({ priceCpmMicros = 0 }: Pick<LostBid, 'priceCpmMicros'>) => priceCpmMicros;
const refusedBid = (bid: Bid | LostBid): RefusalCount => ({ count: 1, lostNanos: offerOf(bid) });

/** Also under a deal that its bid names, but that was not offered. */
function underDeal(
  refused: RefusalCount,
  { supply: { deals } }: Auction,
  bid: Bid | LostBid | undefined,
): RefusalCount {
  if (deals === undefined || !bid || 'lossUrl' in bid) return refused;
  const { dealId } = bid;
  const named = () => deals.find(({ settings }) => settings.Code === dealId)?.settings.Code;
  const deal = dealCode(bid) || named();
  return deal ? { ...refused, deal } : refused;
}

const byConsent: ReadonlySet<Reason> = new Set(['consent_missing', 'consent_unreadable']);

/** Undefined if nothing is asked of the viewer. Learns from who may bid what is lost with those who may not. */
function usualBidsIn(
  { consent, supply, candidates }: Auction,
  usualBids: UsualBids,
): UsualBidsOf | undefined {
  if (consent.state === 'not_required') return undefined;
  const usual = usualBids(supply);
  for (const candidate of candidates) {
    const { demand, isAsked, isCalled, bid } = candidate;
    if (isAsked && (!isCalled || endOfCall(candidate))) usual.meet(demand, bid ? offerOf(bid) : 0);
  }
  return usual;
}

/** Without a bid that was read. */
function refusedCall({ demand }: Candidate, reason: Reason, usual: UsualBidsOf | undefined): RefusalCount {
  return usual && byConsent.has(reason) ? { count: 1, lostNanos: usual.of(demand) } : oneRefused;
}

/** Counts why demand did not win. If no bid took part, the answer counts the first bid's reason. */
function countRefusals(
  events: EventSink,
  auction: Auction,
  candidate: Candidate,
  usual: UsualBidsOf | undefined,
) {
  const {
    supply,
    opportunity: { timeMs },
  } = auction;
  const { demand, bid, refusal } = candidate;
  const others = otherBidsOf(candidate);
  const pair = { supply, demand };
  if (refusal && (bid || others.length === 0)) {
    const refused = bid ? refusedBid(bid) : refusedCall(candidate, refusal.reason, usual);
    events.refuse(pair, refusal.reason, timeMs, underDeal(refused, auction, bid));
  }
  for (const other of others) {
    const refused = other.refusal.reason === 'lost' ? oneRefused : refusedBid(other.bid);
    events.refuse(pair, other.refusal.reason, timeMs, underDeal(refused, auction, other.bid));
  }
}

const one = (counted: UnbilledCounter): CountOf => [counted, 1];
const request = one('requests');
const offered = one('opportunities');
const call = one('calls');
const ends = { answers: one('answers'), timeouts: one('timeouts'), errors: one('errors') };
const noBid = one('noBids');
const paused = one('pausedCalls');
const saved = one('savedCalls');
const syncCall = one('syncCalls');
const matchedCall = one('matchedCalls');
const taken = one('taken');
const wins = [one('wins')];
const measured = [one('measured')];
const oneBid = one('bids');
const uncalledBid = one('uncalledBids');
const dealRequest = [one('dealRequests')];
const dealCall = [one('dealCalls')];
const latencies = new Map(latencyCounters.map((counter) => [counter, one(counter)]));

function addCall(counts: CountOf[], candidate: Candidate, bids: number): void {
  const { refusal, latencyMs } = candidate;
  if (refusal?.reason === 'paused_after_failures') counts.push(paused);
  const end = endOfCall(candidate);
  if (!end) return;
  counts.push(call, ends[end]);
  if (candidate.demand.partner !== '') counts.push(syncCall);
  if (candidate.demand.partner !== '' && candidate.isMatched) counts.push(matchedCall);
  if (end === 'answers' && bids === 0) counts.push(noBid);
  const latency = latencyMs === undefined ? undefined : latencies.get(latencyCounterOf(latencyMs));
  if (latency) counts.push(latency);
}

function addBids(counts: CountOf[], candidate: Candidate): number {
  const { isCalled, bid, alsoWon } = candidate;
  const others = [...otherBidsOf(candidate).map((other) => other.bid), ...alsoWon];
  const bids = others.length + Number(bid !== undefined);
  if (bids === 0) return 0;
  counts.push(bids === 1 ? oneBid : ['bids', bids]);
  if (!isCalled) counts.push(uncalledBid);
  const nanos = others.reduce((sum, other) => sum + offerOf(other), bid ? offerOf(bid) : 0);
  if (nanos > 0) counts.push(['bidNanos', nanos]);
  return bids;
}

function countsOf(candidate: Candidate): CountOf[] {
  const { isAsked, isBidTaken, refusal, judged } = candidate;
  const counts: CountOf[] = [];
  if (isAsked) counts.push(request);
  addCall(counts, candidate, addBids(counts, candidate));
  if (judged && refusal?.reason === 'not_worth_asking') {
    counts.push(saved, ['riskNanos', Math.round(judged.expectedNanos)]);
  }
  if (isBidTaken) counts.push(taken);
  return counts;
}

/** The win of an offer is counted later. */
function addWinner(parts: CountedPart[], { ranking, opportunity, isMeasured }: Auction): void {
  const [winner] = ranking;
  if (!winner) return;
  const { demand } = winner.candidate;
  if (!opportunity.isOffer) parts.push({ demand, ad: adFactsOf(winner.bid), counts: wins });
  if (isMeasured) parts.push({ demand, counts: measured });
}

function partsOf(auction: Auction): CountedPart[] {
  const { opportunity, ranking, candidates } = auction;
  const { impression } = opportunity;
  const [winner] = ranking;
  const ads: CountOf = auction.pod ? ['taken', auction.pod.length] : taken;
  const ofSupply = [...(impression === 'further' ? [] : [request]), offered, ...(winner ? [ads] : [])];
  const parts: CountedPart[] = [{ demand: undefined, counts: ofSupply }];
  for (const candidate of candidates) {
    const counts = countsOf(candidate);
    if (counts.length > 0) parts.push({ demand: candidate.demand, counts });
  }
  for (const ad of adsOf(auction)) addWinner(parts, ad);
  return parts;
}

const bidsOf = (candidate: Candidate): readonly (Bid | LostBid)[] => [
  ...(candidate.bid ? [candidate.bid] : []),
  ...otherBidsOf(candidate).map(({ bid }) => bid),
  ...candidate.alsoWon,
];

/** Calls and bids under the deals that a buyer was offered. */
function countDealsOf(
  events: EventSink,
  { supply, opportunity }: Auction,
  candidate: Candidate,
  deals: readonly OfferedDeal[],
): void {
  const { demand, isAsked, isCalled } = candidate;
  const count = (code: string, counts: readonly CountOf[]) =>
    events.countDeal({ supply, demand }, code, counts, opportunity.timeMs);
  const isCall = isAsked && (!isCalled || endOfCall(candidate) !== undefined);
  for (const { deal } of isCall ? deals : []) count(deal.settings.Code, dealCall);
  for (const bid of bidsOf(candidate)) {
    const code = 'lossUrl' in bid ? '' : dealCode(bid);
    if (code !== '') count(code, [oneBid, ['bidNanos', offerOf(bid)]]);
  }
}

function countDeals(events: EventSink, auction: Auction): void {
  const { supply, opportunity, candidates } = auction;
  const offered = new Set<string>();
  for (const candidate of candidates) {
    const { deals } = candidate;
    if (!deals) continue;
    for (const { deal } of deals) offered.add(deal.settings.Code);
    countDealsOf(events, auction, candidate, deals);
  }
  const ofSupply = { supply, demand: undefined };
  for (const code of offered) events.countDeal(ofSupply, code, dealRequest, opportunity.timeMs);
}

/** An auction that floor rules were for, with its bids. */
function countFloors(events: EventSink, auction: Auction): void {
  const bids = auction.candidates.flatMap(bidsOf);
  const counts: readonly CountOf[] = [
    ['opportunities', 1],
    ['bids', bids.length],
    ['bidNanos', bids.reduce((sum, bid) => sum + offerOf(bid), 0)],
  ];
  for (const use of floorUsesOf(auction))
    events.countFloor(auction.supply, use, counts, auction.opportunity.timeMs);
}

export function countAuction(auction: Auction, { events, quality, usualBids }: AuctionSinks): void {
  const { supply, opportunity, refusal, candidates } = auction;
  const { timeMs, subId, ip } = opportunity;
  const ofRequest = { supply, demand: undefined };
  if (refusal && candidates.length === 0) events.refuse(ofRequest, refusal.reason, timeMs, oneRefused);
  if (refusal && notTaken.has(refusal.reason) && candidates.length === 0) return;
  const traffic = { ...auctionTraffic(auction), site: placementName(opportunity) };
  events.countAll({ supply, subId, traffic }, partsOf(auction), timeMs);
  const invalid = invalidBy(auction);
  quality.count(inventoryOf(auction), invalid !== undefined, timeMs);
  if (invalid && opportunity.impression !== 'further') events.refuse(ofRequest, invalid, timeMs, oneInvalid);
  const usual = usualBidsIn(auction, usualBids);
  for (const candidate of candidates) countRefusals(events, auction, candidate, usual);
  if (supply.deals) countDeals(events, auction);
  if (auction.isRuled) countFloors(events, auction);
  for (const deal of auction.eligibleDeals) events.countUse({ supply, deal }, 'opportunities', timeMs);
  for (const { promises } of adsOf(auction))
    storePromises(events, { supply, subId, timeMs, ip }, promises.values(), 1);
}
