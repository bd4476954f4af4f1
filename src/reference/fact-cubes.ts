import { adCounters, type CounterName, countersIn, ownCounters, playedEvents } from './counters.ts';
import type { Attribute, Cube } from './cubes.ts';
import { measureRows } from './measures.ts';

const sides = ['supply', 'demand'] as const;
const grains = { day: 'always', hour: 'always', quarter: 'always' } as const;
const traffic: readonly Attribute[] = [
  ...(['country', 'deviceType', 'os', 'browser', 'medium', 'size', 'site', 'region', 'consent'] as const),
  'subId',
];
const refusals: readonly CounterName[] = countersIn('refusal');
/** Counted by pair, reason and hour. */
export const isRefusal = (name: CounterName): boolean => refusals.includes(name);
const shown = new Set<CounterName>(measureRows.flatMap(([, { from }]) => from));
const counted = [...countersIn('pair'), ...countersIn('traffic'), ...countersIn('call')] as const;
const measured = [...new Set<CounterName>(counted)].filter((name) => shown.has(name) && !isRefusal(name));

/** What can be asked of rows of single events. */
export interface FactCube extends Pick<Cube, 'objects' | 'attributes' | 'grains'> {
  readonly counters: readonly CounterName[];
}

/** Any combination, except that refusals are counted by pair, reason and hour only, and ads from the win on. */
export const factCubes = {
  fact: { objects: sides, attributes: traffic, grains, counters: measured },
  factAd: {
    objects: sides,
    attributes: [...traffic, 'seat', 'adDomain', 'creative', 'deal'],
    grains,
    counters: adCounters,
  },
  factRefusal: {
    objects: sides,
    attributes: ['reason'],
    counters: refusals,
    grains: { day: 'always', hour: 'always' },
  },
  factPair: {
    objects: sides,
    attributes: [],
    counters: [...measured, ...refusals],
    grains: { day: 'always', hour: 'always' },
  },
} as const satisfies Readonly<Record<string, FactCube>>;

export type FactCubeName = keyof typeof factCubes;

/** What an object counts alone is only that of supply. */
export const factCounters: readonly CounterName[] = [...measured, ...refusals];

/** Whether rows of a demand object have it. */
export const isOfDemandRows = (name: CounterName): boolean => !ownCounters.includes(name);

const sampled: ReadonlySet<CounterName> = new Set(['wins', ...playedEvents]);
const events: ReadonlySet<CounterName> = new Set(adCounters.filter((name) => !sampled.has(name)));
/** Exact despite sampled auctions: it comes with billable events or refusals. */
export const isNeverSampled = (name: CounterName): boolean => events.has(name) || isRefusal(name);
