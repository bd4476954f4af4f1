import { amountNames, countedAs } from '../reference/counters.ts';
import { noticeKinds } from '../reference/notice-kinds.ts';
import type {
  AddedCounts,
  EventBatch,
  KeptPromise,
  Notice,
  PendingNotice,
  TrafficCounts,
} from '../store/statistics/interface.ts';
import type { CountedName } from './counter-rows.ts';
import { createCounters } from './counters.ts';
import { hourOf, minuteOf } from './days.ts';
import type { BillableEvent, CountOf, LocalRate, PromisedBy } from './events.ts';
import { factsOfEvent } from './fact-recorder.ts';
import type { TopValues } from './top-values.ts';

const auctionIdCharactersMax = 255;

/** See `EventClaim`. A loss claims the names of a win and a bill, so that an auction has either (reference, B10). */
export function claimsOf({ event, isImpression }: BillableEvent): readonly string[] {
  if (isImpression) return [event, 'impressions'];
  return event === 'losses' ? ['wins', 'bills'] : [event];
}

const idMax = 2 ** 31 - 1;
/** The last time that a `Date` can hold. */
const timeMsMax = 8.64e15;

const isWhole = (value: number, min: number, max: number) =>
  Number.isInteger(value) && value >= min && value <= max;

const isPromiser = ({ holder, to }: PromisedBy) =>
  isWhole(holder, 1, idMax) && (to === 'ad' || to === 'offer');

const isRate = ({ currency, usdPerUnit }: LocalRate) =>
  /^[A-Z]{3}$/.test(currency) && usdPerUnit > 0 && Number.isFinite(usdPerUnit);

const noticesMax = 2;
const noticeUrlCharactersMax = 16_384;

const isNotice = ({ kind, url }: Notice) =>
  noticeKinds.includes(kind) &&
  url.length <= noticeUrlCharactersMax &&
  url.isWellFormed() &&
  /^https?:$/.test(URL.parse(url)?.protocol ?? '');

/** Only sendable ones: whatever a bidder has written, its event counts. */
const noticesOf = ({ notices = [] }: BillableEvent) => notices.filter(isNotice).slice(0, noticesMax);

/** Throws for values that no database takes, or that no event can have. */
export function assertStorable(event: BillableEvent): void {
  const { auctionId, timeMs, expiresMs, pair, atAddress, atViewers = [], promisedBy } = event;
  const promised = promisedBy?.objects ?? [];
  const counted = atAddress ? [atAddress, ...atViewers] : atViewers;
  const objects = [
    ...[pair.supply, pair.demand, pair.deal],
    ...counted.flatMap(({ objects }) => objects),
    ...promised,
  ];
  const isValidId =
    auctionId.length <= auctionIdCharactersMax && auctionId.isWellFormed() && !auctionId.includes('\0');
  const isValid =
    isValidId &&
    (promisedBy === undefined || isPromiser(promisedBy)) &&
    (event.localRates ?? []).every(isRate) &&
    amountNames.every((name) => isWhole(event[name], 0, Number.MAX_SAFE_INTEGER)) &&
    [timeMs, expiresMs, ...counted.flatMap((at) => [at.timeMs, at.untilMs ?? 0])].every((time) =>
      isWhole(time, 0, timeMsMax),
    ) &&
    objects.every((object) => object === undefined || isWhole(object.id, 1, idMax));
  if (isValid) return;
  throw new Error(`a billable event of auction ${JSON.stringify(auctionId.slice(0, 50))} is not valid`);
}

/** With what each costs its object as counted there. */
function keptOf(
  { pair, timeMs, promisedBy, revenueNanos }: BillableEvent,
  spentNanos: number,
): readonly KeptPromise[] {
  if (!promisedBy) return [];
  const { holder, to, objects } = promisedBy;
  const { supply } = pair;
  return objects.map(({ kind, id }) => {
    const isSupply = kind === supply.kind && id === supply.id;
    return { holder, to, minute: minuteOf(timeMs), kind, id, nanos: isSupply ? spentNanos : revenueNanos };
  });
}

/** The publisher is never paid more than was earned (reference, "Statistics"). */
const spentOn = ({ spentNanos, revenueNanos }: BillableEvent) => Math.min(spentNanos, revenueNanos);

/** To the nearest nano-unit (reference, S91). */
const localNanos = (nanos: number, { usdPerUnit }: LocalRate) =>
  Math.min(Math.round(nanos / usdPerUnit), Number.MAX_SAFE_INTEGER);

const hoursPerDay = 24;

/** Rows of the cube `currency`, which has what is not in USD. */
function localCounts(event: BillableEvent): TrafficCounts[] {
  const { pair, timeMs, revenueNanos, localRates = [] } = event;
  const { supply, demand } = pair;
  if (revenueNanos === 0) return [];
  const spentNanos = spentOn(event);
  const hour = hourOf(timeMs);
  return localRates.map((rate) => ({
    ...({ cube: 'currency', day: Math.floor(hour / hoursPerDay), hour, supply, demand } as const),
    values: [rate.currency],
    counts:
      rate.side === 'supply'
        ? { spentNanos, localSpentNanos: localNanos(spentNanos, rate) }
        : { revenueNanos, localRevenueNanos: localNanos(revenueNanos, rate) },
  }));
}

const pendingNotices = (event: BillableEvent): PendingNotice[] =>
  noticesOf(event).map((notice) => ({ ...notice, id: `${event.auctionId}/${notice.kind}` }));

function countsOf(events: readonly BillableEvent[], names: TopValues, leavesFacts: boolean): AddedCounts {
  // Late events keep their minutes.
  const counters = createCounters(names, Number.POSITIVE_INFINITY);
  for (const event of events) {
    const { pair, timeMs, atAddress, atViewers = [], revenueNanos } = event;
    const counts: CountOf<CountedName>[] = countedAs(event).map((name) => [name, 1]);
    if (revenueNanos > 0) counts.push(['spentNanos', spentOn(event)], ['revenueNanos', revenueNanos]);
    counters.count(pair, [{ demand: pair.demand, ad: pair.ad, counts }], timeMs);
    if (pair.deal) counters.countUse(pair.supply, pair.deal, counts, timeMs);
    for (const use of pair.floors ?? []) counters.countFloor(pair.supply, use, counts, timeMs);
    if (atAddress) counters.countAddress(atAddress, { impressions: 1, promised: 0 });
    for (const at of atViewers) counters.countAddress(at, { impressions: 1, promised: 0 });
  }
  const taken = counters.take(0);
  return {
    ...taken,
    traffic: [...taken.traffic, ...events.flatMap(localCounts)],
    kept: events.flatMap((event) => (event.event === 'bills' ? keptOf(event, spentOn(event)) : [])),
    notices: events.flatMap(pendingNotices),
    facts: leavesFacts ? events.flatMap(factsOfEvent) : [],
  };
}

/** For a database, which knows which of them count. */
export function eventBatch(
  events: readonly BillableEvent[],
  names: TopValues,
  { leavesFacts = false } = {},
): EventBatch {
  const claims = events.map((event) => {
    const { auctionId, expiresMs } = event;
    return { auctionId, expiresMs, names: claimsOf(event), event };
  });
  return {
    claims,
    countsOf: (counted) => {
      const own = claims.flatMap((claim) => (counted.has(claim) ? claim.event : []));
      return countsOf(own, names, leavesFacts);
    },
  };
}
