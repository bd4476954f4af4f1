import type { LeaseEnds, Quotas } from '../exchange/limits/quotas.ts';
import {
  type LimitAuthority,
  leaseMs,
  type ResolvedMinutes,
  safeRateMs,
  UnknownHolder,
} from '../leases/authority.ts';
import { partsOf, type ReportPart } from '../leases/parts.ts';
import type { CountedObject, LocalQuotas } from './local-quotas.ts';
import type { Resolving } from './resolving.ts';

export interface LeaseRoundsOptions {
  readonly authority: LimitAuthority;
  readonly quotas: Quotas;
  readonly objects: LocalQuotas;
  readonly resolving: Resolving;
  /** What the store has counted of objects on the day of a time. */
  readonly countedOf: (
    objects: ReturnType<LocalQuotas['uncounted']>,
    timeMs: number,
  ) => Promise<readonly CountedObject[]>;
  /** Of the configuration served. */
  readonly revision: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Never goes back, the same in all threads. */
  readonly steadyMs: () => number;
  /** Of a part; absent = as measured to be best. */
  readonly partLimitsMax?: number;
}

export interface LeaseRounds {
  /**
   * Joins if need be, reports part by part, and takes the answers. Resolves to the first failure of a part; rejects if
   * no part was answered.
   */
  run(): Promise<unknown>;
  /** Whether limits of the served configuration have been requested. */
  isServed(): boolean;
  /** Reports what was used, and leaves, which frees the rest; after a failed part only silence tells what was used. */
  leave(): Promise<void>;
}

/**
 * Rates end before others may be granted them: by a second, in which both would count, and by what clocks may drift
 * apart.
 */
const marginMs = 1500;

const endsOf = (sentMs: number): LeaseEnds => ({
  untilMs: sentMs + leaseMs,
  ratesMs: sentMs + leaseMs - marginMs,
  safeRatesMs: sentMs + safeRateMs - marginMs,
});

/** Answers the epoch. `isEnd`: the last part, and all before were answered. */
type SendPart = (part: ReportPart, epoch: string, isEnd: boolean) => Promise<string>;

/** Parts of a whole are tried twice: the authority grants nothing until each has followed the one before. */
async function sendOrRepeat(part: ReportPart, send: () => Promise<string>): Promise<string> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof UnknownHolder || !part.whole) throw error;
    return send();
  }
}

/** A part that fails fails alone. Answers the first failure; rejects if all have failed, or the holder is unknown. */
async function sendEach(
  parts: readonly ReportPart[],
  send: SendPart,
  lose: LocalQuotas['lose'],
): Promise<unknown> {
  const failures: unknown[] = [];
  let epoch = '';
  for (const [index, part] of parts.entries()) {
    const isEnd = index === parts.length - 1 && failures.length === 0;
    try {
      const answered = await sendOrRepeat(part, () => send(part, epoch, isEnd));
      epoch = index === 0 || answered === epoch ? answered : '';
    } catch (error) {
      if (error instanceof UnknownHolder) throw error;
      lose(part.limits);
      failures.push(error);
      epoch = '';
    }
  }
  if (failures.length === parts.length) throw failures[0];
  return failures[0];
}

/** To be run one after the other. */
export function createLeaseRounds({
  authority,
  quotas,
  objects,
  resolving,
  countedOf,
  ...options
}: LeaseRoundsOptions): LeaseRounds {
  const { revision, now, steadyMs, partLimitsMax } = options;
  let holder = 0;
  let turn = 0;
  let holders = 1;
  let isWhole = false;
  let isLeaving = false;
  let served = -1;
  /** Told with the last round that was answered in all parts. */
  let reported: ResolvedMinutes = { ad: 0, offer: 0 };
  const join = async () => {
    holder = await authority.join();
    objects.reset();
    resolving.begin(now());
    reported = resolving.resolved();
    isWhole = false;
  };
  /** Answers the epoch. */
  const sendPart = async ({ whole, limits }: ReportPart, epoch: string, resolved: ResolvedMinutes) => {
    const sentMs = steadyMs();
    turn += 1;
    const wholePart = whole && { ...whole, epoch };
    const answer = await authority.report({ holder, turn, resolved, whole: wholePart, limits });
    objects.endRates();
    // What was granted too long ago may count as forgotten.
    if (steadyMs() - sentMs < leaseMs) objects.take(limits, answer.grants);
    else objects.lose(limits);
    objects.recall(answer.recalled);
    ({ holders } = answer);
    isWhole = answer.wantsWhole;
    if (!isLeaving) quotas.hold(holder, endsOf(sentMs));
    return answer.epoch;
  };
  const report = async () => {
    served = revision();
    objects.endRates();
    const limits = objects.report({ revision: served, nowMs: now(), isWhole }, holders);
    const resolved = resolving.resolved();
    const send: SendPart = (part, epoch, isEnd) => sendPart(part, epoch, isEnd ? resolved : reported);
    const failure = await sendEach(partsOf(limits, isWhole, partLimitsMax), send, objects.lose);
    if (failure === undefined) reported = resolved;
    return failure;
  };
  /** Asks the store about limits that the authority does not know; whether there were any. */
  const count = async (): Promise<boolean> => {
    const uncounted = objects.uncounted();
    if (uncounted.length === 0) return false;
    const nowMs = now();
    objects.count(await countedOf(uncounted, nowMs), nowMs);
    return true;
  };
  return {
    async run() {
      if (holder === 0) await join();
      await resolving.resolve(holder, now(), objects.resolve);
      try {
        await count();
        let failure = await report();
        // Nothing was granted of these: nobody need wait for the next round.
        if (await count()) failure = (await report()) ?? failure;
        quotas.noteRound();
        await resolving.settle({ authority, holder, resolved: reported, nowMs: now() });
        return failure;
      } catch (error) {
        if (error instanceof UnknownHolder) holder = 0;
        throw error;
      }
    },
    isServed: () => served === revision(),
    async leave(): Promise<void> {
      if (holder === 0) return;
      quotas.hold(holder, endsOf(steadyMs() - leaseMs));
      isLeaving = true;
      if ((await report()) === undefined) await authority.leave(holder);
    },
  };
}
