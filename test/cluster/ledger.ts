import { dayOf } from '../../src/exchange/limits/day-line.ts';
import type { ClusterClock } from './clock.ts';
import { type Offer, perAddress } from './market.ts';

/** An ad that a machine has answered, and what became of its impression. */
export interface Ad {
  readonly offer: Offer;
  readonly address: string;
  readonly region: string;
  /** When its player asked for it, and got it. */
  readonly askedMs: number;
  readonly answeredMs: number;
  /** Path and query of the impression's tracker, the same on all machines. */
  readonly tracker: string;
  /** Whether any machine was asked for it. */
  isSent: boolean;
  /** When a machine acknowledged it first. */
  shownMs: number | undefined;
}

/** What a limit has let through. */
export interface Overshoot {
  readonly name: string;
  /** What it allowed, and what came, where and when most came beyond it. */
  readonly allowed: number;
  readonly came: number;
  /** How many more came than it allowed, in all rounds and at all addresses. */
  readonly over: number;
}

/** What players have seen: the truth that limits and figures are judged by. */
export interface Ledger {
  /** Milliseconds since 1970, by clocks that are right. */
  now(): number;
  note(ad: Omit<Ad, 'isSent' | 'shownMs'>): Ad;
  readonly ads: readonly Ad[];
  /** From now on a calm offer's limit of that address is held to be exact in each region. */
  judgeAddress(offer: Offer, address: string): void;
  /** By kind of limit, by the line of the moment in which each ad was answered. */
  overshoot(): readonly Overshoot[];
  /** How many ads of an offer were answered, or shown. */
  count(offer: Offer, of: 'answered' | 'shown'): number;
  /** How many ads of an offer a machine was asked to count, and none has acknowledged. */
  inDoubt(offer: Offer): number;
}

const secondMs = 1000;

/**
 * The most that were surely allowed within one second: asked and answered in it. On a machine that has much to do answers
 * wait, and those of several seconds may come together.
 */
function mostInASecond(ads: readonly Ad[]): number {
  const withinOf = (fromMs: number) =>
    ads.filter(({ askedMs, answeredMs }) => askedMs >= fromMs && answeredMs < fromMs + secondMs).length;
  return Math.max(0, ...ads.map(({ askedMs }) => withinOf(askedMs)));
}

/** What a limit allowed, and what came. */
type Check = Pick<Overshoot, 'allowed' | 'came'>;

/** What an offer's limit allows at a time; `ads`: those that it counts. */
function allowedAt({ line, changes }: Offer, timeMs: number, ads: readonly Ad[]): number {
  let [now, before] = [line, 0];
  for (const { fromMs, settledMs, line: next } of changes) {
    if (timeMs < fromMs) break;
    if (timeMs < settledMs) return Math.max(before, now(timeMs), next(timeMs));
    now = next;
    before = ads.filter(({ answeredMs }) => answeredMs < settledMs).length;
  }
  return Math.max(before, now(timeMs));
}

/** Whoever is shown counts from its answer on: until then it was promised. */
function checksOfDay(offer: Offer, ads: readonly Ad[], latest: ClusterClock['latest']): Check[] {
  const sorted = ads.toSorted((one, other) => one.answeredMs - other.answeredMs);
  return sorted.map(({ answeredMs }, index) => ({
    allowed: allowedAt(offer, latest(answeredMs), sorted),
    came: index + 1,
  }));
}

const worstOf = (checks: readonly Check[]): Check =>
  checks.reduce((worst, one) => (one.came - one.allowed > worst.came - worst.allowed ? one : worst));

/** In each day, at each address, or in the busiest second. */
function worstChecks(
  offer: Offer,
  ads: readonly Ad[],
  { latest, placesOfAddress, hasValkeys }: LedgerOptions,
  isJudged: (address: string) => boolean,
): Check[] {
  const shown = ads.filter(({ shownMs }) => shownMs !== undefined);
  const day = ({ answeredMs }: Ad) => dayOf(answeredMs);
  const byDay = (counted: readonly Ad[]) =>
    [...Map.groupBy(counted, day).values()].map((its) => worstOf(checksOfDay(offer, its, latest)));
  switch (offer.of.counted) {
    case 'answered':
      return byDay(ads);
    case 'shown':
      return byDay(shown);
    case 'at an address': {
      // Without a Valkey, and while one is away, each process counts by itself.
      const isExact = offer.isCalm && hasValkeys;
      const counted = isExact ? shown.filter(({ address }) => isJudged(address)) : shown;
      const groups = Map.groupBy(counted, (ad) => `${day(ad)} ${ad.address} ${isExact ? ad.region : ''}`);
      const places = isExact ? 1 : placesOfAddress;
      return [...groups.values()].map((its) => ({ allowed: perAddress * places, came: its.length }));
    }
    case 'in a second': {
      return [{ allowed: offer.line(0) + oneMore, came: mostInASecond(ads) }];
    }
  }
}

/** `MaxQps` is exceeded by one at most. */
const oneMore = 1;

interface LedgerOptions extends Pick<ClusterClock, 'now' | 'latest'> {
  readonly hasValkeys: boolean;
  /** How many processes count an address by themselves at most. */
  readonly placesOfAddress: number;
}

export function createLedger(options: LedgerOptions): Ledger {
  const ads: Ad[] = [];
  const judged = new Map<Offer, Set<string>>();
  return {
    now: options.now,
    ads,
    note(answered) {
      const ad = { ...answered, isSent: false, shownMs: undefined };
      ads.push(ad);
      return ad;
    },
    judgeAddress(offer, address) {
      judged.set(offer, (judged.get(offer) ?? new Set()).add(address));
    },
    overshoot() {
      const byOffer = Map.groupBy(ads, ({ offer }) => offer);
      const rows = [...byOffer].flatMap(([offer, its]) =>
        worstChecks(offer, its, options, (address) => judged.get(offer)?.has(address) ?? false).map(
          ({ allowed, came }) => ({
            name: offer.name,
            allowed,
            came,
            over: came - allowed,
          }),
        ),
      );
      return [...Map.groupBy(rows, ({ name }) => name)].map(([name, its]) => {
        const worst = its.reduce((most, one) => (one.over > most.over ? one : most));
        const over = its.reduce((sum, one) => sum + Math.max(0, one.over), 0);
        return { name, allowed: worst.allowed, came: worst.came, over };
      });
    },
    count: (offer, of) =>
      ads.filter((ad) => ad.offer === offer && (of === 'answered' || ad.shownMs !== undefined)).length,
    inDoubt: (offer) =>
      ads.filter((ad) => ad.offer === offer && ad.isSent && ad.shownMs === undefined).length,
  };
}
