import { createOutcomes, outcomesMemory } from '../src/exchange/worth/outcomes.ts';
import { createWorth } from '../src/exchange/worth/worth.ts';
import { type SimulatedDay, simulateDay } from './optimize/simulated-day.ts';

/**
 * What AutoOptimize saves and loses: `npm run bench:optimize`. Ten DSPs, each bidding in a seeded third of 200 segments;
 * a day's auctions with it and without it, the first hour left out. It needs neither a server nor a quiet machine, but
 * for the last line.
 */
const options = { callNanos: 100, exploredShare: 0.07 };
const seeds = [1, 2, 3, 4, 5];
const many = { auctions: 500_000, bidPercent: 60 };
const days: readonly (readonly [name: string, day: Omit<SimulatedDay, 'seed'>])[] = [
  ['second price', { ...many, auctionType: 2 }],
  ['first price', { ...many, auctionType: 1 }],
  ['a bid for 1 call in 10', { ...many, bidPercent: 10, auctionType: 1 }],
  ['a bid for 1 call in 50', { ...many, bidPercent: 2, auctionType: 1 }],
  ['a bid for 1 call in 50, 1,500,000 auctions', { auctions: 1_500_000, bidPercent: 2, auctionType: 1 }],
  ['100,000 auctions', { ...many, auctions: 100_000, auctionType: 1 }],
  ['half of them on sites never seen', { ...many, auctionType: 1, unseenEvery: 2 }],
  ['a DSP changes all its mind at noon', { ...many, auctionType: 1, changesAtHour: 12 }],
];

const text = (values: readonly number[], digits = 2) => values.map((value) => value.toFixed(digits)).join(', ');

for (const [name, day] of days) {
  const lost: number[] = [];
  const saved: number[] = [];
  const atRisk: number[] = [];
  const noticed: number[] = [];
  for (const seed of seeds.slice(0, day.auctions > many.auctions ? 2 : undefined)) {
    const [without, shaped] = [simulateDay({ ...day, seed }), simulateDay({ ...day, seed }, options)];
    lost.push(100 * (1 - shaped.revenue / without.revenue));
    saved.push((100 * shaped.saved) / without.calls);
    atRisk.push((100 * shaped.atRisk) / without.revenue);
    if (shaped.noticedMinutes !== undefined) noticed.push(shaped.noticedMinutes);
  }
  const minutes = noticed.length > 0 ? `; noticed after ${text(noticed, 1)} min` : '';
  console.log(`${name}: saved ${text(saved, 1)} % (at least 50), lost ${text(lost)} % (at most 1), at risk ${text(atRisk)} %${minutes}`);
}

const worth = createWorth(createOutcomes(outcomesMemory()), options);
const supply = { kind: 'RtbEp', id: 1 } as const;
const demand = Array.from({ length: 100 }, (_, at) => ({ kind: 'DspRtbEp', id: at + 1 }) as const);
const segments = Array.from({ length: 1000 }, (_, at) =>
  worth.segmentOf({
    ...{ auctionId: `auction-${at}`, country: 'US', deviceType: 2, medium: 'banner' },
    ...{ site: `site-${at}.example`, width: 300, height: 250 },
  }),
);
const timeMs = Date.now();
const perPair = (each: (pair: (typeof demand)[number], segment: (typeof segments)[number], at: number) => void) => {
  const beganMs = performance.now();
  segments.forEach((segment, at) => {
    for (const one of demand) each(one, segment, at);
  });
  return ((performance.now() - beganMs) * 1e6) / (segments.length * demand.length);
};
const learnNanos = perPair((one, segment, at) =>
  worth.learn(supply, one, segment, { nanos: (at + one.id) % 7 === 0 ? 1_000_000 : 0, timeMs, explored: undefined }),
);
const judgeNanos = perPair((one, segment) => void worth.judge(supply, one, segment));
console.log(`of 100,000 pairs and places, a candidate: ${judgeNanos.toFixed(0)} ns to weigh, ${learnNanos.toFixed(0)} ns to learn`);
