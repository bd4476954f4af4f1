import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../src/simulation/random.ts';
import type { Ledger } from './ledger.ts';
import type { Cluster } from './machines.ts';
import type { Offer } from './market.ts';
import { oneOf, type Play, type Players } from './players.ts';

/** What is played while nothing goes wrong, and where what must not be is noted. */
export interface Calm {
  readonly cluster: Cluster;
  readonly offers: readonly Offer[];
  readonly players: Players;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Waits until all machines serve what was written. */
  readonly served: () => Promise<void>;
  /** Waits until the store has counted what was shown. */
  readonly settled: () => Promise<unknown>;
  readonly onWrong: (what: string) => void;
}

const usualEveryMs = 25;
const busyEveryMs = 15;
/** So that there is always one who asks when a limit allows another ad. */
const rateEveryMs = 10;
const askedAtOnce = 3;
/** A thread that got no answer in time asks its Valkey for nothing until that answers, a second later at most. */
const valkeyReturnsMs = 1200;
const [addressesTried, addressesJudged] = [50, 6];
/** More than a lowered limit allows, and so few that machines still hold more. */
const usedBeforeChange = 8;
const busyMsMax = 6000;
/** By then every machine has reported what it holds since it knew of a change. */
const settlesMs = 4000;
const afterChangeMs = 3000;
/** How long lines, and shares that others held, may take to be used up. */
const useUpMsMax = 90_000;
/** What the line has gained in the last seconds need not be used. */
const newMs = 5000;
const rateSettlesMs = 5000;
const rateMs = 8000;
const deliveredShare = 0.95;
const rateTries = 3;
const lookEveryMs = 250;
/** An ad may be shown for an hour, and whether it was is asked some minutes later. */
const afterPromisesMs = 75 * 60_000;
const resolvedMsMax = 75_000;
/** Half an hour of promises is resolved each five seconds. */
const resolvesMs = 16_000;

async function playFor({ players }: Calm, playing: Omit<Play, 'until'>, ms: number): Promise<void> {
  const over = new AbortController();
  const played = players.play({ ...playing, until: over.signal });
  await delay(ms);
  over.abort();
  await played;
}

/** Plays until it is so, or the time is up. */
async function playUntil(
  { players }: Calm,
  playing: Omit<Play, 'until' | 'offers'>,
  left: () => readonly Offer[],
  msMax: number,
): Promise<void> {
  const lateMs = performance.now() + msMax;
  for (let offers = left(); offers.length > 0 && performance.now() < lateMs; offers = left()) {
    const over = AbortSignal.timeout(lookEveryMs);
    await players.play({ ...playing, offers, until: over });
  }
}

const isOf = (name: string) => (offer: Offer) => offer.of.name.startsWith(name) && offer.isAllShown;

/** How much limits become of what they were. */
const changes: readonly (readonly [name: string, factor: number])[] = [
  ['RequestsDailyLimit', 0.2],
  ['SpendDailyLimit', 0.2],
  ['BidsDailyLimit', 2],
  ['SpendTotalLimit', 2],
];

/** Lowers and raises limits of offers that all machines have played, and still hold shares of. */
async function changeLimits(calm: Calm): Promise<void> {
  const { offers, cluster, served, ledger } = calm;
  const changed = changes.flatMap(([name, factor]) =>
    offers.filter(isOf(name)).map((offer) => ({ offer, factor })),
  );
  const played = changed.map(({ offer }) => offer);
  const fresh = () => played.filter((offer) => ledger.count(offer, 'answered') < usedBeforeChange);
  await playUntil(calm, { everyMs: busyEveryMs }, fresh, busyMsMax);
  const made = await Promise.all(changed.map(({ offer, factor }) => offer.change(factor, cluster.clock.now)));
  await served();
  await delay(settlesMs);
  for (const change of made) change.settledMs = cluster.clock.now();
  await playFor(calm, { offers: played, everyMs: busyEveryMs }, afterChangeMs);
}

const perRateMs = (offer: Offer) => (offer.line(0) * rateMs) / 1000;

/** One machine is asked for all, though others have held shares: it must get what its limits allow. */
async function playAtOne(calm: Calm): Promise<void> {
  const { offers, cluster, ledger, random, onWrong } = calm;
  const { clock, machines } = cluster;
  const one = oneOf(machines, random);
  const counted = offers.filter(({ of }) => of.counted === 'answered' || of.counted === 'shown');
  const allowed = (offer: Offer) => (offer.changes.at(-1) ?? offer).line(clock.now() - newMs);
  const left = () => counted.filter((offer) => ledger.count(offer, 'answered') < allowed(offer));
  await playUntil(calm, { at: [one], everyMs: usualEveryMs }, left, useUpMsMax);
  for (const offer of left())
    onWrong(
      `${offer.name}: asked at one machine, ${ledger.count(offer, 'answered')} of ${allowed(offer)} came`,
    );
  const rated = offers.filter(({ of, isAllShown }) => of.counted === 'in a second' && isAllShown);
  const at = { offers: rated, at: [one], everyMs: rateEveryMs };
  await playFor(calm, at, rateSettlesMs);
  // On a machine that is slow at the moment, players ask too seldom.
  let short: readonly { readonly offer: Offer; readonly came: number }[] = [];
  let asked = rated;
  for (let tries = 0; tries < rateTries && asked.length > 0; tries += 1) {
    const before = new Map(asked.map((offer) => [offer, ledger.count(offer, 'answered')]));
    await playFor(calm, { ...at, offers: asked }, rateMs);
    const all = asked.map((offer) => ({
      offer,
      came: ledger.count(offer, 'answered') - (before.get(offer) ?? 0),
    }));
    short = all.filter(({ offer, came }) => came < Math.floor(deliveredShare * perRateMs(offer)));
    asked = short.map(({ offer }) => offer);
  }
  for (const { offer, came } of short)
    onWrong(`${offer.name}: asked at one machine, ${came} of ${perRateMs(offer)} came`);
}

/** All machines at once; if a Valkey did not answer in time, which allows more, another address is taken. */
async function askAtAddresses(
  { offers, players, ledger, cluster: { machines } }: Calm,
  say: (what: string) => void,
): Promise<void> {
  const valkeyFigures = async () => (await Promise.all(machines.map((one) => one.valkeyFigures()))).join();
  const untilAnswering = async () => {
    for (let before = ''; ; await delay(valkeyReturnsMs)) {
      const now = await valkeyFigures();
      if (now === before) return now;
      before = now;
    }
  };
  for (const offer of offers.filter(({ of }) => of.counted === 'at an address')) {
    let before = await untilAnswering();
    let judged = 0;
    for (let tried = 0; tried < addressesTried && judged < addressesJudged; tried += 1) {
      const address = `198.51.100.${1 + tried}`;
      await players.askAtOnce(offer, address, askedAtOnce);
      const isAnswered = (await valkeyFigures()) === before;
      if (isAnswered) ledger.judgeAddress(offer, address);
      if (isAnswered) judged += 1;
      else before = await untilAnswering();
    }
    if (judged === 0) say(`${offer.name}: this machine is too slow to tell`);
  }
}

/** Without faults: an address at all machines at once, limits that change, and one machine alone. */
export async function playCalmly(calm: Calm, say: (what: string) => void): Promise<void> {
  say('an address is asked for at all machines at once');
  await askAtAddresses(calm, say);
  say('limits change');
  await changeLimits(calm);
  say('one machine is asked for everything');
  await playAtOne(calm);
  await calm.players.showRest();
}

/**
 * After what was promised can come no more: what was never shown is given back, nothing else. Money is spent to its
 * limit, also where machines were killed.
 */
export async function playAnHourLater(calm: Calm): Promise<void> {
  const { cluster, offers, players, ledger, settled, onWrong } = calm;
  const { clock } = cluster;
  // A process that was silent for an hour, as all then seem to be, is not waited for.
  await settled();
  await clock.jump(afterPromisesMs);
  players.showAll();
  const spent = offers.filter(({ of }) => of.isOfMoney);
  const allowed = (offer: Offer) =>
    Math.max((offer.changes.at(-1) ?? offer).line(clock.now()), ledger.count(offer, 'shown'));
  const left = () => spent.filter((offer) => ledger.count(offer, 'shown') < allowed(offer));
  await playUntil(calm, { everyMs: usualEveryMs }, left, resolvedMsMax);
  for (const offer of left())
    onWrong(
      `${offer.name}: an hour later ${ledger.count(offer, 'shown')} of ${allowed(offer)} were shown, ${ledger.inDoubt(offer)} more in doubt`,
    );
  // Once more what is used up, until all promises of before are resolved: nothing may come of it.
  await playFor(calm, { offers: spent, everyMs: usualEveryMs }, resolvesMs);
  await players.showRest();
}
