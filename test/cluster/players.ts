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
const askEveryMs = 25;
const addresses = 6;
/** Shares of ads: never shown, called twice at once, and shown only at the end. */
const [never, twice, late] = [0.15, 0.15, 0.1];
const shownAfterMs = 1500;

/** Players, and what they have seen. */
export interface Players {
  /** Ask ads for offers, one after another, until the signal. Resolves when the last has its answer. */
  play(offers: readonly Offer[], until: AbortSignal): Promise<void>;
  /** Shows the ads that are left to be shown late, and those of which it is not known whether they count. */
  showRest(): Promise<void>;
  /** How long auctions took that machines answered which were up all the while, in milliseconds. */
  readonly tookMs: readonly number[];
  /** How long impressions took until they were acknowledged, likewise. */
  readonly acknowledgedMs: readonly number[];
  /** What was not answered, or not rightly, though the machine was up all the while. */
  readonly unanswered: readonly string[];
}

const oneOf = <T>(values: readonly T[], random: Random): T =>
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
function asking(tookMs: number[], unanswered: string[], onAd: (ad: Omit<Ad, 'isSent' | 'shownMs'>) => void) {
  return async (offer: Offer, machine: Machine, address: string): Promise<void> => {
    if (!machine.isUp()) return;
    const beganMs = performance.now();
    const problem = await fetch(`${machine.url}${offer.path}`, {
      headers: { 'x-forwarded-for': address },
      signal: AbortSignal.timeout(answeredWithinMs),
    }).then(
      async (answer) => {
        const text = await answer.text();
        const [tracker] = /\/track\/impression\?t=[\w.:~-]+/.exec(text) ?? [];
        if (tracker) onAd({ offer, address, tracker, answeredMs: Date.now() });
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

/** Players of a cluster; what they do follows from `random`. */
export function createPlayers(machines: readonly Machine[], ledger: Ledger, random: Random): Players {
  const tookMs: number[] = [];
  const unanswered: string[] = [];
  const acknowledgedMs: number[] = [];
  const showLater: Ad[] = [];

  const show = async (ad: Ad, machine: Machine): Promise<void> => {
    ad.isSent = true;
    const beganMs = performance.now();
    if (!(await callPixel(machine, ad))) return;
    ad.shownMs ??= Date.now();
    acknowledgedMs.push(performance.now() - beganMs);
  };
  const showOrNot = async (ad: Ad): Promise<void> => {
    const fate = random();
    const [first, second, waitMs] = [
      oneOf(machines, random),
      oneOf(machines, random),
      random() * shownAfterMs,
    ];
    if (fate < never) return;
    if (fate < never + late) {
      showLater.push(ad);
      return;
    }
    await delay(waitMs);
    await Promise.all([show(ad, first), ...(fate < never + late + twice ? [show(ad, second)] : [])]);
  };
  const showing: Promise<void>[] = [];
  const ask = asking(tookMs, unanswered, (ad) => void showing.push(showOrNot(ledger.note(ad))));
  return {
    tookMs,
    unanswered,
    acknowledgedMs,
    async play(offers, until) {
      const asking = new Set<Promise<void>>();
      while (!until.aborted) {
        const address = `203.0.113.${1 + Math.floor(random() * addresses)}`;
        const asked = ask(oneOf(offers, random), oneOf(machines, random), address);
        asking.add(asked);
        void asked.finally(() => asking.delete(asked));
        await delay(askEveryMs);
      }
      await Promise.all(asking);
    },
    async showRest() {
      await Promise.all(showing.splice(0));
      const inDoubt = ledger.ads.filter(({ isSent, shownMs }) => isSent && shownMs === undefined);
      const rest = [...showLater.splice(0), ...inDoubt];
      // All at once: those that wait at a machine share a commit.
      const showAtLast = async (ad: Ad) => {
        for (let tries = 0; ad.shownMs === undefined && tries < triesMax; tries += 1)
          await show(ad, oneOf(machines, random));
      };
      await Promise.all(rest.map(showAtLast));
    },
  };
}
