import { dayLine } from '../../src/exchange/limits/day-line.ts';
import type { ExchangeRoom, Stored, Values } from '../exchange/exchange-room.ts';
import { film } from '../exchange/vast-room.ts';

/** USD that an ad costs, and that its publisher is paid. */
const price = 0.004;
const cpm = 4;
/** How many ads each limit is to allow at the beginning of a round, but for addresses and rates. */
const allowed = 30;
const perAddress = 2;
const perSecond = 5;

/** What of a case's ads its limit counts: those that were answered, those that were shown, or those in a second. */
type Counted = 'answered' | 'shown' | 'at an address' | 'in a second';

/** A limit of each kind, with the ads it lets through. */
interface Case {
  readonly name: string;
  readonly counted: Counted;
  /** Values of the supply and of the demand object, at a time in milliseconds since 1970. */
  readonly supply?: (timeMs: number) => Values;
  readonly demand?: (timeMs: number) => Values;
  /** How many ads the limit allows by a time; of an address and of a second as many as those. */
  readonly line: (values: Values, timeMs: number) => number;
  /** Whether a DSP's VAST tag is asked; by default a campaign answers. */
  readonly asksDsp?: true;
}

/** A daily limit of which the line allows so many at that time of the day, and few more in the minutes to come. */
function dailyLimit(timeMs: number): number {
  let limit = allowed;
  while (dayLine(limit, timeMs) < allowed) limit = Math.ceil(limit * 1.1);
  return limit;
}
const lineOf =
  (field: string): Case['line'] =>
  (values, timeMs) =>
    dayLine(Number(values[field]), timeMs);
const always = (line: number) => () => line;
const amount = price * allowed;

/** One row a kind of limit. */
const cases: readonly Case[] = [
  {
    name: 'MaxQps of a tag',
    counted: 'in a second',
    supply: () => ({ MaxQps: perSecond }),
    line: always(perSecond),
  },
  {
    name: 'RequestsDailyLimit of a tag',
    counted: 'answered',
    supply: (timeMs) => ({ RequestsDailyLimit: dailyLimit(timeMs) }),
    line: lineOf('RequestsDailyLimit'),
  },
  {
    name: 'BidsDailyLimit of a campaign',
    counted: 'answered',
    demand: (timeMs) => ({ BidsDailyLimit: dailyLimit(timeMs) }),
    line: lineOf('BidsDailyLimit'),
  },
  {
    name: 'ImpressionsDailyLimit of a campaign',
    counted: 'shown',
    demand: (timeMs) => ({ ImpressionsDailyLimit: dailyLimit(timeMs) }),
    line: lineOf('ImpressionsDailyLimit'),
  },
  {
    name: 'SpendDailyLimit of a campaign',
    counted: 'shown',
    demand: () => ({ SpendDailyLimit: amount }),
    line: always(allowed),
  },
  {
    name: 'SpendTotalLimit of a campaign',
    counted: 'shown',
    demand: () => ({ SpendTotalLimit: amount }),
    line: always(allowed),
  },
  {
    name: 'SpentDailyLimit of a tag',
    counted: 'shown',
    supply: () => ({ SpentDailyLimit: amount }),
    line: always(allowed),
  },
  {
    name: 'RevenueDailyLimit of a DSP VAST Tag',
    counted: 'shown',
    demand: () => ({ RevenueDailyLimit: amount }),
    line: always(allowed),
    asksDsp: true,
  },
  {
    name: 'ImpressionsLimitPerIp of a campaign',
    counted: 'at an address',
    demand: () => ({ ImpressionsLimitPerIp: perAddress }),
    line: always(perAddress),
  },
];

/** A tag and its demand, of one case. */
export interface Offer {
  readonly of: Case;
  readonly tag: Stored;
  readonly demand: Stored;
  /** Path and query of the tag's zone, the same on all machines. */
  readonly path: string;
  /** How many ads the limit allows by a time. */
  readonly line: (timeMs: number) => number;
}

/** What an ad costs its advertiser, and what its publisher is paid, in nano-USD. */
export const priceNanos = Math.round(price * 1e9);

/** Objects for each case, of which no limit is used yet. */
export async function openMarket(room: ExchangeRoom, dspUrl: string, timeMs: number): Promise<Offer[]> {
  const offers: Offer[] = [];
  for (const one of cases) {
    const demandValues = one.demand?.(timeMs) ?? {};
    const supplyValues = one.supply?.(timeMs) ?? {};
    const demand = one.asksDsp
      ? await room.add('ortb/dspvasttag', {
          FixedCpm: cpm,
          ZoneUrlUsEast: dspUrl,
          ZoneUrlEu: dspUrl,
          ...demandValues,
        })
      : await room.add('campaign', { ...film, Cpm: cpm, ...demandValues });
    const connected = one.asksDsp ? { DspVastTags: [demand.Id] } : { Campaigns: [demand.Id] };
    const tag = await room.add('ortb/vasttag', { Bidfloor: cpm, Tmax: 1000, ...connected, ...supplyValues });
    const [{ ZoneUrl = '' } = {}] = tag.ZoneUrls as readonly { readonly ZoneUrl?: string }[];
    const { pathname, search } = new URL(ZoneUrl);
    const values = { ...demandValues, ...supplyValues };
    const line = (atMs: number) => one.line(values, atMs);
    offers.push({ of: one, tag, demand, path: `${pathname}${search}`, line });
  }
  return offers;
}
