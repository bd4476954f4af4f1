import { dayLine } from '../../src/exchange/limits/day-line.ts';
import type { ExchangeRoom, Stored, Values } from '../exchange/exchange-room.ts';
import { film } from '../exchange/vast-room.ts';

/** USD that an ad costs, and that its publisher is paid. */
const price = 0.004;
const cpm = 4;
/** How many ads each limit is to allow at the beginning of a round, but for addresses and rates. */
const allowed = 30;
export const perAddress = 2;
const perSecond = [5, 2] as const;

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
  /** Whether the limit is an amount, which does not grow over the day. */
  readonly isOfMoney?: true;
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
const adsOf =
  (field: string): Case['line'] =>
  (values) =>
    Math.floor(Number(values[field]) / price + 1e-9);

/** One row a kind of limit. */
const cases: readonly Case[] = [
  ...perSecond.map(
    (rate): Case => ({
      name: `MaxQps ${rate} of a tag`,
      counted: 'in a second',
      supply: () => ({ MaxQps: rate }),
      line: always(rate),
    }),
  ),
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
    line: adsOf('SpendDailyLimit'),
    isOfMoney: true,
  },
  {
    name: 'SpendTotalLimit of a campaign',
    counted: 'shown',
    demand: () => ({ SpendTotalLimit: amount }),
    line: adsOf('SpendTotalLimit'),
    isOfMoney: true,
  },
  {
    name: 'SpentDailyLimit of a tag',
    counted: 'shown',
    supply: () => ({ SpentDailyLimit: amount }),
    line: adsOf('SpentDailyLimit'),
    isOfMoney: true,
  },
  {
    name: 'RevenueDailyLimit of a DSP VAST Tag',
    counted: 'shown',
    demand: () => ({ RevenueDailyLimit: amount }),
    line: adsOf('RevenueDailyLimit'),
    isOfMoney: true,
    asksDsp: true,
  },
  {
    name: 'ImpressionsLimitPerIp of a campaign',
    counted: 'at an address',
    demand: () => ({ ImpressionsLimitPerIp: perAddress }),
    line: always(perAddress),
  },
];

/** A limit that was changed under load. */
interface Change {
  readonly fromMs: number;
  /** From then on only the new limit counts: all machines know it and have reported what they hold. */
  settledMs: number;
  readonly line: (timeMs: number) => number;
}

/** A tag and its demand, of one case. */
export interface Offer {
  readonly of: Case;
  /** Of its limit, and of what happens to it. */
  readonly name: string;
  readonly tag: Stored;
  readonly demand: Stored;
  /** Path and query of the tag's zone, the same on all machines. */
  readonly path: string;
  /** Whether every ad is shown; else some never are. */
  readonly isAllShown: boolean;
  /** Whether nothing goes wrong while it is played. */
  readonly isCalm: boolean;
  /** How many ads the limit allows by a time, before it was changed. */
  readonly line: (timeMs: number) => number;
  /** In their order. */
  readonly changes: readonly Change[];
  /** Sets the limit to `factor` times what it was, and notes that. */
  change(factor: number, nowMs: () => number): Promise<Change>;
}

/** What an ad costs its advertiser, and what its publisher is paid, in nano-USD. */
export const priceNanos = Math.round(price * 1e9);

interface Opening {
  readonly dspUrl: string;
  readonly timeMs: number;
  readonly isCalm: boolean;
  readonly isAllShown: boolean;
}

async function openOffer(room: ExchangeRoom, one: Case, opening: Opening): Promise<Offer> {
  const { dspUrl, timeMs, isCalm, isAllShown } = opening;
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
  const changes: Change[] = [];
  return {
    of: one,
    name: `${one.name}, ${isCalm ? 'calm' : 'faults'}${isAllShown ? ', all shown' : ''}`,
    tag,
    demand,
    path: `${pathname}${search}`,
    isAllShown,
    isCalm,
    line: (atMs) => one.line(values, atMs),
    changes,
    async change(factor, nowMs) {
      const changed = Object.fromEntries(
        Object.entries(values).map(([field, value]) => [field, changedLimit(Number(value) * factor)]),
      );
      const change: Change = {
        fromMs: nowMs(),
        settledMs: Number.POSITIVE_INFINITY,
        line: (atMs) => one.line(changed, atMs),
      };
      changes.push(change);
      const [wrapper, path, id] = one.supply
        ? (['VastTag', 'ortb/vasttag', tag.Id] as const)
        : (['Campaign', 'campaign', demand.Id] as const);
      await room.call(`${path}/update`, { [wrapper]: { Id: id, ...changed } });
      return change;
    },
  };
}

/** Counts are whole, amounts whole cents. */
const changedLimit = (value: number) => (value < 1 ? Math.round(value * 1000) / 1000 : Math.round(value));

/** Objects for each case, of which no limit is used yet; all of their ads are shown, and then others' not. */
export async function openMarket(room: ExchangeRoom, opening: Omit<Opening, 'isAllShown'>): Promise<Offer[]> {
  const offers: Offer[] = [];
  for (const isAllShown of [true, false])
    for (const one of cases) offers.push(await openOffer(room, one, { ...opening, isAllShown }));
  return offers;
}
