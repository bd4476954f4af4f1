import { setImmediate as tick } from 'node:timers/promises';
import type { HealthQuestion, LastFault, ObjectHealth } from '../../answers/object-health.ts';
import type { ServedKind } from '../../entities/kinds.ts';
import { demandKindNames, supplyKindNames } from '../../entities/kinds.ts';
import { type Auction, type AuctionServices, type Candidate, otherBidsOf } from '../auction/auction.ts';
import type { Bid, LostBid, OutboundAnswer } from '../demand/demand-kind.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Reason, Refusal } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';
import { inactivity } from '../snapshot/inactivity.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { explainingLimits } from './explaining-limits.ts';
import { shownRefusals } from './explanation.ts';
import { createUnfilledCounter } from './unfilled-counter.ts';
import { refusalWithoutViewer, withoutViewer } from './without-viewer.ts';

export interface Health {
  note(auction: Auction): void;
  /** In the order of the team's objects. */
  of(question: HealthQuestion): Promise<ObjectHealth[]>;
}

/** Others are about prices, limits or silence. */
const faulty: ReadonlySet<Reason> = new Set<Reason>([
  ...(['invalid_response', 'invalid_creative', 'invalid_price', 'incorrect_format', 'not_secure'] as const),
  ...(['size_not_allowed', 'media_not_enabled', 'currency_not_accepted', 'not_inline'] as const),
  ...(['domain_blocked', 'category_blocked', 'attribute_blocked', 'app_blocked'] as const),
  ...(['creative_id_listed', 'seat_listed', 'dsa_missing', 'dsa_invalid'] as const),
]);
const markupCharactersMax = 4096;
const faultsMax = 1000;
const requestsMax = 100_000;
/** A partner that only answers faults has one copied in this time. */
const faultEveryMs = 1000;
/** A tolerated fault hides other tolerated ones for this long. */
const hiddenMs = 3_600_000;

const objectKey = (kind: string, id: number) => `${kind}:${id}`;

/** Beyond `sizeMax`, forgets the oldest. */
function createByObject<V>(sizeMax: number) {
  const kinds = new Map<string, Map<number, V>>();
  const forgetOldest = () => {
    const largest = [...kinds.values()].reduce((one, other) => (other.size > one.size ? other : one));
    const [oldest] = largest.keys();
    if (oldest !== undefined) largest.delete(oldest);
    size -= 1;
  };
  let size = 0;
  return {
    get: (kind: string, id: number) => kinds.get(kind)?.get(id),
    set(kind: string, id: number, value: V): void {
      let values = kinds.get(kind);
      if (!values) {
        values = new Map();
        kinds.set(kind, values);
      }
      if (!values.has(id)) {
        if (size >= sizeMax) forgetOldest();
        size += 1;
      }
      values.set(id, value);
    },
  };
}

interface FaultyPart {
  readonly refusal: Refusal;
  readonly bid?: Bid | LostBid;
  readonly isTolerated?: boolean;
}

/** The first fault of an answer, or of one of its bids. */
function faultyPart(candidate: Candidate): FaultyPart | undefined {
  const { refusal, bid } = candidate;
  if (refusal && faulty.has(refusal.reason)) return bid ? { refusal, bid } : { refusal };
  const other = otherBidsOf(candidate).find(({ refusal: why }) => faulty.has(why.reason));
  return other ?? (candidate.tolerated && { refusal: candidate.tolerated, isTolerated: true });
}

function faultOf(
  { refusal, bid, isTolerated = false }: FaultyPart,
  answer: OutboundAnswer,
  opportunity: Opportunity,
  demand: Demand,
): LastFault | undefined {
  const [shown] = shownRefusals([refusalWithoutViewer(refusal, opportunity, demand)]);
  if (!shown) return undefined;
  const whole = (bid && 'markup' in bid ? bid.markup : undefined) ?? answer.body;
  // Longer than what is shown, so that no value is cut before it is found.
  const told = withoutViewer(whole.slice(0, 2 * markupCharactersMax), opportunity, demand);
  // A copy, because a slice keeps the whole text in memory.
  const markup = Buffer.from(told.slice(0, markupCharactersMax)).toString();
  const isCut = whole.length > markupCharactersMax;
  return { ...shown, timeMs: opportunity.timeMs, httpStatus: answer.status, markup, isCut, isTolerated };
}

/** Undefined if the last fault is to stay. */
function newFault(
  candidate: Candidate,
  last: LastFault | undefined,
  opportunity: Opportunity,
): LastFault | undefined {
  const { answer } = candidate;
  const sinceMs = opportunity.timeMs - (last?.timeMs ?? 0);
  if (!answer || sinceMs < faultEveryMs) return undefined;
  const part = faultyPart(candidate);
  if (part?.isTolerated && last && !last.isTolerated && sinceMs < hiddenMs) return undefined;
  return part && faultOf(part, answer, opportunity, candidate.demand);
}

function limitsOf(object: Parameters<AuctionServices['limits']['mayRequest']>[0], { limits, now }: Services) {
  const told = explainingLimits(limits);
  const timeMs = now();
  return shownRefusals(
    [
      told.takeRequest(object, timeMs),
      told.mayBid(object, timeMs),
      told.mayReserve(object, { timeMs, ip: undefined }, 0),
    ]
      .filter((refusal): refusal is Refusal => refusal !== undefined)
      .flatMap((refusal) => [refusal, ...(refusal.further ?? [])]),
  );
}

/** What keeps an object from serving, without asking anybody; undefined if nothing does. */
function obstacleOf(object: LimitedObject, ownerField: 'PublisherId' | 'AdvertiserId', services: Services) {
  const { limits, outbound, now } = services;
  const { kind, id } = object;
  const inactive = inactivity(object, ownerField);
  const pause = outbound.pauseOf(objectKey(kind, id));
  const timeMs = now();
  const { looks } = limits;
  // A look takes a place in the limits' memory, which an object without a limit need not have.
  const limit = Object.values(object.limits).some(Boolean)
    ? (looks.mayRequest(object, timeMs) ??
      looks.mayBid(object, timeMs) ??
      looks.mayReserve(object, { timeMs, ip: undefined }, 0))
    : undefined;
  if (!inactive && !pause && !limit) return undefined;
  return {
    ...{ id, lastRequestMs: undefined, lastFault: undefined, unfilled: undefined },
    pause: pause && shownPause(pause, timeMs),
    limits: shownRefusals(limit ? [limit] : []),
    inactive: shownRefusals(inactive ? [inactive] : []),
  };
}

function shownPause(
  { leftMs, failure }: NonNullable<ReturnType<Services['outbound']['pauseOf']>>,
  timeMs: number,
) {
  return { untilMs: timeMs + leftMs, refusal: shownRefusals(failure ? [failure] : [])[0] };
}

type Services = Pick<AuctionServices, 'limits' | 'outbound' | 'now'>;

const isAmong = <Kind extends ServedKind>(kinds: readonly Kind[], kind: string): kind is Kind =>
  kinds.some((one) => one === kind);

type LimitedObject = NonNullable<ReturnType<typeof objectOf>>;

function objectOf(snapshot: Snapshot, { teamId, kind }: HealthQuestion, id: number) {
  const supply = isAmong(supplyKindNames, kind) ? snapshot.supply(kind, id) : undefined;
  const object = supply ?? (isAmong(demandKindNames, kind) ? snapshot.demand(kind, id) : undefined);
  return object?.teamId === teamId ? object : undefined;
}

const objectsPerTick = 500;

/** With ticks between, because the objects may be very many. */
async function obstaclesOf(
  snapshot: () => Snapshot,
  question: HealthQuestion,
  ownerField: 'PublisherId' | 'AdvertiserId',
  services: Services,
): Promise<ObjectHealth[]> {
  const found: ObjectHealth[] = [];
  for (const [index, id] of question.ids.entries()) {
    const object = objectOf(snapshot(), question, id);
    const obstacle = object && obstacleOf(object, ownerField, services);
    if (obstacle) found.push(obstacle);
    if (index % objectsPerTick === objectsPerTick - 1) await tick();
  }
  return found;
}

/** In bounded memory. */
export function createHealth(snapshot: () => Snapshot, services: Services): Health {
  const requests = createByObject<number>(requestsMax);
  const unfilled = createUnfilledCounter();
  const faults = createByObject<LastFault>(faultsMax);
  return {
    note({ supply, candidates, opportunity }) {
      const { timeMs } = opportunity;
      if (opportunity.impression !== 'further')
        unfilled.note(objectKey(supply.kind, supply.id), opportunity.unfilled, timeMs);
      requests.set(supply.kind, supply.id, timeMs);
      for (const candidate of candidates) {
        if (!candidate.isAsked) continue;
        const { kind, id } = candidate.demand;
        requests.set(kind, id, timeMs);
        const fault = newFault(candidate, faults.get(kind, id), opportunity);
        if (fault) faults.set(kind, id, fault);
      }
    },
    async of(question) {
      const { kind } = question;
      const ownerField = isAmong(supplyKindNames, kind) ? 'PublisherId' : 'AdvertiserId';
      if (question.isBrief) return obstaclesOf(snapshot, question, ownerField, services);
      const objects = question.ids.flatMap((id) => objectOf(snapshot(), question, id) ?? []);
      for (const object of objects) limitsOf(object, services);
      await services.limits.looks.untilTold();
      return objects.map((object) => {
        const { id } = object;
        const inactive = inactivity(object, ownerField);
        const pause = services.outbound.pauseOf(objectKey(kind, id));
        return {
          id,
          lastRequestMs: requests.get(kind, id),
          lastFault: faults.get(kind, id),
          pause: pause && shownPause(pause, services.now()),
          limits: limitsOf(object, services),
          unfilled: unfilled.of(objectKey(kind, id), services.now()),
          inactive: shownRefusals(inactive ? [inactive] : []),
        };
      });
    },
  };
}
