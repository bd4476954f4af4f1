import { isDeal } from '../../entities/kinds.ts';
import type { Nanos } from '../money.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { Limited } from '../snapshot/limited.ts';
import { adUnits, rulesIn } from './ad-units.ts';
import type { AddressCounts } from './address-counts.ts';
import { dayOf } from './day-line.ts';
import { adRules, type LimitRule } from './limit-rules.ts';
import { openPromises } from './open-promises.ts';
import type { PromiseMinutes } from './promise-minutes.ts';
import type { Promised, PromisedIn, Shown } from './promised.ts';
import type { Quotas } from './quotas.ts';
import type { Taking } from './taking.ts';

/** Whether one of the object's limits needs reservations for ads; of deals those tell which one an ad is under. */
export function isReserving({ kind, limits }: Pick<Limited, 'kind' | 'limits'>): boolean {
  return limits.impressionsPerIp > 0 || adRules.some(({ limit }) => limit(limits) > 0) || isDeal(kind);
}

/** Why the limit of an address refuses. No `met`: there is no room to count another address. */
export function addressRefusal({ limits }: Limited, met: number): Refusal {
  const details = { field: 'ImpressionsLimitPerIp', wanted: limits.impressionsPerIp };
  return refuse('impressions_per_ip', Number.isFinite(met) ? { ...details, met } : details);
}

export interface ReservingParts {
  readonly quotas: Quotas;
  readonly addresses: AddressCounts;
  readonly take: Taking;
  readonly made: PromiseMinutes;
}

export type Reserving = ReturnType<typeof reserving>;

const amountBits = 0b110;

/** What ads reserve of limits, and what becomes of it. */
export function reserving({ quotas, addresses, take, made }: ReservingParts) {
  const units = adUnits(quotas, take);
  const promises = openPromises(quotas, units, made);
  const takeAtAddress = (slot: number, object: Limited, auction: PromisedIn): Refusal | undefined => {
    const limit = object.limits.impressionsPerIp;
    const { ip, timeMs } = auction;
    if (limit === 0 || !ip || addresses.take(slot, limit, ip, auction)) return undefined;
    return addressRefusal(object, addresses.of(slot, ip, timeMs));
  };
  const endAtAddress = (
    slot: number,
    { isAtAddress }: Pick<Promised, 'isAtAddress'>,
    auction: PromisedIn,
  ) => {
    if (isAtAddress && auction.ip) addresses.end(slot, auction.ip, auction);
  };
  return {
    restore: promises.restore,
    may(slot: number, object: Limited, { ip, timeMs }: Pick<PromisedIn, 'timeMs' | 'ip'>, nanos: Nanos) {
      promises.endOld(slot, timeMs);
      // Of an ad that costs nothing, too, a limit that is reached wants no more.
      const asker = { slot, object, timeMs, nanos: Math.max(1, nanos) };
      for (const rule of adRules) {
        const refusal = take.may(rule, asker);
        if (refusal) return refusal;
      }
      const limit = object.limits.impressionsPerIp;
      const met = limit > 0 && ip ? addresses.of(slot, ip, timeMs) : 0;
      return limit > 0 && met >= limit ? addressRefusal(object, met) : undefined;
    },
    reserve(slot: number, object: Limited, auction: PromisedIn, nanos: Nanos): Promised | Refusal {
      const { kind, id, limits } = object;
      const { timeMs, ip } = auction;
      const asker = { slot, object, timeMs, nanos };
      const [bits, shares] = [promises.bitsOf(object), promises.sharesOf(object)];
      promises.endOld(slot, timeMs);
      const refusal = units.take(adRules, asker);
      if (refusal) return refusal;
      const promised = { kind, id, nanos, isAtAddress: limits.impressionsPerIp > 0 && ip !== undefined };
      const ofAddress = takeAtAddress(slot, object, auction);
      const isAdded = !ofAddress && (bits === 0 || promises.add(slot, auction, 1, nanos));
      // Again: whoever has looked at what was taken may not have seen the promise.
      if (!quotas.isAlone) quotas.touch(slot);
      if (isAdded) return { ...promised, ...shares };
      units.give(slot, bits, timeMs, { impressions: 1, nanos });
      if (ofAddress) return ofAddress;
      endAtAddress(slot, promised, auction);
      return take.refusal(rulesIn(bits)[0] as LimitRule, asker);
    },
    reprice(
      slot: number,
      object: Limited,
      promised: Promised,
      auction: PromisedIn,
      nanos: Nanos,
    ): Promised | Refusal {
      const { timeMs } = auction;
      const more = nanos - promised.nanos;
      const bits = amountBits & (quotas.isAlone ? amountBits : (promised.shares ?? 0));
      const refusal = more > 0 && units.take(rulesIn(bits), { slot, object, timeMs, nanos: more });
      if (refusal) return refusal;
      if (more !== 0 && promises.add(slot, auction, 0, more) && more < 0)
        units.give(slot, bits, timeMs, { impressions: 0, nanos: -more });
      return { ...promised, nanos };
    },
    release(slot: number, promised: Promised, auction: PromisedIn): void {
      endAtAddress(slot, promised, auction);
      promises.release(slot, promised, auction);
    },
    commit(slot: number, object: Limited, promised: Promised | undefined, shown: Shown): void {
      const { auction, nanos, nowMs } = shown;
      const { ip, timeMs } = auction;
      const unused = promises.commit(slot, promised, auction, nanos);
      if (unused) units.use(slot, object, shown, unused);
      // Count first, then end the promise: in between the ad counts twice, but it is never missed.
      const isRecent = dayOf(timeMs) >= dayOf(nowMs) - 1;
      if (ip && object.limits.impressionsPerIp > 0 && isRecent) addresses.count(slot, ip, timeMs, 1);
      if (promised) endAtAddress(slot, promised, auction);
    },
  };
}
