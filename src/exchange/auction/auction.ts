import type { DemandKindName } from '../../entities/kinds.ts';
import type { Bid, DemandKind, LostBid, OutboundAnswer } from '../demand/demand-kind.ts';
import type { Outbound } from '../demand/outbound.ts';
import type { AuctionLimits } from '../limits/limits.ts';
import type { Limited, Promised, PromisedIn } from '../limits/promised.ts';
import type { CpmMicros } from '../money.ts';
import type { Opportunity } from '../opportunity.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { CallEstimate, ValueModel } from '../value-model/value-model.ts';
import type { TargetingRefusals } from './targeting-refusals.ts';

/** What steps examine: the request as a whole, or a candidate. */
export interface Eligibility {
  /** Why it is out: the first reason. */
  refusal: Refusal | undefined;
  /** Every reason, for an explanation; undefined in an auction, which ends with the first. */
  readonly refusals: Refusal[] | undefined;
}

/** Notes why something is out, if it is. True where nothing more is asked of it: an explanation goes on. */
export function isOut(examined: Eligibility, refusal: Refusal | undefined): boolean {
  if (refusal === undefined) return false;
  examined.refusal ??= refusal;
  examined.refusals?.push(refusal, ...(refusal.further ?? []));
  return examined.refusals === undefined;
}

/** A bid that was judged, and why it is out. */
export interface RefusedBid {
  readonly bid: Bid;
  readonly refusal: Refusal;
}

/** A demand object in an auction, and what became of it. Where all bids were refused, the best one stays in `bid`. */
export interface Candidate extends Eligibility {
  readonly demand: Demand;
  bid: Bid | undefined;
  /** Bids of its answer that were refused before `bid`, in the order in which they were judged. */
  refused: readonly RefusedBid[];
  /** Bids of its answer that nobody has judged, the highest first. */
  further: readonly Bid[];
  /** Bids of its answer that can take no part. */
  lost: readonly LostBid[];
  /** What is wrong with its answer, and was read all the same. */
  tolerated: Refusal | undefined;
  isAsked: boolean;
  /** Whether it was called for it, as campaigns and direct links are not. */
  isCalled: boolean;
  /** The answer to its call, as it came; undefined where none came in time. */
  answer: OutboundAnswer | undefined;
  /** How long the answer to its call took, in milliseconds; undefined where none came in time. */
  latencyMs: number | undefined;
  /** Whether its bid was taken from its daily limit of bids. */
  isBidTaken: boolean;
  /** What its call was expected to bring, where that was not worth it; it may have been asked all the same. */
  judged: CallEstimate | undefined;
}

const none: readonly never[] = [];

/** A candidate that nobody has asked or refused yet; `refusals` collects every reason for an explanation. */
export function newCandidate(demand: Demand, refusals?: Refusal[]): Candidate {
  return {
    demand,
    refusal: undefined,
    refusals,
    bid: undefined,
    refused: none,
    further: none,
    lost: none,
    tolerated: undefined,
    isAsked: false,
    isCalled: false,
    answer: undefined,
    latencyMs: undefined,
    isBidTaken: false,
    judged: undefined,
  };
}

const outbidByOwn = refuse('lost');

/** The bids of a candidate's answer besides the one that took part, each with why it took none. */
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

/** What an auction uses besides its own data. */
export interface AuctionServices {
  readonly limits: AuctionLimits;
  readonly outbound: Outbound;
  readonly kinds: Readonly<Record<DemandKindName, DemandKind>>;
  /** Counts whom targeting refuses; absent where nothing is counted. */
  readonly targetingRefusals?: TargetingRefusals | undefined;
  /** What calls are worth; absent where nothing is learnt. */
  readonly valueModel?: ValueModel | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to less than 1. */
  readonly random: () => number;
  /** Name of the region that this process serves, as `us-east`. */
  readonly region: string;
  /** Where our own trackers live. */
  readonly baseUrl: () => string;
  /** The URL of a team's third-party measurement, with its macros; `""` = none. Absent where nothing is shown. */
  readonly measurementUrlOf?: ((teamId: number) => string) | undefined;
  /** Whether the configuration is too old for auctions; absent where it never is. */
  readonly isOutdated?: (() => boolean) | undefined;
}

/** A bid in the ranking, with what it costs if it is shown. */
export interface RankedBid {
  readonly candidate: Candidate;
  readonly bid: Bid;
  /** The ad; for video a VAST document. */
  readonly markup: string;
  readonly clearingCpmMicros: CpmMicros;
  /** What the publisher gets of the clearing price; as a CPM. */
  readonly payoutCpmMicros: CpmMicros;
}

/** Reads an auction's request again, for the supply object as it is now. */
export type RereadRequest = (supply: Supply) => Opportunity;

/** One auction under way, or its explanation: its steps fill it in. `refusal` is that of the whole request. */
export interface Auction extends Eligibility {
  readonly supply: Supply;
  readonly opportunity: Opportunity;
  readonly services: AuctionServices;
  /** Reads its request again, for explanations that are asked for later. */
  readonly rereadRequest: RereadRequest;
  candidates: Candidate[];
  /** Bids that may be shown, the winner first; empty where nobody won. */
  ranking: RankedBid[];
  /** Whether the ad that was handed out has the tracker of third-party measurement. */
  isMeasured: boolean;
  /** What objects have promised this auction; an object whose promise is taken back leaves. */
  readonly promises: Map<Limited, Promised>;
}

export function promisedIn({ timeMs, ip, isOffer }: Opportunity): PromisedIn {
  return { timeMs, ip, to: isOffer ? 'offer' : 'ad' };
}

/** One step of the auction: it fills in its part, or refuses the whole request. */
export type Step = (auction: Auction) => Refusal | undefined | Promise<Refusal | undefined>;
