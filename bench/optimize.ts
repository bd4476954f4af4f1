import { createOutcomes, outcomesMemory } from '../src/exchange/value-model/outcomes.ts';
import { type CallValue, createValueModel } from '../src/exchange/value-model/value-model.ts';
import { type DayFigures, type SimulatedDay, simulateDay } from './optimize/simulated-day.ts';

/**
 * What AutoOptimize saves and loses: `npm run bench:optimize`. In a first market ten DSPs bid in a seeded third of
 * 200 segments each; in a second one some of twelve know few users, for whom they pay much. A day's auctions with it
 * and without it, the first hour left out. It needs neither a server nor a quiet machine, but for the last line.
 */
const options = { callNanos: 100, exploredShare: 0.07 };
const seeds = [1, 2, 3, 4, 5];
const many = { auctions: 500_000, bidPercent: 60 };
type Unseeded<Day> = Day extends unknown ? Omit<Day, 'seed'> : never;
const days: readonly (readonly [name: string, day: Unseeded<SimulatedDay>])[] = [
  ['second price', { ...many, auctionType: 2 }],
  ['first price', { ...many, auctionType: 1 }],
  ['a bid for 1 call in 10', { ...many, bidPercent: 10, auctionType: 1 }],
  ['a bid for 1 call in 50', { ...many, bidPercent: 2, auctionType: 1 }],
  ['a bid for 1 call in 50, 1,500,000 auctions', { auctions: 1_500_000, bidPercent: 2, auctionType: 1 }],
  ['100,000 auctions', { ...many, auctions: 100_000, auctionType: 1 }],
  ['half of them on sites never seen', { ...many, auctionType: 1, unseenEvery: 2 }],
  ['users, 500,000 auctions', { market: 'users', auctions: 500_000, auctionType: 1 }],
  ['users, 50,000 auctions', { market: 'users', auctions: 50_000, auctionType: 1 }],
  ['a DSP changes all its mind at noon', { ...many, auctionType: 1, changesAtHour: 12 }],
];

const text = (values: readonly number[], digits = 2) =>
  values.map((value) => value.toFixed(digits)).join(', ');

/** How many percent of its revenue the DSP keeps that keeps least. */
function leastKept(without: DayFigures, shaped: DayFigures): number {
  const kept = without.revenueByDsp.map((revenue, dsp) => (100 * (shaped.revenueByDsp[dsp] ?? 0)) / revenue);
  return Math.min(...kept.filter((percent) => percent >= 0));
}

for (const [name, day] of days) {
  const learnt: number[] = [];
  const lost: number[] = [];
  const saved: number[] = [];
  const atRisk: number[] = [];
  const noticed: number[] = [];
  const least: number[] = [];
  for (const seed of seeds.slice(0, day.auctions > many.auctions ? 2 : undefined)) {
    const [without, shaped] = [simulateDay({ ...day, seed }), simulateDay({ ...day, seed }, options)];
    if (shaped.learntMinutes !== undefined) learnt.push(shaped.learntMinutes);
    lost.push(100 * (1 - shaped.revenue / without.revenue));
    saved.push((100 * shaped.saved) / without.calls);
    least.push(leastKept(without, shaped));
    atRisk.push((100 * shaped.atRisk) / without.revenue);
    if (shaped.noticedMinutes !== undefined) noticed.push(shaped.noticedMinutes);
  }
  const half = learnt.length > 0 ? `; half saved after ${text(learnt, 0)} min` : '';
  const minutes = noticed.length > 0 ? `; noticed after ${text(noticed, 1)} min` : '';
  console.log(
    `${name}: saved ${text(saved, 1)} %, lost ${text(lost)} % (at most 1), who keeps least ${text(least, 0)} %, at risk ${text(atRisk)} %${half}${minutes}`,
  );
}

const valueModel = createValueModel(createOutcomes(outcomesMemory()), options);
const supply = { kind: 'RtbEp', id: 1 } as const;
const demand = Array.from({ length: 30 }, (_, at) => ({ kind: 'DspRtbEp', id: at + 1 }) as const);
const places = Array.from({ length: 1000 }, (_, at) => ({
  auctionId: `auction-${at}`,
  country: 'US',
  deviceType: 2,
  medium: 'banner',
  site: `site-${at}.example`,
  width: 300,
  height: 250,
}));
const timeMs = Date.now();
/** Nanoseconds of processor time for a candidate, at best of some rounds. */
function candidateNanos(
  each: (callValue: CallValue, one: (typeof demand)[number], at: number) => void,
): number {
  const rounds = Array.from({ length: 20 }, () => {
    const began = process.cpuUsage();
    places.forEach((place, at) => {
      const callValue = valueModel.of(supply, place);
      for (const one of demand) each(callValue, one, at);
    });
    const { user, system } = process.cpuUsage(began);
    return (1000 * (user + system)) / (places.length * demand.length);
  });
  return Math.min(...rounds);
}
const learnNanos = candidateNanos((callValue, one, at) => {
  const nanos = (at + one.id) % 7 === 0 ? 1_000_000 : 0;
  callValue.learn(one, { nanos, timeMs, explored: undefined });
});
const judgeNanos = candidateNanos((callValue, one) => void callValue.judge(one));
console.log(
  `30 candidates in each of 1,000 places: ${judgeNanos.toFixed(0)} ns to weigh one, ${learnNanos.toFixed(0)} ns to learn from its call`,
);
