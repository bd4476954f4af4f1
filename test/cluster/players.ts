import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../src/simulation/random.ts';
import type { Ad, Ledger } from './ledger.ts';
import type { Machine } from './machines.ts';
import type { Offer } from './market.ts';

/** An auction is answered in this time while something else is away, or it counts as not answered. */
export const answeredWithinMs = 5000;
/** A machine gives up after ten seconds. */
const pixelWaitMs = 15_000;
const triesMax = 5;
const addresses = 6;
/** Shares of ads: called twice at once, shown only when they are asked for, and never shown. */
const [twice, late, never] = [0.15, 0.15, 0.15];
const shownAfterMs = 1500;
const burstLookMs = 50;

export interface Play {
  readonly offers: readonly Offer[];
  /** Who is asked; by default any machine. */
  readonly at?: readonly Machine[];
  readonly everyMs: number;
  readonly until: AbortSignal;
}

/** Players, and what they have seen. */
export interface Players {
  /** Ask ads for offers, one after another, until the signal. Resolves when the last has its answer. */
  play(playing: Play): Promise<void>;
  /** Asks each machine so often for an offer, all at once, at an address. */
  askAtOnce(offer: Offer, address: string, times: number): Promise<void>;
  /**
   * Shows ads that wait for it at one machine, all at once, when there are `count` or the time is up; resolves with the
   * first that is acknowledged.
   */
  showBurst(machine: Machine, count: number, withinMs: number): Promise<void>;
  /** Shows the ads that are left to be shown late, and those of which it is not known whether they count. */
  showRest(): Promise<void>;
  /** From now on every ad is shown at once, and again where a machine did not acknowledge it. */
  showAll(): void;
  /** How long auctions took that machines answered which were up all the while, in milliseconds. */
  readonly tookMs: readonly number[];
  /** How long impressions took until they were acknowledged, likewise. */
  readonly acknowledgedMs: readonly number[];
  /** What was not answered, or not rightly, though the machine was up all the while. */
  readonly unanswered: readonly string[];
}

type Noted = Omit<Ad, 'isSent' | 'shownMs'>;

export const oneOf = <T>(values: readonly T[], random: Random): T =>
  values[Math.floor(random() * values.length)] as T;

/** Whether a machine has acknowledged a tracker. */
async function callPixel({ url }: Machine, { tracker }: Ad): Promise<boolean> {
  const answer = await fetch(`${url}${tracker}`, { signal: AbortSignal.timeout(pixelWaitMs) }).catch(
    () => undefined,
  );
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.status === 200;
}

/** Asks machines for ads: notes how long it took, what was not answered, and hands on what was. */
function asking(tookMs: number[], unanswered: string[], now: () => number, onAd: (ad: Noted) => void) {
  return async (offer: Offer, machine: Machine, address: string): Promise<void> => {
    if (!machine.isUp()) return;
    const [beganMs, askedMs] = [performance.now(), now()];
    const problem = await fetch(`${machine.url}${offer.path}`, {
      headers: { 'x-forwarded-for': address },
      signal: AbortSignal.timeout(answeredWithinMs),
    }).then(
      async (answer) => {
        const text = await answer.text();
        const [tracker] = /\/track\/impression\?t=[\w.:~-]+/.exec(text) ?? [];
        if (tracker) onAd({ offer, address, region: machine.region, tracker, askedMs, answeredMs: now() });
        return answer.status === 200 || answer.status === 204
          ? undefined
          : `${answer.status} ${text.slice(0, 200)}`;
      },
      (error: Error) => `${error.name} ${error.message}`,
    );
    // Whoever is killed or stopped meanwhile cannot answer.
    if (!machine.isUp()) return;
    tookMs.push(performance.now() - beganMs);
    if (problem !== undefined) unanswered.push(`${machine.name}: ${problem}`);
  };
}

/** What becomes of an ad. */
type Fate = 'never' | 'late' | 'twice' | 'once';

function fateOf({ isAllShown }: Offer, share: number): Fate {
  if (share < twice) return 'twice';
  if (share < twice + late) return 'late';
  return share < twice + late + never && !isAllShown ? 'never' : 'once';
}

/** Shows ads by trackers, at machines that a load balancer sends to. */
function showing(machines: readonly Machine[], ledger: Ledger, random: Random) {
  const acknowledgedMs: number[] = [];
  const waiting: Ad[] = [];
  const underWay: Promise<void>[] = [];
  let isAllShown = false;
  const anyMachine = () =>
    oneOf(
      machines.filter((machine) => machine.isInRotation()),
      random,
    );
  const show = async (ad: Ad, machine: Machine): Promise<void> => {
    ad.isSent = true;
    const beganMs = performance.now();
    if (!(await callPixel(machine, ad))) return;
    ad.shownMs ??= ledger.now();
    acknowledgedMs.push(performance.now() - beganMs);
  };
  const showAtLast = async (ad: Ad): Promise<void> => {
    for (let tries = 0; ad.shownMs === undefined && tries < triesMax; tries += 1)
      await show(ad, anyMachine());
  };
  const follow = async (ad: Ad): Promise<void> => {
    const [share, waitMs] = [random(), random() * shownAfterMs];
    const fate = fateOf(ad.offer, share);
    if (isAllShown) {
      await delay(waitMs);
      return showAtLast(ad);
    }
    if (fate === 'never') return;
    if (fate === 'late') {
      waiting.push(ad);
      return;
    }
    await delay(waitMs);
    await Promise.all([show(ad, anyMachine()), ...(fate === 'twice' ? [show(ad, anyMachine())] : [])]);
  };
  return {
    acknowledgedMs,
    follow: (ad: Noted) => void underWay.push(follow(ledger.note(ad))),
    showAll() {
      isAllShown = true;
    },
    async showBurst(machine: Machine, count: number, withinMs: number) {
      const lateMs = performance.now() + withinMs;
      while (waiting.length < count && performance.now() < lateMs) await delay(burstLookMs);
      const burst = waiting.splice(0).map((ad) => show(ad, machine));
      await Promise.race(burst);
    },
    async showRest() {
      await Promise.all(underWay.splice(0));
      const inDoubt = ledger.ads.filter(({ isSent, shownMs }) => isSent && shownMs === undefined);
      const rest = [...waiting.splice(0), ...inDoubt];
      // All at once: those that wait at a machine share a commit.
      await Promise.all(rest.map(showAtLast));
    },
  };
}

/** Players of a cluster; what they do follows from `random`. */
export function createPlayers(machines: readonly Machine[], ledger: Ledger, random: Random): Players {
  const tookMs: number[] = [];
  const unanswered: string[] = [];
  const { follow, acknowledgedMs, showAll, showBurst, showRest } = showing(machines, ledger, random);
  const ask = asking(tookMs, unanswered, ledger.now, follow);
  return {
    tookMs,
    unanswered,
    acknowledgedMs,
    showAll,
    showBurst,
    showRest,
    async play({ offers, at = machines, everyMs, until }) {
      const asked = new Set<Promise<void>>();
      while (!until.aborted) {
        const address = `203.0.113.${1 + Math.floor(random() * addresses)}`;
        const one = ask(oneOf(offers, random), oneOf(at, random), address);
        asked.add(one);
        void one.finally(() => asked.delete(one));
        await delay(everyMs);
      }
      await Promise.all(asked);
    },
    async askAtOnce(offer, address, times) {
      const all = Array.from({ length: times }, () =>
        machines.map((machine) => ask(offer, machine, address)),
      );
      await Promise.all(all.flat());
    },
  };
}
