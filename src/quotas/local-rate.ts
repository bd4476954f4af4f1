import type { Quotas } from '../exchange/limits/quotas.ts';
import type { Resource } from '../leases/authority.ts';
import type { LocalQuota } from './local-quota.ts';
import { flowAfter } from './share-request.ts';

const askAgainMs = 1000;
const windowMs = 1000;
const nothingHeld = { counted: 0, used: 0, open: 0, unused: 0 };
/** Requests do not come evenly: a share exceeds the flow by this factor. */
const headroom = 1.5;

export interface RatePlace {
  readonly quotas: Pick<Quotas, 'rate' | 'setRate' | 'takeRateNoted'>;
  readonly slot: number;
  readonly holders: () => number;
  /** Never goes back. */
  readonly steadyMs: () => number;
}

/** A reduced share is reported one round later, so that no second belongs to both. After a silence it asks again. */
export function openLocalRate(
  resource: Resource,
  { quotas, slot, holders, steadyMs }: RatePlace,
): LocalQuota {
  let flow = 0;
  let before = 0;
  /** What the authority thinks it holds: for a second after a cut, more than it lets through. */
  let level = 0;
  let isLost = false;
  /** Whether reports say that nothing is held, until one is answered. */
  let isAnew = false;
  let isContested = false;
  let lastMs = Number.NEGATIVE_INFINITY;
  let loweredMs = Number.NEGATIVE_INFINITY;
  let askAfterMs = Number.NEGATIVE_INFINITY;
  quotas.setRate(slot, 0);
  const targetOf = (line: number, least: number): number => {
    if (flow === 0) return isContested ? 0 : Math.min(line, least);
    const wanted = Math.min(line, Math.ceil(flow * headroom));
    return isContested ? Math.min(wanted, Math.max(1, Math.floor(line / holders()))) : wanted;
  };
  return {
    measure: 'rate',
    day: 0,
    sinceMinute: 0,
    report({ line, least, isWhole, wasSilent }) {
      const nowMs = steadyMs();
      const elapsedMs = Math.min(10_000, nowMs - lastMs);
      lastMs = nowMs;
      flow = flowAfter(flow, { used: quotas.takeRateNoted(slot), lacked: 0, elapsedMs });
      const target = targetOf(line, least);
      if (quotas.rate(slot) > Math.min(line, isContested ? target : 2 * target)) {
        quotas.setRate(slot, target);
        loweredMs = nowMs;
      }
      isAnew ||= wasSilent;
      if (isAnew) return { ...resource, ...nothingHeld, line, before, wanted: target };
      const share = quotas.rate(slot);
      const unused = nowMs - loweredMs >= windowMs ? share : level;
      const wanted = unused === share && nowMs >= askAfterMs ? Math.max(0, target - share) : 0;
      if (unused === level && wanted === 0 && !isWhole && !isLost) return undefined;
      [level, isLost] = [unused, false];
      return { ...resource, ...nothingHeld, line, before, unused, wanted };
    },
    take(grant) {
      if (isAnew) {
        quotas.setRate(slot, 0);
        level = 0;
        isAnew = false;
      }
      level += grant.granted;
      if (grant.granted > 0) quotas.setRate(slot, quotas.rate(slot) + grant.granted);
      else askAfterMs = steadyMs() + askAgainMs;
      before = Math.max(before, grant.before);
      ({ isContested } = grant);
    },
    recall() {
      isContested = true;
      askAfterMs = steadyMs() + askAgainMs;
    },
    isUncounted: () => false,
    count: () => undefined,
    holds: () => level > 0,
    lose() {
      isLost = true;
    },
    drop: () => quotas.setRate(slot, 0),
    release: () => undefined,
  };
}
