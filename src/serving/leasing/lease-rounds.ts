import type { Shares } from '../../exchange/limits/shares.ts';
import { type LimitAuthority, leaseMs, UnknownHolder } from '../../leases/authority.ts';
import type { LocalQuotas } from './local-quotas.ts';
import type { Resolving } from './resolving.ts';

export interface LeaseRoundsOptions {
  readonly authority: LimitAuthority;
  readonly shares: Shares;
  readonly objects: LocalQuotas;
  readonly resolving: Resolving;
  /** Of the configuration served. */
  readonly revision: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Never goes back, the same in all threads. */
  readonly steadyMs: () => number;
}

export interface LeaseRounds {
  /** Joins if need be, reports, and takes the answer. */
  run(): Promise<void>;
  /** Whether limits of the served configuration have been requested. */
  isServed(): boolean;
  /** Gives back what is unused, and leaves. */
  leave(): Promise<void>;
}

/** A report may take ten seconds; after this silence the authority may have given rates to others. */
const silentMs = leaseMs / 3;

/** To be run one after the other. */
export function createLeaseRounds({
  authority,
  shares,
  objects,
  resolving,
  ...options
}: LeaseRoundsOptions): LeaseRounds {
  const { revision, now, steadyMs } = options;
  let holder = 0;
  let turn = 0;
  let holders = 1;
  let isWhole = true;
  let served = -1;
  let lastMs = Number.NEGATIVE_INFINITY;
  const join = async () => {
    holder = await authority.join();
    objects.reset();
    resolving.begin(now());
    isWhole = true;
  };
  const report = async (sentMs: number) => {
    served = revision();
    // After a silence the authority has given rates to others.
    const wasSilent = sentMs - lastMs > leaseMs;
    const says = { nowMs: now(), isWhole: isWhole || wasSilent, wasSilent: sentMs - lastMs > silentMs };
    const limits = objects.report(says, holders);
    turn += 1;
    const resolved = resolving.resolved();
    const answer = await authority.report({ holder, turn, resolved, limits, isWhole: says.isWhole });
    // What was granted too long ago may count as forgotten.
    if (steadyMs() - sentMs < leaseMs) objects.take(answer.grants);
    else objects.lose();
    ({ holders } = answer);
    isWhole = answer.wantsWhole;
    shares.hold(holder, sentMs + leaseMs);
    lastMs = sentMs;
    return resolved;
  };
  return {
    async run(): Promise<void> {
      const sentMs = steadyMs();
      if (holder === 0) await join();
      await resolving.resolve(holder, now(), objects.resolve);
      try {
        const resolved = await report(sentMs);
        await resolving.settle({ authority, holder, resolved, nowMs: now() });
      } catch (error) {
        objects.lose();
        if (error instanceof UnknownHolder) holder = 0;
        throw error;
      }
    },
    isServed: () => served === revision(),
    async leave(): Promise<void> {
      if (holder === 0) return;
      shares.hold(holder, steadyMs());
      objects.giveBack();
      await report(steadyMs());
      await authority.leave(holder);
    },
  };
}
