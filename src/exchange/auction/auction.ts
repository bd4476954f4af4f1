import type { DemandKindName } from '../../entities/kinds.ts';
import type { ConsentReader, ViewerConsent } from '../consent/viewer-consent.ts';
import type { Bid, DemandKind, LostBid, OutboundAnswer } from '../demand/demand-kind.ts';
import type { Outbound } from '../demand/outbound.ts';
import type { AuctionLimits } from '../limits/limits.ts';
import type { Promised, PromisedIn } from '../limits/promised.ts';
import type { CpmMicros } from '../money.ts';
import type { OfferedDeal } from '../offered-deal.ts';
import type { Media, Opportunity } from '../opportunity.ts';
import type { Rates } from '../rates.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { Deal } from '../snapshot/deal.ts';
import type { Demand } from '../snapshot/demand.ts';
import type { Limited } from '../snapshot/limited.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { Team } from '../team.ts';
import type { CallEstimate, ValueModel } from '../value-model/value-model.ts';
import type { HashViewer, ViewerOf } from '../viewer-hash.ts';
import type { TargetingRefusals } from './targeting-refusals.ts';

export interface Eligibility {
  refusal: Refusal | undefined;
  /** Every reason, for an explanation; undefined in an auction, which ends with the first. */
  readonly refusals: Refusal[] | undefined;
}

/** Notes why something is out, if it is. True ends the checks; an explanation goes on. */
export function isOut(examined: Eligibility, refusal: Refusal | undefined): boolean {
  if (refusal === undefined) return false;
  examined.refusal ??= refusal;
  examined.refusals?.push(refusal, ...(refusal.further ?? []));
  return examined.refusals === undefined;
}

export interface RefusedBid {
  readonly bid: Bid;
  readonly refusal: Refusal;
}

/** A demand object in an auction. If all its bids were refused, the best one stays in `bid`. */
export interface Candidate extends Eligibility {
  readonly demand: Demand;
  /** The media of the impression for which it was selected; undefined if there is one. */
  readonly media: readonly Media[] | undefined;
  bid: Bid | undefined;
  /** Bids of its answer that were refused before `bid`, in that order. */
  refused: readonly RefusedBid[];
  /** Bids of its answer not judged yet, the highest first. */
  further: readonly Bid[];
  /** Bids of its answer that are shown besides `bid`, in a pod. */
  alsoWon: readonly Bid[];
  lost: readonly LostBid[];
  /** What is wrong with its answer that did not stop us from reading it. */
  tolerated: Refusal | undefined;
  /** What the viewer does not permit it: a mask of activities. */
  withheld: number;
  isAsked: boolean;
  /** False for campaigns and direct links, which bid without a call. */
  isCalled: boolean;
  /** Whether it is told its own ID of the viewer. */
  isMatched: boolean;
  answer: OutboundAnswer | undefined;
  /** Undefined if no answer came in time. */
  latencyMs: number | undefined;
  /** Whether its bid was taken from its daily limit of bids. */
  isBidTaken: boolean;
  /** What its call was expected to bring, if that was too little; it may have been called all the same, to learn. */
  judged: CallEstimate | undefined;
  /** That its bids may be under, the most important first; undefined if there is none. */
  deals: readonly OfferedDeal[] | undefined;
}

const none: readonly never[] = [];

export function newCandidate(demand: Demand, refusals?: Refusal[], media?: readonly Media[]): Candidate {
  return {
    demand,
    media,
    refusal: undefined,
    refusals,
    bid: undefined,
    refused: none,
    further: none,
    alsoWon: none,
    lost: none,
    tolerated: undefined,
    withheld: 0,
    isAsked: false,
    isCalled: false,
    isMatched: false,
    answer: undefined,
    latencyMs: undefined,
    isBidTaken: false,
    judged: undefined,
    deals: undefined,
  };
}

const outbidByOwn = refuse('lost');

/** The other bids of a candidate's answer, each with the reason why it took no part. */
export function otherBidsOf({ refused, further, lost }: Candidate): readonly {
  readonly bid: Bid | LostBid;
  readonly refusal: Refusal;
}[] {
  if (refused.length + further.length + lost.length === 0) return none;
  return [
    ...refused,
    ...further.map((bid) => ({ bid, refusal: outbidByOwn })),
    ...lost.map((bid) => ({ bid, refusal: bid.refusal })),
  ];
}

export interface AuctionServices {
  readonly limits: AuctionLimits;
  readonly outbound: Outbound;
  readonly kinds: Readonly<Record<DemandKindName, DemandKind>>;
  /** Absent: not counted. */
  readonly targetingRefusals?: TargetingRefusals | undefined;
  /** Absent: nothing is learnt. */
  readonly valueModel?: ValueModel | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to less than 1. */
  readonly random: () => number;
  readonly region: string;
  readonly baseUrl: () => string;
  /** By ID; compiled when settings change. */
  readonly teamOf: (id: number) => Team;
  readonly consent: ConsentReader;
  /** Absent: nobody's frequency is limited. */
  readonly hashViewer?: HashViewer | undefined;
  /** Absent: no floor rules. */
  readonly floorsOf?: Snapshot['floorsOf'] | undefined;
  /** Absent: USD alone. */
  readonly rates?: Pick<Rates, 'current'> | undefined;
  /** Whether the configuration is too old for auctions; absent = never. */
  readonly isOutdated?: (() => boolean) | undefined;
}

export interface RankedBid {
  readonly candidate: Candidate;
  readonly bid: Bid;
  /** The ad; for video a VAST document. */
  readonly markup: string;
  readonly clearingCpmMicros: CpmMicros;
  readonly payoutCpmMicros: CpmMicros;
}

export type RereadRequest = (supply: Supply) => Opportunity;

/** An auction under way, or its explanation; its steps fill it in. `refusal` is for the whole request. */
export interface Auction extends Eligibility {
  readonly supply: Supply;
  /** Of the winner's medium, once there is a winner. */
  opportunity: Opportunity;
  readonly services: AuctionServices;
  readonly rereadRequest: RereadRequest;
  readonly consent: ViewerConsent;
  /** For frequency. */
  readonly viewer: ViewerOf | undefined;
  candidates: Candidate[];
  /** Whether floor rules are for the impression, of any medium. */
  isRuled: boolean;
  /** Deals that the impression could be sold under, offered or not. */
  eligibleDeals: readonly Deal[];
  /** The winner first. */
  ranking: RankedBid[];
  /** Whether the ad handed out carries the tracker of third-party measurement. */
  isMeasured: boolean;
  /** An object leaves when its promise is taken back. */
  readonly promises: Map<Limited, Promised>;
  /** The ads of a pod in their order, each as an auction of its own with its own `adId` and promises. */
  pod: readonly Auction[] | undefined;
}

/** Of a pod its ads, each as an auction; else the auction itself. */
export const adsOf = (auction: Auction): readonly Auction[] => auction.pod ?? [auction];

/** Under which its events count: an auction bills once for each. */
export const adIdOf = ({ adId, auctionId }: Opportunity): string => adId ?? auctionId;

export function promisedIn({ opportunity, viewer }: Pick<Auction, 'opportunity' | 'viewer'>): PromisedIn {
  const { timeMs, ip, isOffer } = opportunity;
  return { timeMs, ip, viewer, to: isOffer ? 'offer' : 'ad', auctionId: adIdOf(opportunity) };
}

export type Step = (auction: Auction) => Refusal | undefined | Promise<Refusal | undefined>;
