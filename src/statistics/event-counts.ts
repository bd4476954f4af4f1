import { amountNames, countedAs, noCounts } from '../reference/counters.ts';
import { noticeKinds } from '../reference/notice-kinds.ts';
import type { AddressCounts, EventCounts, KeptPromise, Notice } from '../store/statistics/interface.ts';
import { dayOf, hourOf, minuteOf, stepsOf } from './days.ts';
import type { AtAddress, BillableEvent, PromisedBy } from './events.ts';
import { countsSubIds } from './statistics-urls.ts';
import { cleanSubId } from './sub-id.ts';
import type { TopValues } from './top-values.ts';
import { trafficOf } from './traffic-counts.ts';

const auctionIdCharactersMax = 255;

/** See `EventCounts`. A loss claims the names of a win and a bill, so that an auction has either (reference, B10). */
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
  const { auctionId, timeMs, expiresMs, pair, atAddress, promisedBy } = event;
  const promised = promisedBy?.objects ?? [];
  const objects = [pair.supply, pair.demand, ...(atAddress?.objects ?? []), ...promised];
  const isValidId =
    auctionId.length <= auctionIdCharactersMax && auctionId.isWellFormed() && !auctionId.includes('\0');
  const isValid =
    isValidId &&
    (promisedBy === undefined || isPromiser(promisedBy)) &&
    amountNames.every((name) => isWhole(event[name], 0, Number.MAX_SAFE_INTEGER)) &&
    [timeMs, expiresMs, atAddress?.timeMs ?? 0].every((time) => isWhole(time, 0, timeMsMax)) &&
    objects.every((object) => object === undefined || isWhole(object.id, 1, idMax));
  if (isValid) return;
  throw new Error(`a billable event of auction ${JSON.stringify(auctionId.slice(0, 50))} is not valid`);
}

function addressesOf({ address, timeMs, objects }: AtAddress): AddressCounts[] {
  const counted = { hour: hourOf(timeMs), address, impressions: 1, promised: 0 };
  return objects.map(({ kind, id }) => ({ ...counted, kind, id }));
}

/** With what each costs its object as counted there. */
function keptOf(
  { pair, timeMs, promisedBy, revenueNanos }: BillableEvent,
  spentNanos: number,
): readonly KeptPromise[] | undefined {
  if (!promisedBy) return undefined;
  const { holder, to, objects } = promisedBy;
  const { supply } = pair;
  return objects.map(({ kind, id }) => {
    const isSupply = kind === supply.kind && id === supply.id;
    return { holder, to, minute: minuteOf(timeMs), kind, id, nanos: isSupply ? spentNanos : revenueNanos };
  });
}

/** The publisher is never paid more than was earned (reference, "Statistics"). */
export function countsOf(billed: BillableEvent, names: TopValues): EventCounts {
  const { pair, event, auctionId, timeMs, expiresMs, atAddress, revenueNanos } = billed;
  const { supply, demand } = pair;
  const spentNanos = Math.min(billed.spentNanos, revenueNanos);
  const kept = event === 'bills' ? keptOf(billed, spentNanos) : undefined;
  const once = Object.fromEntries(countedAs(billed).map((name) => [name, 1]));
  const own = { ...once, spentNanos, revenueNanos };
  const counts = { ...noCounts, ...own };
  const notices = noticesOf(billed);
  const subId = { day: dayOf(timeMs), supply, subId: cleanSubId(pair.subId), counts };
  return {
    auctionId,
    claims: claimsOf(billed),
    expiresMs,
    pair: { ...stepsOf(minuteOf(timeMs)), supply, demand, counts },
    subId: countsSubIds(supply.kind) ? subId : undefined,
    ...(atAddress && { addresses: addressesOf(atAddress) }),
    ...(kept && { kept }),
    ...(notices.length > 0 && { notices }),
    traffic: trafficOf(pair, dayOf(timeMs), own, names),
  };
}
