import type { AskedAuctions, ExplainedCandidate, HeldAuction } from '../../answers/explanation.ts';
import type { Auction, Candidate, RereadRequest } from '../auction/auction.ts';
import { targetingRefusal } from '../auction/select.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';
import type { Supply } from '../snapshot/supply.ts';
import {
  askedAndBid,
  bidRefusals,
  explainedCandidate,
  shownBidfloor,
  shownFloorRules,
  shownRefusal,
  standingOf,
} from './explanation.ts';
import { refusalWithoutViewer } from './without-viewer.ts';

function isAsked(
  { Entity, Id, Outcome, Candidates }: HeldAuction,
  { supply, demand, reason }: AskedAuctions,
) {
  if (supply && (Entity !== supply.kind || Id !== supply.id)) return false;
  const isReason = (rule: string) => reason === undefined || rule === reason;
  if (!demand && isReason(Outcome)) return true;
  return Candidates.some(
    ({ Entity: kind, Id: id, Rule, Refusals }) =>
      (!demand || (kind === demand.kind && id === demand.id)) &&
      (isReason(Rule) || Refusals.some((refusal) => isReason(refusal.Rule))),
  );
}

export interface RecentAuctions {
  note(auction: Auction): void;
  /** The newest first. */
  of(teamId: number, asked?: AskedAuctions): HeldAuction[];
  /** The supply object's last sampled request, read as if it came now; undefined if there is none. */
  lastSeen(supply: Supply): Opportunity | undefined;
}

/** Samples one auction of a supply object in this time, so that a busy one does not push out the others. */
const sampleEveryMs = 200;
const auctionsMax = 500;
const candidatesMax = 100;

function outcomeOf(auction: Auction, candidate: Candidate): ExplainedCandidate {
  const { demand } = candidate;
  const told = (refusal: Refusal) =>
    candidate.answer ? refusalWithoutViewer(refusal, auction.opportunity, demand) : refusal;
  const refusal = candidate.refusal && told(candidate.refusal);
  const bids = { ...askedAndBid(auction, candidate), ofBids: bidRefusals(candidate).map(told) };
  const { outcome, ...shown } = standingOf(auction, candidate);
  const why = outcome !== 'won' && refusal ? [refusal] : [];
  return explainedCandidate(demand, outcome, why, { ...bids, ...shown });
}

/** Why a connected object did not become a candidate. */
function leftOut({ supply, opportunity }: Auction, demand: Demand): ExplainedCandidate[] {
  const refusal = targetingRefusal(supply, demand, opportunity);
  return refusal ? [explainedCandidate(demand, 'refused', [refusal])] : [];
}

function held(auction: Auction, teamIds: WeakMap<HeldAuction, number>): HeldAuction {
  const { supply, opportunity, candidates, ranking, refusal } = auction;
  const known = new Set(candidates.map(({ demand }) => demand));
  const others = supply.candidates.connected.slice(0, candidatesMax).filter((demand) => !known.has(demand));
  const Candidates = [
    ...candidates.slice(0, candidatesMax).map((candidate) => outcomeOf(auction, candidate)),
    ...others.flatMap((demand) => leftOut(auction, demand)),
  ];
  const shown: HeldAuction = {
    AuctionId: opportunity.auctionId,
    TimeMs: opportunity.timeMs,
    Entity: supply.kind,
    Id: supply.id,
    Name: supply.name,
    Outcome: ranking.length > 0 ? 'won' : (refusal?.reason ?? 'no_bid'),
    ...shownBidfloor(auction),
    ...shownRefusal(refusal),
    Country: opportunity.country,
    Domain: opportunity.inventory.domain,
    AppBundle: opportunity.inventory.appBundle,
    Candidates,
    FloorRules: shownFloorRules(auction),
  };
  teamIds.set(shown, supply.teamId);
  return shown;
}

const objectKey = (kind: string, id: number) => `${kind}:${id}`;

/** A ring of auctions, with the last request of each supply object. `now`: milliseconds, never going back. */
export function createRecentAuctions(now: () => number): RecentAuctions {
  const ring: HeldAuction[] = [];
  const teamIds = new WeakMap<HeldAuction, number>();
  const last = new Map<string, { readonly shown: HeldAuction; readonly readAgain: RereadRequest }>();
  const sampledMs = new WeakMap<Supply, number>();
  let next = 0;
  const leave = (gone: HeldAuction) => {
    const name = objectKey(gone.Entity, gone.Id);
    if (last.get(name)?.shown === gone) last.delete(name);
  };
  return {
    note(auction) {
      const { supply, rereadRequest } = auction;
      const nowMs = now();
      if (nowMs - (sampledMs.get(supply) ?? Number.NEGATIVE_INFINITY) < sampleEveryMs) return;
      sampledMs.set(supply, nowMs);
      const shown = held(auction, teamIds);
      const gone = ring[next];
      if (gone) leave(gone);
      last.set(objectKey(supply.kind, supply.id), { shown, readAgain: rereadRequest });
      ring[next] = shown;
      next = (next + 1) % auctionsMax;
    },
    of(teamId, asked = {}) {
      const isWanted = (auction: HeldAuction) => teamIds.get(auction) === teamId && isAsked(auction, asked);
      return ring.filter(isWanted).sort((one, other) => other.TimeMs - one.TimeMs);
    },
    lastSeen: (supply) => last.get(objectKey(supply.kind, supply.id))?.readAgain(supply),
  };
}
