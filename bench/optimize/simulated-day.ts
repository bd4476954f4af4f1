import { bidValues } from '../../src/exchange/auction/bid-values.ts';
import { type PricingTerms, rankBids } from '../../src/exchange/auction/clear.ts';
import { createOutcomes, outcomesMemory } from '../../src/exchange/value-model/outcomes.ts';
import {
  type CallEstimate,
  type CallValue,
  createValueModel,
  type ValueModelOptions,
} from '../../src/exchange/value-model/value-model.ts';
import { floorCpmMicros, hourMs, hours } from './market.ts';
import { type SegmentDay, segmentMarket } from './segment-market.ts';
import { type UserDay, userMarket } from './user-market.ts';

export type SimulatedDay = (
  | ({ readonly market?: 'segments' } & SegmentDay)
  | ({ readonly market: 'users' } & UserDay)
) & {
  readonly auctionType: 1 | 2;
};

/** What came of a day, its first hour left out. */
export interface DayFigures {
  /** Nano-USD of 1,000 impressions each, at clearing prices. */
  readonly revenue: number;
  /** The same by DSP: what each won. */
  readonly revenueByDsp: readonly number[];
  readonly calls: number;
  readonly saved: number;
  /** What was expected of the calls that were saved. */
  readonly atRisk: number;
  /** Minutes from the day's beginning until half of the calls of some thousand auctions were saved. */
  readonly learntMinutes: number | undefined;
  /** Minutes until the first DSP was asked for half of the auctions that it began to bid in, by segment: the median. */
  readonly noticedMinutes: number | undefined;
}

const minuteMs = 60_000;
/** Of the auctions before, each counts so much for the share of calls that are saved now. */
const kept = 0.999;
const supply = { kind: 'RtbEp', id: 1 } as const;
const demandOf = (dsp: number) => ({ kind: 'DspRtbEp', id: dsp + 1 }) as const;

/** When each segment was found to be worth asking again after a change, in minutes. */
function createNotice(changeMs: number) {
  const afterMs = new Map<number, number>();
  return {
    note(place: number, isAsked: boolean, timeMs: number): void {
      if (isAsked && !afterMs.has(place)) afterMs.set(place, timeMs - changeMs);
    },
    median(): number | undefined {
      const times = [...afterMs.values()].sort((one, other) => one - other);
      const ms = times[Math.floor(times.length / 2)];
      return ms === undefined ? undefined : ms / minuteMs;
    },
  };
}

/** What became of one auction: the DSPs that were asked, and what those that were not had been expected to bring. */
function askIn(callValue: CallValue | undefined, dsps: number) {
  const asked = new Map<number, CallEstimate | undefined>();
  let atRisk = 0;
  for (let dsp = 0; dsp < dsps; dsp += 1) {
    const estimate = callValue?.judge(demandOf(dsp));
    if (!estimate || callValue?.explores(demandOf(dsp))) asked.set(dsp, estimate);
    else atRisk += estimate.expectedNanos;
  }
  return { asked, atRisk };
}

const marketOf = (day: SimulatedDay) => (day.market === 'users' ? userMarket(day) : segmentMarket(day));

/** Holds a day's auctions; with `options`, calls that are not worth it are saved. */
export function simulateDay(day: SimulatedDay, options?: ValueModelOptions): DayFigures {
  const valueModel = options && createValueModel(createOutcomes(outcomesMemory(1 << 16, day.seed)), options);
  const terms: PricingTerms = { auctionType: day.auctionType, floorCpmMicros, publisherProfitShare: 100 };
  const revenueByDsp: number[] = [];
  const figures = { revenue: 0, calls: 0, saved: 0, atRisk: 0 };
  const learning = { saved: 0, auctions: 0, learntMs: Number.POSITIVE_INFINITY };
  const noticed = createNotice(((day.market === 'users' ? undefined : day.changesAtHour) ?? hours) * hourMs);
  for (const { timeMs, place, shown, bids, dsps, hasBegun } of marketOf(day)) {
    const callValue = valueModel?.of(supply, shown);
    const { asked, atRisk } = askIn(callValue, dsps);
    learning.saved = learning.saved * kept + dsps - asked.size;
    learning.auctions = learning.auctions * kept + dsps;
    if (learning.saved >= learning.auctions / 2) learning.learntMs = Math.min(learning.learntMs, timeMs);
    if (hasBegun) noticed.note(place, asked.has(0) && asked.get(0) === undefined, timeMs);
    const [winner, ...behind] = rankBids(
      bids.filter(({ dsp }) => asked.has(dsp)).map((bid) => ({ ...bid, lot: 0 })),
    );
    const brought = winner && bidValues(winner, behind, terms);
    if (timeMs >= hourMs) {
      figures.calls += asked.size;
      figures.saved += dsps - asked.size;
      figures.atRisk += atRisk;
      figures.revenue += brought?.winner ?? 0;
      if (winner) revenueByDsp[winner.dsp] = (revenueByDsp[winner.dsp] ?? 0) + (brought?.winner ?? 0);
    }
    const nanosOf = new Map([
      [winner?.dsp, brought?.winner ?? 0],
      [behind[0]?.dsp, brought?.second ?? 0],
    ]);
    for (const [dsp, explored] of asked)
      callValue?.learn(demandOf(dsp), { nanos: nanosOf.get(dsp) ?? 0, timeMs, explored });
  }
  const learntMinutes =
    learning.learntMs === Number.POSITIVE_INFINITY ? undefined : learning.learntMs / minuteMs;
  return { ...figures, revenueByDsp, learntMinutes, noticedMinutes: noticed.median() };
}
