import type { FigureName, Figures } from './figures.ts';

/** What an exchange does, and what it runs on. */
export interface Assumptions {
  /** Demand objects that an auction asks. */
  readonly calls: number;
  /** Billable events for each auction: two where every second auction ends with an ad that is shown and paid for. */
  readonly events: number;
  /** Pairs of supply and demand that a thread counts in each second, at most. */
  readonly pairs: number;
  /** Pairs that count in an hour, in all. */
  readonly allPairs: number;
  /** Limits that auctions of a machine use in each second. */
  readonly limits: number;
  /** Cores of a machine, of Bourse and of the engines. */
  readonly cores: number;
  /** Share of its cores that a machine is to use. */
  readonly load: number;
  /** One auction of so many is kept singly in ClickHouse. */
  readonly sample: number;
  /** For how many hours what is to be sent must fit into an outbox. */
  readonly awayHours: number;
}

/** An ordinary exchange on machines of 16 cores. */
export const standard: Assumptions = {
  calls: 10,
  events: 0.1,
  pairs: 1000,
  allPairs: 10_000,
  limits: 1000,
  cores: 16,
  load: 0.6,
  sample: 100,
  awayHours: 4,
};

/** A line of the plan: what is needed, for a rate of auctions, and by which formula. */
interface PlanLine {
  readonly what: string;
  readonly formula: string;
  readonly unit: string;
  readonly of: (rate: number) => number;
}

const perMicro = 1e-6;
const perGiga = 1e-9;
const bits = 8;
const daySeconds = 86_400;
const keptDays = { quarters: 31, hours: 93, year: 365 };
const reasonsOfPair = 3;

type Line = readonly [what: string, unit: string, formula: string, of: (rate: number) => number];

/** What of a rate of auctions the engines beside Bourse get. */
function loadsOf({ figures }: Figures, assumed: Assumptions) {
  const of = (name: FigureName) => figures[name].value;
  const { calls, events, pairs, limits, cores, load, sample } = assumed;
  const auctionMicros = of('auctionMicros') + (calls - 1) * of('callMicros');
  const busy = (rate: number) => rate * auctionMicros * perMicro;
  const machines = (rate: number) => Math.ceil(busy(rate) / load / cores) + 1;
  const threads = (rate: number) => machines(rate) * cores;
  const counted = (rate: number) => threads(rate) * Math.min(pairs, (rate * calls) / threads(rate));
  const stored = (rate: number) => rate * events;
  const facts = (rate: number) => (rate * (calls + 1)) / sample + stored(rate);
  const leased = (rate: number) =>
    machines(rate) * (of('reportMicros') + limits * of('limitMicros')) * perMicro;
  /** Servers of PostgreSQL that are busy, of which each has one core for limits. */
  const databases = (rate: number) => {
    const counting = (counted(rate) * of('pairMicros') + stored(rate) * of('eventMicros')) * perMicro;
    return Math.max((counting + leased(rate)) / cores, leased(rate)) / load;
  };
  return { of, busy, machines, counted, stored, facts, leased, databases };
}

type Loads = ReturnType<typeof loadsOf>;

function bourseLines({ of, busy, machines }: Loads, { calls, cores }: Assumptions): readonly Line[] {
  return [
    ['cores that are busy', '', 'rate × (auctionMicros + (calls − 1) × callMicros)', busy],
    [
      `machines of ${cores} cores, one of them to spare`,
      '',
      'cores ÷ load ÷ cores of a machine + 1',
      machines,
    ],
    [
      'memory of each, without configuration',
      'GB',
      'cores of a machine × threadMegabytes',
      () => (cores * of('threadMegabytes')) / 1000,
    ],
    [
      'network, in',
      'Gbit/s',
      'rate × (requestBytes + calls × demandAnswerBytes)',
      (rate) => rate * (of('requestBytes') + calls * of('demandAnswerBytes')) * bits * perGiga,
    ],
    [
      'network, out',
      'Gbit/s',
      'rate × (answerBytes + calls × requestBytes)',
      (rate) => rate * (of('answerBytes') + calls * of('requestBytes')) * bits * perGiga,
    ],
  ];
}

function postgresLines(
  { of, counted, stored, leased, databases }: Loads,
  { allPairs, cores }: Assumptions,
): readonly Line[] {
  const log = (rate: number) =>
    (counted(rate) * of('pairLogBytes') + stored(rate) * of('eventLogBytes')) * perMicro;
  const cubeRows =
    allPairs * (4 * 24 * keptDays.quarters + 24 * keptDays.hours + keptDays.year) +
    allPairs * reasonsOfPair * 24 * keptDays.quarters;
  return [
    [
      'PostgreSQL: cores that are busy with counts and events',
      '',
      'threads × pairs × pairMicros + rate × events × eventMicros',
      (rate) => (counted(rate) * of('pairMicros') + stored(rate) * of('eventMicros')) * perMicro,
    ],
    [
      'PostgreSQL: cores that are busy with limits',
      '',
      'machines × (reportMicros + limits × limitMicros); one at most, as reports of the same objects wait for each other',
      leased,
    ],
    ['PostgreSQL: log', 'MB/s', 'the same with pairLogBytes and eventLogBytes', log],
    [
      `PostgreSQL: installations, each with a server of ${cores} cores`,
      '',
      'cores ÷ load ÷ cores of a machine, or those for limits ÷ load, whichever is more',
      (rate) => Math.ceil(databases(rate)),
    ],
    [
      'PostgreSQL: cubes after a year',
      'GB',
      'rows that pairs keep × cubeRowBytes',
      () => cubeRows * of('cubeRowBytes') * perGiga,
    ],
  ];
}

function clickHouseLines({ of, machines, facts }: Loads, { awayHours }: Assumptions): readonly Line[] {
  return [
    ['ClickHouse: rows a second', '', 'rate × (calls + 1) ÷ sample + rate × events', facts],
    [
      'ClickHouse: cores that are busy with them',
      '',
      'rows × factMicros',
      (rate) => facts(rate) * of('factMicros') * perMicro,
    ],
    [
      'ClickHouse: disk a day',
      'GB',
      'rows × factBytes',
      (rate) => facts(rate) * daySeconds * of('factBytes') * perGiga,
    ],
    [
      `outbox of a machine, ClickHouse away for ${awayHours} hours`,
      'GB',
      'rows × outboxRowBytes ÷ machines',
      (rate) => (facts(rate) * 3600 * awayHours * of('outboxRowBytes') * perGiga) / machines(rate),
    ],
  ];
}

/** What is needed for so many auctions a second. @internal */
export function planLines(figures: Figures, assumed: Assumptions): readonly PlanLine[] {
  const loads = loadsOf(figures, assumed);
  return [bourseLines, postgresLines, clickHouseLines]
    .flatMap((lines) => lines(loads, assumed))
    .map(([what, unit, formula, of]) => ({ what, unit, formula, of }));
}

/** What one machine carries: auctions a second. @internal */
export function carried({ figures }: Figures, { calls, cores, load }: Assumptions): number {
  const micros = figures.auctionMicros.value + (calls - 1) * figures.callMicros.value;
  return Math.floor((cores * load) / (micros * perMicro));
}

/** Auctions a second that one database carries. @internal */
export function carriedByOneDatabase(figures: Figures, assumed: Assumptions): number {
  const { databases } = loadsOf(figures, assumed);
  let [carries, fails] = [0, 1];
  while (databases(fails) <= 1) [carries, fails] = [fails, 2 * fails];
  while (fails - carries > 1) {
    const middle = Math.floor((carries + fails) / 2);
    if (databases(middle) <= 1) carries = middle;
    else fails = middle;
  }
  return carries;
}

function shown(value: number): string {
  if (value === 0) return '0';
  const rounded = value >= 100 ? Math.round(value) : Number(value.toPrecision(2));
  return rounded.toLocaleString('en', { maximumFractionDigits: 6 });
}

/** To two digits. */
function roundedDown(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return Math.floor(value / unit) * unit;
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** The plan for some rates of auctions a second, and what it is calculated from, as tables in Markdown. */
export function planText(figures: Figures, assumed: Assumptions, rates: readonly number[]): string {
  const { calls, events, pairs, allPairs, limits, cores, load, sample } = assumed;
  const head = ['auctions a second', ...rates.map((rate) => rate.toLocaleString('en')), 'formula'];
  const lines = planLines(figures, assumed).map(({ what, unit, formula, of }) => [
    what,
    ...rates.map((rate) => `${shown(of(rate))}${unit && ` ${unit}`}`),
    formula,
  ]);
  const measured = Object.entries(figures.figures).map(([name, { value, unit, what, from }]) => [
    `\`${name}\``,
    `${shown(value)} ${unit}`,
    what,
    from,
  ]);
  return [
    `Assumed: ${calls} demand objects asked in each auction, ${shown(events)} billable events for each, ${shown(pairs)} pairs counted by a thread in a second and ${shown(allPairs)} in an hour by all, ${shown(limits)} limits used by a machine in a second, machines of ${cores} cores of which ${load * 100} % are used, one auction of ${sample} kept in ClickHouse. One machine carries ${carried(figures, assumed).toLocaleString('en')} auctions a second; one database ends at ${roundedDown(carriedByOneDatabase(figures, assumed)).toLocaleString('en')}.`,
    '',
    row(head),
    `|${'---|'.repeat(head.length)}`,
    ...lines.map(row),
    '',
    `Measured on ${figures.machine}:`,
    '',
    row(['figure', 'value', 'what', 'from']),
    '|---|---|---|---|',
    ...measured.map(row),
  ].join('\n');
}
