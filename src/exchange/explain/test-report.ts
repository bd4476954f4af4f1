import { gunzipSync } from 'node:zlib';
import type { ExplainedCandidate } from '../../answers/explanation.ts';
import type { TestCall as ShownCall, TestResult } from '../../answers/test-result.ts';
import type { Auction, Candidate } from '../auction/auction.ts';
import { judgeBid } from '../auction/judge.ts';
import { examineTargeting } from '../auction/select.ts';
import type { TestAuction, TestCall } from '../auction/test-auction.ts';
import type { OutboundRequest } from '../demand/demand-kind.ts';
import { isRefusal, type Refusal } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';
import {
  askedAndBid,
  bidRefusals,
  explainedCandidate,
  shownBidfloor,
  shownRefusal,
  shownRefusals,
  standingOf,
} from './explanation.ts';

const shownMax = 100;
const answerBytesMax = 16 * 1024;

function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= answerBytesMax) return text;
  return bytes
    .subarray(0, answerBytesMax)
    .toString()
    .replace(/\uFFFD$/, '');
}

const sentBytesMax = 1024 * 1024;

function sentIn({ body = '', headers }: OutboundRequest): string {
  if (typeof body === 'string') return cut(body);
  const isZipped = headers['content-encoding'] === 'gzip';
  const bytes = isZipped ? gunzipSync(body, { maxOutputLength: sentBytesMax }) : Buffer.from(body);
  return cut(bytes.toString());
}

function shownCall({ partner, request, startMs, durationMs, answer }: TestCall, name: string): ShownCall {
  const [Entity = '', id = ''] = partner.split(':');
  const isMissing = isRefusal(answer);
  const Answer = isMissing ? '' : cut(answer.body);
  return {
    Entity,
    Id: Number(id),
    Name: name,
    Method: request.method,
    Url: cut(request.url),
    Sent: sentIn(request),
    StartMs: Math.round(startMs),
    DurationMs: Math.round(durationMs),
    HttpStatus: isMissing ? 0 : answer.status,
    Answer,
    IsCut: !isMissing && Answer !== answer.body ? 1 : 0,
    Refusals: isMissing ? shownRefusals([answer]) : [],
  };
}

/** The auction's own first, then all rules that its bid does not pass. */
function refusalsOf({ supply, opportunity }: Auction, { bid, refusal }: Candidate): Refusal[] {
  const examined = { refusal: undefined, refusals: [] as Refusal[] };
  if (bid && refusal && bid.markup !== undefined) judgeBid(supply, bid, opportunity, examined);
  return [...(refusal ? [refusal] : []), ...examined.refusals];
}

function outcomeOf(auction: Auction, candidate: Candidate): ExplainedCandidate {
  const bids = { ...askedAndBid(auction, candidate), ofBids: bidRefusals(candidate) };
  const { outcome, ...shown } = standingOf(auction, candidate);
  const why = outcome === 'refused' ? refusalsOf(auction, candidate) : [];
  return explainedCandidate(candidate.demand, outcome, why, { ...bids, ...shown });
}

function leftOut({ supply, opportunity }: Auction, demand: Demand): ExplainedCandidate[] {
  const { refusals } = examineTargeting(supply, demand, opportunity);
  return refusals.length > 0 ? [explainedCandidate(demand, 'refused', refusals)] : [];
}

export function testReport({ auction, calls }: TestAuction): Omit<TestResult, 'Markup' | 'Trackers'> {
  const { supply, opportunity, candidates, ranking, refusal } = auction;
  const names = new Map(candidates.map(({ demand }) => [`${demand.kind}:${demand.id}`, demand.name]));
  const known = new Set(candidates.map(({ demand }) => demand));
  const others = supply.candidates.connected.filter((demand) => !known.has(demand));
  return {
    AuctionId: opportunity.auctionId,
    Outcome: ranking.length > 0 ? 'won' : (refusal?.reason ?? 'no_bid'),
    ...shownBidfloor(auction),
    ...shownRefusal(refusal),
    Refusals: shownRefusals(refusal ? [refusal] : []),
    Candidates: [
      ...candidates.slice(0, shownMax).map((candidate) => outcomeOf(auction, candidate)),
      ...others.slice(0, shownMax).flatMap((demand) => leftOut(auction, demand)),
    ].slice(0, shownMax),
    Calls: calls.slice(0, shownMax).map((call) => shownCall(call, names.get(call.partner) ?? '')),
  };
}
