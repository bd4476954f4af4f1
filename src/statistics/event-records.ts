import { amountNames, counterNames, noCounts, type OnceEvent, onceEvents } from '../reference/counters.ts';
import { cubes, unknownAd, unknownTraffic } from '../reference/cubes.ts';
import { noticeKinds } from '../reference/notice-kinds.ts';
import { ownMember } from '../reference/own-member.ts';
import type { Notice, ObjectKey } from '../store/statistics/interface.ts';
import type { AtAddress, BillableEvent, FloorUse, LocalRate, PromisedBy } from './events.ts';
import type { PendingCounts } from './pending-counts.ts';

/**
 * Records of an outbox: a byte with the form's version, a byte with the kind, JSON. Databases and servers of several
 * versions take the same records; one that does not know a version, kind, counter, cube or member leaves the record. Events
 * with notices, and those that count as several, have versions of their own: older programs do not count them without.
 */
const version = 1;
const versionWithNotices = 2;
const versionWithImpressions = 3;
const versions: readonly (number | undefined)[] = [version, versionWithNotices, versionWithImpressions];
const kinds = { event: 1, lot: 2 } as const;
const headBytes = 2;
/** No event or batch comes near it. */
const eventRecordBytesMax = 8 * 1024 * 1024;

export type EventRecord =
  | { readonly kind: 'event'; readonly event: BillableEvent }
  | {
      readonly kind: 'lot';
      /** Without malformed rows. */
      readonly lot: PendingCounts;
      readonly faults: readonly RowFault[];
    };

/** A malformed row, and what is wrong with it. */
export interface RowFault {
  readonly error: unknown;
  readonly row: unknown;
}

/** To be kept until it can be read. */
export class NewerRecord extends Error {}

function recordOf(kind: number, value: unknown, form = version): Buffer {
  const record = Buffer.concat([Buffer.of(form, kind), Buffer.from(JSON.stringify(value))]);
  if (record.length > eventRecordBytesMax) throw new RangeError('what was counted is too long for a record');
  return record;
}

function versionOf({ notices, isWin, isImpression }: BillableEvent): number {
  if (isImpression) return versionWithImpressions;
  return notices?.length || isWin ? versionWithNotices : version;
}

export const eventRecord = (event: BillableEvent): Buffer => recordOf(kinds.event, event, versionOf(event));

const withoutZeros = <T extends { readonly counts: object }>(rows: readonly T[]) =>
  rows.map(({ counts, ...row }) => ({
    ...row,
    counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
  }));

/** Throws if it is too long. */
export const batchRecord = ({ pairs, traffic, ...lot }: PendingCounts): Buffer =>
  recordOf(kinds.lot, {
    ...lot,
    pairs: withoutZeros(pairs),
    // The version before reads them; its cube of subids has what they say.
    subIds: [],
    traffic: withoutZeros(traffic),
  });

type Json = Readonly<Record<string, unknown>>;

function fault(what: string): never {
  throw new TypeError(`a record has ${what}`);
}

const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : fault('no object');
const textIn = (value: unknown): string => (typeof value === 'string' ? value : fault('no text'));
const wholeIn = (value: unknown): number =>
  Number.isSafeInteger(value) ? (value as number) : fault('no whole number');
const arrayIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : fault('no array'));
const optional = <T>(value: unknown, read: (value: unknown) => T): T | undefined =>
  value === undefined || value === null ? undefined : read(value);

/** An object that has no others: who does not know what it says would count it without. */
function membersOf<Name extends string>(...names: readonly Name[]) {
  const known: ReadonlySet<string> = new Set(names);
  return (value: unknown): Readonly<Partial<Record<Name, unknown>>> => {
    const sent = objectIn(value);
    for (const name in sent) {
      if (!known.has(name)) throw new NewerRecord(`${name} is not a member that this version knows`);
    }
    return sent as Partial<Record<Name, unknown>>;
  };
}

const keyMembers = membersOf('kind', 'id');

function keyIn(value: unknown): ObjectKey {
  const { kind, id } = keyMembers(value);
  return { kind: textIn(kind), id: wholeIn(id) };
}

/** Members of the pattern with its types and defaults. */
function likeIn<T extends object>(pattern: T): (value: unknown) => T {
  const membersIn = membersOf(...Object.keys(pattern));
  return (value) => {
    const sent = membersIn(value);
    const members = Object.entries(pattern).map(([name, standard]) => {
      const member = ownMember(sent, name) ?? standard;
      return typeof member === typeof standard ? [name, member] : fault(`a wrong ${name}`);
    });
    return Object.fromEntries(members) as T;
  };
}

const trafficIn = likeIn(unknownTraffic);
const adIn = likeIn(unknownAd);
const events: ReadonlySet<string> = new Set(onceEvents);
const counters: ReadonlySet<string> = new Set(counterNames);

const addressMembers = membersOf('address', 'timeMs', 'untilMs', 'objects');

function addressIn(value: unknown): AtAddress {
  const { address, timeMs, untilMs, objects } = addressMembers(value);
  const until = optional(untilMs, wholeIn);
  return {
    address: textIn(address),
    timeMs: wholeIn(timeMs),
    ...(until !== undefined && { untilMs: until }),
    objects: arrayIn(objects).map(keyIn),
  };
}

const holderMax = 2 ** 31 - 1;
const promisedMembers = membersOf('holder', 'to', 'objects');

function promisedByIn(value: unknown): PromisedBy {
  const { holder, to, objects } = promisedMembers(value);
  if (to !== 'ad' && to !== 'offer') fault('a reservation for neither an ad nor an offer');
  const number = wholeIn(holder);
  if (number < 1 || number > holderMax) fault('a wrong holder');
  return { holder: number, to, objects: arrayIn(objects).map(keyIn) };
}

const noticeMembers = membersOf('kind', 'url');

function noticeIn(value: unknown): Notice {
  const { kind, url } = noticeMembers(value);
  const known = noticeKinds.find((one) => one === textIn(kind));
  if (!known) throw new NewerRecord(`${kind} is not a notice that this version knows`);
  return { kind: known, url: textIn(url) };
}

const floorMembers = membersOf('ruleId', 'isControl');

function floorUseIn(value: unknown): FloorUse {
  const { ruleId, isControl } = floorMembers(value);
  return { ruleId: wholeIn(ruleId), isControl: isControl === true };
}

const rateMembers = membersOf('side', 'currency', 'usdPerUnit');

function rateIn(value: unknown): LocalRate {
  const { side, currency, usdPerUnit } = rateMembers(value);
  if (side !== 'supply' && side !== 'demand') fault('a rate of neither side');
  return {
    side,
    currency: textIn(currency),
    usdPerUnit: typeof usdPerUnit === 'number' ? usdPerUnit : fault('a wrong rate'),
  };
}

const pairMembers = membersOf('supply', 'demand', 'subId', 'traffic', 'ad', 'deal', 'floors');
const eventMembers = membersOf(
  ...(['pair', 'event', 'auctionId', 'timeMs', 'expiresMs', 'atAddress', 'promisedBy', 'notices'] as const),
  ...(['isWin', 'isImpression', 'localRates', 'atViewers'] as const),
  ...amountNames,
);

function eventIn(value: unknown): BillableEvent {
  const {
    pair,
    event,
    auctionId,
    timeMs,
    expiresMs,
    atAddress,
    promisedBy,
    notices,
    isWin,
    isImpression,
    localRates,
    atViewers,
    ...amounts
  } = eventMembers(value);
  const { supply, demand, subId, traffic, ad, deal, floors } = pairMembers(pair);
  if (!events.has(textIn(event))) throw new NewerRecord(`${event} is not an event that this version knows`);
  const at = optional(atAddress, addressIn);
  const viewers = optional(atViewers, (all) => arrayIn(all).map(addressIn));
  const promised = optional(promisedBy, promisedByIn);
  const told = optional(notices, (all) => arrayIn(all).map(noticeIn));
  const rates = optional(localRates, (all) => arrayIn(all).map(rateIn));
  const known = optional(traffic, trafficIn);
  const sold = optional(deal, keyIn);
  const ruled = optional(floors, (all) => arrayIn(all).map(floorUseIn));
  return {
    pair: {
      supply: keyIn(supply),
      demand: optional(demand, keyIn),
      subId: textIn(subId),
      ...(known && { traffic: known }),
      ad: optional(ad, adIn),
      ...(sold && { deal: sold }),
      ...(ruled && { floors: ruled }),
    },
    event: event as OnceEvent,
    auctionId: textIn(auctionId),
    timeMs: wholeIn(timeMs),
    expiresMs: wholeIn(expiresMs),
    ...(Object.fromEntries(amountNames.map((name) => [name, wholeIn(amounts[name])])) as never as Record<
      (typeof amountNames)[number],
      number
    >),
    ...(at && { atAddress: at }),
    ...(viewers && { atViewers: viewers }),
    ...(promised && { promisedBy: promised }),
    ...(rates && { localRates: rates }),
    ...(told && { notices: told }),
    ...(isWin === true && { isWin }),
    ...(isImpression === true && { isImpression }),
  };
}

function countsIn(value: unknown): Readonly<Record<string, number>> {
  const counts = Object.entries(objectIn(value));
  const unknown = counts.find(([name]) => !counters.has(name));
  if (unknown) throw new NewerRecord(`${unknown[0]} is not a counter that this version knows`);
  return Object.fromEntries(counts.map(([name, count]) => [name, wholeIn(count)]));
}

const allCountsIn = (value: unknown) => ({ ...noCounts, ...countsIn(value) });

const countMembers = membersOf('id', 'pairs', 'subIds', 'addresses', 'traffic');
const pairRowMembers = membersOf('hour', 'quarter', 'minute', 'supply', 'demand', 'counts');
const addressRowMembers = membersOf('kind', 'id', 'hour', 'address', 'impressions', 'promised');
const trafficRowMembers = membersOf('cube', 'day', 'hour', 'quarter', 'supply', 'demand', 'values', 'counts');

function lotIn(value: unknown): Pick<Extract<EventRecord, { kind: 'lot' }>, 'lot' | 'faults'> {
  const { id, pairs, addresses, traffic } = countMembers(value);
  const faults: RowFault[] = [];
  const rowsIn = <T>(rows: unknown, read: (row: unknown) => T): readonly T[] =>
    arrayIn(rows).flatMap((row) => {
      try {
        return [read(row)];
      } catch (error) {
        if (error instanceof NewerRecord) throw error;
        faults.push({ error, row });
        return [];
      }
    });
  const lot = {
    id: textIn(id),
    pairs: rowsIn(pairs, (row) => {
      const { hour, quarter, minute, supply, demand, counts } = pairRowMembers(row);
      const [ofHour, ofQuarter] = [optional(quarter, wholeIn) ?? 0, optional(minute, wholeIn) ?? 0];
      const time = { hour: wholeIn(hour), quarter: ofHour, minute: ofQuarter };
      return { ...time, supply: keyIn(supply), demand: optional(demand, keyIn), counts: allCountsIn(counts) };
    }),
    addresses: rowsIn(addresses, (row) => {
      const { kind, id: objectId, hour, address, impressions, promised } = addressRowMembers(row);
      const counted = { impressions: wholeIn(impressions), promised: wholeIn(promised) };
      const key = keyIn({ kind, id: objectId });
      return { ...key, hour: wholeIn(hour), address: textIn(address), ...counted };
    }),
    traffic: rowsIn(traffic, trafficRowIn),
  };
  return { lot, faults };
}

function trafficRowIn(row: unknown): PendingCounts['traffic'][number] {
  const { cube, day, hour, quarter, supply, demand, values, counts } = trafficRowMembers(row);
  if (!Object.hasOwn(cubes, textIn(cube)))
    throw new NewerRecord(`${cube} is not a cube that this version knows`);
  const name = cube as keyof typeof cubes;
  const wanted = cubes[name].attributes.length;
  const sent = arrayIn(values).map((one) => (typeof one === 'number' ? wholeIn(one) : textIn(one)));
  if (sent.length !== wanted) throw new NewerRecord(`${name} has other attributes in this version`);
  const [atHour, atQuarter] = [optional(hour, wholeIn), optional(quarter, wholeIn)];
  return {
    cube: name,
    day: wholeIn(day),
    ...(atHour !== undefined && { hour: atHour }),
    ...(atQuarter !== undefined && { quarter: atQuarter }),
    supply: optional(supply, keyIn),
    demand: optional(demand, keyIn),
    values: sent,
    counts: countsIn(counts),
  };
}

/** Throws `NewerRecord` for one of a newer program, another error for a malformed one. */
export function readEventRecord(record: Buffer): EventRecord {
  const [of, kind] = record;
  if (!versions.includes(of)) throw new NewerRecord(`version ${of} of records is not known here`);
  if (record.length > eventRecordBytesMax) throw new RangeError('a record is too long');
  const value: unknown = JSON.parse(record.subarray(headBytes).toString());
  if (kind === kinds.event) return { kind: 'event', event: eventIn(value) };
  if (kind === kinds.lot) return { kind: 'lot', ...lotIn(value) };
  throw new NewerRecord(`kind ${kind} of records is not known here`);
}
