import { join, resolve } from 'node:path';
import type { Auction } from '../../src/exchange/auction/auction.ts';
import type * as Reporting from '../../src/exchange/auction/report-auction.ts';
import { createUsualBids } from '../../src/exchange/auction/usual-bids.ts';
import { allPermitted } from '../../src/exchange/consent/viewer-consent.ts';
import type * as Sinks from '../../src/statistics/event-sink.ts';
import type { StatisticsStore } from '../../src/store/statistics/interface.ts';
import { opportunityWith } from '../../test/exchange/unrestricted.ts';
import type { Measure, Tools } from '../measure.ts';
import type { Row } from '../row.ts';
import { median, microsecondsOf } from '../speed.ts';

const ownCheckout = join(import.meta.dirname, '..', '..');
const auctionsPerRun = 10_000;
const runs = 15;
const microsecondsMore = 5;

/** What reporting looks at, of an auction that the first of so many DSPs has won, and all others lost. */
function auctionOf(dsps: number): Auction {
  const candidates = Array.from({ length: dsps }, (_, index) => ({
    demand: { kind: 'DspRtbEp', id: index + 1 },
    isAsked: true,
    isBidTaken: true,
    lost: [],
    latencyMs: 4 + index / 3,
    bid: { priceCpmMicros: 2_000_000 - index, seat: 's', adDomains: ['brand.example'], creativeId: 'film' },
    refusal: index === 0 ? undefined : { reason: 'outbid' },
  }));
  const [winner] = candidates;
  return {
    supply: { kind: 'RtbEp', id: 1 },
    opportunity: opportunityWith({ country: 'DE', width: 640, height: 360 }),
    services: { region: 'eu' },
    consent: allPermitted,
    candidates,
    promises: new Map(),
    refusal: undefined,
    ranking: [{ candidate: winner, bid: winner?.bid }],
  } as unknown as Auction;
}

const noStore = {
  add: () => Promise.resolve(),
  forget: () => Promise.resolve(),
} as unknown as StatisticsStore;

/** How long a checkout takes to count an auction, each another one of the same traffic. */
async function counterOf(checkout: string, dsps: number) {
  const { createEventSink } = (await import(join(checkout, 'src/statistics/event-sink.ts'))) as typeof Sinks;
  const { countAuction } = (await import(
    join(checkout, 'src/exchange/auction/report-auction.ts')
  )) as typeof Reporting;
  const outbox = { append: async () => true, claims: undefined as never, onUnkept: () => undefined };
  // The checkout before wrote to a store.
  const options = { store: { statistics: noStore }, outbox, now: Date.now };
  const sink = createEventSink(options);
  const auction = auctionOf(dsps);
  const quality = { count: () => undefined, invalidPercent: () => 0 };
  const reports = { events: sink, quality, usualBids: createUsualBids() };
  return async (): Promise<number> => {
    const us = microsecondsOf(
      () => countAuction({ ...auction, opportunity: { ...auction.opportunity } }, reports),
      auctionsPerRun,
    );
    await sink.flush();
    return us;
  };
}

async function rowOf(dsps: number, against: string | undefined): Promise<Row> {
  const own = await counterOf(ownCheckout, dsps);
  const before = against === undefined ? undefined : await counterOf(resolve(against), dsps);
  const times: { readonly own: number[]; readonly before: number[] } = { own: [], before: [] };
  for (let run = 0; run < runs; run += 1) {
    times.own.push(await own());
    if (before) times.before.push(await before());
  }
  const value = median(times.own);
  const title = `Counting an auction of ${dsps} DSPs, in memory`;
  if (!before) return { title, targets: [], details: [{ what: '', value, unit: 'cpuMicroseconds' }] };
  const more = value - median(times.before);
  return {
    title,
    targets: [{ what: 'more than before', value: more, unit: 'cpuMicroseconds', atMost: microsecondsMore }],
    details: [
      { what: 'now', value, unit: 'cpuMicroseconds' },
      { what: 'before', value: median(times.before), unit: 'cpuMicroseconds' },
    ],
  };
}

/** What counting an auction takes, by turns with the checkout that `--against` names. */
export const counting: Measure<Tools> = {
  name: 'counting',
  async run({ against }) {
    const rows: Row[] = [];
    for (const dsps of [1, 10, 20]) rows.push(await rowOf(dsps, against));
    return rows;
  },
};
