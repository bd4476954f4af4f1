import { createLimits, limitsMemory, quotasIn } from '../../src/exchange/limits/create-limits.ts';
import { limitRules } from '../../src/exchange/limits/limit-rules.ts';
import type { Limits } from '../../src/exchange/limits/limits.ts';
import { minuteOf } from '../../src/exchange/limits/promise-minutes.ts';
import { minutesFor, type Promised, type PromisedIn } from '../../src/exchange/limits/promised.ts';
import { isRefusal } from '../../src/exchange/reasons.ts';
import type { Limited } from '../../src/exchange/snapshot/limited.ts';
import type { LimitAuthority, LimitReport } from '../../src/leases/authority.ts';
import { createLeaseRounds } from '../../src/quotas/lease-rounds.ts';
import { createLocalQuotas } from '../../src/quotas/local-quotas.ts';
import { createResolving } from '../../src/quotas/resolving.ts';
import {
  dayKey,
  dayNumber,
  type FormerZone,
  formerZonesAfter,
  limitDays,
} from '../../src/shared/limit-days.ts';
import { seededRandom } from '../../src/simulation/random.ts';
import type { KeptPromise, KeptPromisesOf } from '../../src/store/statistics/interface.ts';
import { auctionAt, smallSize } from '../exchange/limits/limited.ts';
import { createMemoryAuthority, type MemoryAuthority } from './model.ts';

/** An ad that was handed out. */
interface Ad {
  readonly object: Limited;
  readonly promised: Promised;
  readonly auction: PromisedIn;
  isBilled: boolean;
}

/** An event on the disk of a machine. */
interface Event {
  readonly ad: Ad;
  readonly nanos: number;
}

const minuteMs = 60_000;
/** As the store names it. */
const dayOf = ({ days }: Pick<Limited, 'days'>, timeMs: number) => dayNumber(dayKey(days, timeMs));
const hourOf = ({ timeMs }: PromisedIn) => Math.floor(timeMs / 3_600_000);
const awayError = new Error('away');

/** A database that counts each ad once, whoever brings it. */
function createStore() {
  const kept: KeptPromise[] = [];
  const counted = new Set<Ad>();
  const shipped = new Map<string, { untilMs: number; notedMs: number; isDone: boolean }>();
  const isOf = (row: KeptPromise, { holder, to, fromMinute, beforeMinute }: KeptPromisesOf) =>
    row.holder === holder && row.to === to && row.minute >= fromMinute && row.minute < beforeMinute;
  return {
    take({ ad, nanos }: Event): void {
      if (counted.has(ad)) return;
      counted.add(ad);
      const { promised, auction, object } = ad;
      const { kind, id } = object;
      const of = { kind, id, nanos, to: auction.to, minute: minuteOf(auction.timeMs) };
      if (promised.holder) kept.push({ ...of, holder: promised.holder });
    },
    note: (name: string, nowMs: number) =>
      void shipped.set(name, { untilMs: nowMs, notedMs: nowMs, isDone: false }),
    statistics: {
      async keptPromises(of: KeptPromisesOf) {
        const sums = new Map<
          string,
          { minute: number; kind: string; id: number; nanos: number; impressions: number }
        >();
        for (const row of kept.filter((one) => isOf(one, of))) {
          const { minute, kind, id, nanos } = row;
          const name = `${minute} ${kind} ${id}`;
          const sum = sums.get(name) ?? { minute, kind, id, nanos: 0, impressions: 0 };
          sums.set(name, { ...sum, nanos: sum.nanos + nanos, impressions: sum.impressions + 1 });
        }
        return [...sums.values()];
      },
      async forgetKeptPromises(of: KeptPromisesOf) {
        for (let index = kept.length - 1; index >= 0; index -= 1)
          if (isOf(kept[index] as KeptPromise, of)) kept.splice(index, 1);
      },
      shippedProcesses: async () =>
        [...shipped].map(([process, one]) => ({ process, name: process, ...one })),
    },
  };
}

type Store = ReturnType<typeof createStore>;

/** One machine: its disk stays when its process is killed. */
export class Machine {
  readonly world: World;
  readonly name: string;
  readonly disk: Event[] = [];
  isAlive = true;
  /** Whether it reaches the authority, and whether answers come back; whether it reaches the store. */
  reach: 'all' | 'every other' | 'no answers' | 'nothing' = 'all';
  asked = 0;
  reachesStore = true;
  skewMs = 0;
  /** With the last round. */
  reported: readonly LimitReport[] = [];
  shippedMs: number;
  process!: ReturnType<Machine['start']>;

  constructor(world: World, name: string) {
    this.world = world;
    this.name = name;
    this.shippedMs = world.nowMs;
    this.process = this.start();
  }

  now = () => this.world.nowMs + this.skewMs;

  /** As the server does that is alone, from what is in its log and its statistics. */
  private resume(limits: Limits): void {
    const { world } = this;
    const hour = Math.floor(this.now() / 3_600_000);
    for (const { kind, id, days } of world.objects) {
      for (const timeMs of [this.now() - 62 * minuteMs, this.now()]) {
        const { amount, ...counted } = world.countedOf({ kind, id }, dayOf({ days }, timeMs));
        limits.raise([{ kind, id, days, ...counted, amountNanos: amount }], timeMs);
      }
      const { nanos: totalNanos, impressions } = world.inAll({ id });
      limits.raiseTotals([{ kind, id, totalNanos, impressions }]);
    }
    const open = world.ads.filter(({ isBilled, auction }) => !isBilled && hourOf(auction) >= hour - 1);
    limits.restorePromises(
      open.map(({ object, promised, auction }) => {
        const { to } = auction;
        const { kind, id, days } = world.present(object);
        return { kind, id, days, to, hour: hourOf(auction), promised: 1, promisedNanos: promised.nanos };
      }),
    );
  }

  private authorityOf(): LimitAuthority {
    const { world } = this;
    if (!world.authority) throw new Error('this machine is alone');
    const { authority } = world;
    const reached =
      <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
      async (...asked: Asked): Promise<Answer> => {
        this.asked += 1;
        const isCut = this.reach === 'every other' && this.asked % 2 === 0;
        if (this.reach === 'nothing' || (isCut && this.asked % 4 === 0)) throw awayError;
        const answer = await ask(...asked);
        if (this.reach === 'no answers' || isCut) throw awayError;
        return answer;
      };
    const { join, report, leave, gone, settle, forget, close } = authority;
    return {
      join: reached(join),
      report: reached((sent) => {
        this.reported = sent.limits;
        const levels = sent.limits.flatMap(({ used, open, unused, wanted }) => [used, open, unused, wanted]);
        if (levels.some((level) => level < 0)) world.broken.push(`a level of ${Math.min(...levels)}`);
        return report(sent);
      }),
      leave: reached(leave),
      gone: reached(gone),
      settle: reached(settle),
      forget: reached(forget),
      close,
    };
  }

  start() {
    const { world } = this;
    const steadyMs = () => world.nowMs - world.startMs;
    const areShared = world.authority !== undefined;
    const memory = limitsMemory({ startMs: this.now(), ratesFromMs: steadyMs(), areShared }, smallSize);
    const limits = createLimits(memory, steadyMs);
    if (!areShared) this.resume(limits);
    const quotas = quotasIn(memory, steadyMs);
    const unlessCut =
      <Asked, Answer>(ask: (asked: Asked) => Promise<Answer>) =>
      (asked: Asked) =>
        this.reachesStore ? ask(asked) : Promise.reject(awayError);
    const { keptPromises, forgetKeptPromises, shippedProcesses } = world.store.statistics;
    const resolving = createResolving(
      {
        keptPromises: unlessCut(keptPromises),
        forgetKeptPromises: unlessCut(forgetKeptPromises),
        shippedProcesses: () => unlessCut(shippedProcesses)(undefined),
      },
      ({ id }) => world.objects.find((one) => one.id === id)?.days,
    );
    const local = createLocalQuotas({
      quotas,
      limited: (kind, id) => world.objects.find((one) => one.kind === kind && one.id === id),
      random: world.random,
      steadyMs,
    });
    if (!areShared) return { limits, quotas: local };
    const turns = createLeaseRounds({
      authority: this.authorityOf(),
      quotas,
      countedOf: async (objects, timeMs) =>
        objects.map((of) => ({ of, counted: world.countedOf(of, dayOf(of, timeMs)) })),
      resolving,
      now: this.now,
      steadyMs,
      objects: local,
      revision: () => world.revision,
      partLimitsMax: 2,
    });
    return { limits, turns, quotas: local, wasLacked: quotas.wasLacked };
  }

  async turn(): Promise<void> {
    if (!this.isAlive) return;
    await this.process.turns?.run().catch((error) => {
      if (error !== awayError && error?.constructor.name !== 'UnknownHolder') throw error;
    });
  }

  ship(): void {
    if (!this.isAlive || !this.reachesStore) return;
    for (const event of this.disk.splice(0)) this.world.store.take(event);
    this.world.store.note(this.name, this.world.nowMs);
    this.shippedMs = this.world.nowMs;
  }

  /** A server that cannot ship for an hour is waited for no longer: what it brings then is not a matter of limits. */
  endLongCut(): void {
    const isLong = this.world.nowMs - this.shippedMs > 50 * minuteMs;
    if (isLong) this.restart();
    if (isLong) this.reachesStore = true;
  }

  /** Whether it was let through. */
  request(object: Limited): boolean {
    if (!this.isAlive || this.process.limits.takeRequest(object, this.now())) return false;
    this.world.count(object, 'requests', this.now());
    return true;
  }

  promise(object: Limited, to: 'ad' | 'offer', nanos: number): Ad | undefined {
    if (!this.isAlive) return undefined;
    const auction = auctionAt(this.now(), to);
    const { limits } = this.process;
    if (object.limits.flights > 0 && limits.mayReserve(object, auction, nanos)) return undefined;
    const promised = limits.reserve(object, auction, nanos);
    if (promised && isRefusal(promised)) return undefined;
    const { kind, id } = object;
    // A token keeps no shares: what was handed out is not taken back.
    const { shares: _, ...handedOut } = promised ?? { kind, id, nanos, isAtAddress: false };
    const ad = { object, promised: handedOut, auction, isBilled: false };
    this.world.ads.push(ad);
    return ad;
  }

  withdraw(object: Limited): void {
    if (!this.isAlive) return;
    const { limits } = this.process;
    const auction = auctionAt(this.now());
    const promised = limits.reserve(object, auction, 5);
    if (promised && !isRefusal(promised)) limits.release(promised, auction, object);
  }

  bill(ad: Ad, nanos: number): void {
    const isOver = this.now() >= ad.auction.timeMs + minutesFor[ad.auction.to] * minuteMs;
    if (!this.isAlive || isOver) return;
    const paid = Math.min(nanos, ad.promised.nanos);
    this.disk.push({ ad, nanos: paid });
    this.process.limits.commit(this.world.present(ad.object), ad.promised, {
      auction: ad.auction,
      nanos: paid,
      nowMs: this.now(),
    });
    if (!ad.isBilled) this.world.count(ad.object, 'impressions', ad.auction.timeMs, paid);
    ad.isBilled = true;
  }

  kill(): void {
    this.isAlive = false;
  }

  restart(): void {
    if (this.isAlive) return;
    this.isAlive = true;
    this.process = this.start();
  }
}

/** What was used of an object on a day. */
interface Used {
  readonly requests: number;
  readonly impressions: number;
  readonly nanos: number;
}

const nothing: Used = { requests: 0, impressions: 0, nanos: 0 };

/** Machines that share limits, a store, and an authority that never forgets. */
export class World {
  nowMs: number;
  readonly startMs: number;
  readonly store: Store = createStore();
  /** Absent where a machine is alone. */
  readonly authority: MemoryAuthority | undefined;
  /** As configured now. */
  objects: readonly Limited[];
  revision = 1;
  readonly machines: readonly Machine[];
  readonly ads: Ad[] = [];
  readonly used = new Map<string, Used>();
  readonly broken: string[] = [];
  readonly random = seededRandom(1);
  readonly #zones = new Map<number, { zone: string; formers: readonly FormerZone[] }>();

  constructor(startMs: number, objects: readonly Limited[], machines: number) {
    this.nowMs = startMs;
    this.startMs = startMs - 3_600_000;
    this.objects = objects;
    this.authority = machines > 1 ? createMemoryAuthority({ now: () => this.nowMs }) : undefined;
    this.machines = Array.from({ length: machines }, (_, index) => new Machine(this, `m${index}`));
  }

  configure(objects: readonly Limited[]): void {
    this.objects = objects;
    this.revision += 1;
  }

  /** Has an object's daily limits go by another zone. */
  moveTo(zone: string, { id }: Pick<Limited, 'id'>): void {
    const formers = formerZonesAfter(this.#zones.get(id) ?? { zone: '' }, zone, this.nowMs);
    this.#zones.set(id, { zone, formers });
    const days = limitDays(zone, formers);
    this.configure(this.objects.map((one) => (one.id === id ? { ...one, days } : one)));
  }

  /** As it is configured now. */
  present(object: Limited): Limited {
    return this.objects.find(({ id }) => id === object.id) ?? object;
  }

  usedOf({ id }: Pick<Limited, 'id'>, day: number): Used {
    return this.used.get(`${id} ${day}`) ?? nothing;
  }

  /** As if all were in the store. */
  countedOf(object: Pick<Limited, 'kind' | 'id'>, day: number) {
    const { requests, impressions, nanos } = this.usedOf(object, day);
    const { nanos: total, impressions: impressionsTotal } = this.inAll(object);
    return { requests, bids: 0, impressions, amount: nanos, total, impressionsTotal };
  }

  inAll({ id }: Pick<Limited, 'id'>): Omit<Used, 'requests'> {
    const days = [...this.used].filter(([key]) => key.startsWith(`${id} `)).map(([, used]) => used);
    const sumOf = (name: 'nanos' | 'impressions') => days.reduce((sum, used) => sum + used[name], 0);
    return { nanos: sumOf('nanos'), impressions: sumOf('impressions') };
  }

  /** Counts what is used, and notes each limit that it breaks. */
  count(object: Limited, what: 'requests' | 'impressions', timeMs = this.nowMs, nanos = 0): void {
    const { days } = this.present(object);
    const day = dayOf({ days }, timeMs);
    const before = this.usedOf(object, day);
    const now = { ...before, [what]: before[what] + 1, nanos: before.nanos + nanos };
    this.used.set(`${object.id} ${day}`, now);
    const inAll = this.inAll(object);
    // Clocks of machines differ by some seconds, by which one may be ahead of the line.
    const lineMs = Math.min(Math.max(this.nowMs, timeMs) + 20_000, (day + 1) * 86_400_000 - 1);
    const used = {
      requests: now.requests,
      impressions: now.impressions,
      amount: now.nanos,
      total: inAll.nanos,
      impressionsTotal: inAll.impressions,
    };
    for (const [name, units] of Object.entries(used)) {
      // What a flight used is told from the days before it by whoever has flights.
      if (object.limits.flights > 0 && /total/i.test(name)) continue;
      const rule = limitRules[name as keyof typeof used];
      // A day that a change of the zone makes longer has a lower line.
      const line = days ? rule.limit(object.limits) : rule.line(object, lineMs);
      if (line > 0 && units > line) this.broken.push(`${name} of ${object.id}: ${units} of ${line}`);
    }
  }

  /** Lets time pass, with a turn and a shipment of all every so often. */
  async pass(ms: number, everyMs: number): Promise<void> {
    for (let left = ms; left > 0; left -= everyMs) {
      this.nowMs += Math.min(left, everyMs);
      for (const machine of this.machines) {
        machine.endLongCut();
        machine.ship();
        await machine.turn();
      }
    }
  }
}
