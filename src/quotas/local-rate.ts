import type { Quotas } from '../exchange/limits/quotas.ts';
import type { Grant, Resource } from '../leases/authority.ts';
import type { LocalQuota } from './local-quota.ts';
import { flowAfter } from './share-request.ts';

const askAgainMs = 1000;
const windowMs = 1000;
/** What is given up may be granted to others a round after the window. */
const giveWayMs = 3000;
const nothingCounted = { counted: 0, unlimited: 0, open: 0 };
/** Requests do not come evenly: a share exceeds the flow by this factor. */
const headroom = 1.5;
/** In which the average flow follows a change. */
const averageMs = 10_000;
/** Whoever has more than its part of a contested limit gives up this part of it, round by round. */
const yieldedPart = 0.05;
/** A contested share is not changed for less than this part of it. */
const noticedPart = 0.1;
/** Others are taken to lack the limit for so long after the authority has said so; a round says it again. */
const contestedMs = 1200;
/** For so long whoever holds the limit holds no more than it uses. */
const sparingMs = 10_000;
/** Of what whoever dies may keep, the rest is for the living. */
const safePart = 0.5;

export interface RatePlace {
  readonly quotas: Pick<Quotas, 'rate' | 'setRate' | 'takeRateNoted'>;
  readonly slot: number;
  readonly holders: () => number;
  /** From 0 to less than 1. */
  readonly random: () => number;
  /** Never goes back. */
  readonly steadyMs: () => number;
}

/** After so long without a request all goes to whoever lacks some. */
const idleMs = 3000;

/** Requests a second: `peak` rises at once and falls slowly. */
function createFlow() {
  let [peak, average] = [0, 0];
  let lastMs = Number.NEGATIVE_INFINITY;
  let usedMs = Number.NEGATIVE_INFINITY;
  return {
    note(used: number, nowMs: number): void {
      const elapsedMs = Math.min(10_000, nowMs - lastMs);
      lastMs = nowMs;
      peak = flowAfter(peak, { used, lacked: 0, elapsedMs });
      const weight = 1 - Math.exp(-elapsedMs / averageMs);
      average += weight * ((used * 1000) / elapsedMs - average);
      if (used > 0) usedMs = nowMs;
    },
    isIdle: (nowMs: number) => nowMs - usedMs >= idleMs,
    peak: () => peak,
    average: () => average,
  };
}

/** What a process wants of a limit that others lack, or lacked lately: what it uses, and while they do at most its part. */
function contestedTarget(
  share: number,
  average: number,
  { part, random }: { readonly part: number; readonly random: () => number },
): number {
  if (share - average >= 1 + noticedPart * share) return Math.max(1, Math.ceil(average));
  const [fair, least] = [Math.ceil(part), Math.floor(part)];
  if (share > fair) return share - Math.ceil((share - fair) * yieldedPart);
  // A unit that cannot be divided goes from one to the other, sooner from whoever uses it less.
  const idle = Math.max(0, 1 - average / share);
  if (share > least && random() < 0.02 + 0.3 * idle ** 2) return share - 1;
  const isMore = average - share >= noticedPart * share;
  return isMore ? Math.max(share, Math.min(Math.ceil(average), fair)) : share;
}

/** Whether others lack some of a rate, and when more may be asked for. */
function createContention(steadyMs: () => number) {
  let contestedUntilMs = Number.NEGATIVE_INFINITY;
  let sparingUntilMs = Number.NEGATIVE_INFINITY;
  let askAfterMs = Number.NEGATIVE_INFINITY;
  const askLater = (ms: number) => {
    askAfterMs = Math.max(askAfterMs, steadyMs() + ms);
  };
  return {
    answered({ granted, isContested }: Pick<Grant, 'granted' | 'isContested'>): void {
      if (granted === 0) askLater(askAgainMs);
      contestedUntilMs = isContested ? steadyMs() + contestedMs : Number.NEGATIVE_INFINITY;
      if (isContested) sparingUntilMs = steadyMs() + sparingMs;
    },
    isContested: () => steadyMs() < contestedUntilMs,
    isSparing: () => steadyMs() < sparingUntilMs,
    askLater,
    mayAsk: () => steadyMs() >= askAfterMs,
  };
}

/**
 * A reduced share is reported one round later, so that no second belongs to both. While nothing is heard, the safe share
 * is what was last reported and answered, or reported since.
 */
export function openLocalRate(
  resource: Resource,
  { quotas, slot, holders, random, steadyMs }: RatePlace,
): LocalQuota {
  const flow = createFlow();
  let before = 0;
  let share = 0;
  let safe = 0;
  let safeSaid = 0;
  let lineSaid = 0;
  let othersSafe = 0;
  /** What the authority thinks it holds: for a second after a cut, more than it lets through. */
  let level = 0;
  let isLost = false;
  const others = createContention(steadyMs);
  let loweredMs = Number.NEGATIVE_INFINITY;
  quotas.setRate(slot, 0, 0);
  const keep = (kept: number, sinceMs = steadyMs()) => {
    if (kept >= share) return;
    share = kept;
    loweredMs = sinceMs;
    quotas.setRate(slot, share, safe);
  };
  const targetOf = (line: number, least: number, isContested: boolean): number => {
    if (isContested && flow.isIdle(steadyMs())) return 0;
    // Who was asked for nothing, and only billed, asks for nothing.
    if (flow.peak() === 0) return Math.min(line, share, least);
    if (!others.isSparing()) return Math.min(line, Math.ceil(flow.peak() * headroom));
    const part = isContested ? line / holders() : line;
    return Math.min(line, contestedTarget(share, flow.average(), { part, random }));
  };
  const cut = (line: number, target: number, isContested: boolean) => {
    if (share <= Math.min(line, others.isSparing() ? target : 2 * target)) return;
    keep(target);
    if (isContested && share < line / holders()) others.askLater(giveWayMs);
  };
  const safeOf = (line: number): number => {
    const part = Math.floor((line * safePart) / holders());
    return Math.max(0, Math.min(share, part, Math.floor(line * safePart) - othersSafe));
  };
  return {
    measure: 'rate',
    day: 0,
    sinceMinute: 0,
    report({ line, least, isWhole }) {
      const nowMs = steadyMs();
      flow.note(quotas.takeRateNoted(slot), nowMs);
      const isContested = others.isContested();
      const target = targetOf(line, least, isContested);
      const isTold = nowMs - loweredMs >= windowMs;
      const held = isTold ? share : level;
      // One cut after the other, or none would ever be told.
      if (isTold || share > line) cut(line, target, isContested);
      const wanted = held === share && others.mayAsk() ? Math.max(0, target - share) : 0;
      const used = safeOf(line);
      const isSame = held === level && used === safeSaid && line >= lineSaid && !isLost;
      if (isSame && wanted === 0 && !isWhole) return undefined;
      [level, lineSaid, safeSaid, isLost] = [held, line, used, false];
      safe = Math.min(safe, used);
      quotas.setRate(slot, share, safe);
      return { ...resource, ...nothingCounted, line, before, used, unused: held - used, wanted };
    },
    take(grant) {
      safe = Math.min(share, safeSaid);
      const kept = Math.floor((level * lineSaid) / (lineSaid + grant.excess));
      if (grant.excess > 0) keep(kept);
      level += grant.granted;
      share += grant.granted;
      quotas.setRate(slot, share, safe);
      before = Math.max(before, grant.before);
      othersSafe = grant.others;
      others.answered(grant);
    },
    recall: () => others.answered({ granted: 0, isContested: true }),
    isUncounted: () => false,
    count: () => undefined,
    holds: () => level > 0,
    lose() {
      isLost = true;
    },
    end: (fellMs) => keep(quotas.rate(slot), fellMs),
    drop: () => keep(0),
    release: () => undefined,
  };
}
