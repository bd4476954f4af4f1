import { shownOfDemand, shownOfSupply } from '../../answers/object-health.ts';
import { entityOf } from '../../entities/registry.ts';
import { type CounterName, noCounts } from '../../reference/counters.ts';
import { type HealthState, healthStateNames } from '../../reference/health-states.ts';
import { type MeasureName, type MeasureValues, measures } from '../../reference/measures.ts';
import { hourMs, quarterMs } from '../../statistics/days.ts';
import type { Store } from '../../store/interface.ts';
import type { CubeQuestion } from '../../store/statistics/interface.ts';
import type { ExchangeView } from '../exchange/exchange-view.ts';
import { type CountedRefusal, isServing, stateOf } from './health-answer.ts';
import { lacksOf } from './readiness.ts';

/** What puts objects in the order of their health. */
export interface RankedHealth {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly state: HealthState;
  /** The share of calls or requests that went wrong, from 0 to 1. */
  readonly trouble: number;
  /** Calls, bids and requests. */
  readonly traffic: number;
}

export interface HealthReading {
  readonly store: Pick<Store, 'page' | 'reads' | 'statistics'>;
  readonly exchange: Pick<ExchangeView, 'health'>;
  readonly now: () => number;
}
const objectsPerPage = 1000;
const rowsMax = 1_000_000;

/** Of sums in the order of the counters. */
function measuring(names: readonly MeasureName[], counters: readonly CounterName[]) {
  // One for all rows: there may be many thousands.
  const counts = { ...noCounts };
  return (sums: readonly (string | number)[]): MeasureValues => {
    for (const [index, counter] of counters.entries()) counts[counter] = Number(sums[index] ?? 0);
    const values: Record<string, number | null> = {};
    for (const name of names) values[name] = measures[name].of(counts);
    return values;
  };
}

interface Asked {
  readonly side: 'supply' | 'demand';
  readonly kind: string;
  readonly teamId: number;
  readonly nowMs: number;
}

const countersFor = (names: readonly MeasureName[]) => [
  ...new Set(names.flatMap((name): readonly CounterName[] => measures[name].from)),
];

/** In four whole quarter hours and the current one, by ID. */
async function readFigures({ store }: HealthReading, { side, kind, teamId, nowMs }: Asked) {
  const names: readonly MeasureName[] = side === 'demand' ? shownOfDemand : shownOfSupply;
  const counters = countersFor(names);
  const until = Math.floor(nowMs / quarterMs) + 1;
  const question: CubeQuestion = {
    ...{ teamId, cube: side, grain: 'quarter', columns: [`${side}_id`], counters, rowsMax },
    ranges: [{ bucket: 0, from: until - 5, until }],
    conditions: [{ columns: [`${side}_kind`], values: [[kind]], isNot: false }],
  };
  const valuesOf = measuring(names, counters);
  const found = new Map<number, MeasureValues>();
  for await (const rows of store.statistics.ask(question))
    for (const [, id, ...sums] of rows) found.set(Number(id), valuesOf(sums));
  return { found, none: valuesOf([]) };
}

/** In the last whole hour and the current one, by ID, the most frequent first. */
async function readRefusals({ store }: HealthReading, { side, kind, teamId, nowMs }: Asked) {
  const names = ['Refusals', 'LostValue', 'Invalid'] as const;
  const counters = countersFor(names);
  const until = Math.floor(nowMs / hourMs) + 1;
  const own = { columns: [`${side}_kind`], values: [[kind]], isNot: false };
  const alone = { columns: ['demand_kind'], values: [['']], isNot: false };
  const question: CubeQuestion = {
    ...{ teamId, cube: 'refusal', grain: 'hour', columns: [`${side}_id`, 'reason'], counters, rowsMax },
    ranges: [{ bucket: 0, from: until - 2, until }],
    conditions: side === 'demand' ? [own] : [own, alone],
  };
  const valuesOf = measuring(names, counters);
  const found = new Map<number, CountedRefusal[]>();
  for await (const rows of store.statistics.ask(question)) {
    for (const [, id, reason, ...sums] of rows) {
      const refusal = { reason: String(reason), figures: valuesOf(sums) };
      const known = found.get(Number(id));
      if (known) known.push(refusal);
      else found.set(Number(id), [refusal]);
    }
  }
  for (const refusals of found.values())
    refusals.sort((one, other) => (other.figures.Refusals ?? 0) - (one.figures.Refusals ?? 0));
  return found;
}

async function readObjects({ store }: HealthReading, kind: string, teamId: number) {
  const all: { readonly id: number; readonly status: number; readonly name: string }[] = [];
  for (let afterId = 0; ; ) {
    const page = await store.page(entityOf(kind), teamId, { afterId }, objectsPerPage, ['Name']);
    all.push(...page.map(({ id, status, document }) => ({ id, status, name: String(document.Name ?? '') })));
    if (page.length < objectsPerPage) return all;
    afterId = page.at(-1)?.id ?? 0;
  }
}

function troubleOf({ CallAttempts, UnavailableRate, Requests, Impressions }: MeasureValues): number {
  if (CallAttempts) return (UnavailableRate ?? 0) / 100;
  return Requests ? 1 - Math.min(1, (Impressions ?? 0) / Requests) : 0;
}

/** Of all objects of a kind. Latencies, faults and macros are left to those who look at an object. */
export async function readTeamHealth(
  reading: HealthReading,
  kind: string,
  teamId: number,
): Promise<ReadonlyMap<number, RankedHealth>> {
  const side = entityOf(kind).exchange?.side === 'demand' ? 'demand' : 'supply';
  const asked: Asked = { side, kind, teamId, nowMs: reading.now() };
  const [objects, { found, none }, refusals] = await Promise.all([
    readObjects(reading, kind, teamId),
    readFigures(reading, asked),
    readRefusals(reading, asked),
  ]);
  const ids = objects.map(({ id }) => id);
  // What serves, or is inactive, is not asked what it lacks: its state does not depend on it.
  const mayLack = objects.filter(({ id, status }) => status === 0 && !isServing(found.get(id) ?? none));
  const lacks = await lacksOf(
    reading,
    teamId,
    entityOf(kind),
    mayLack.map(({ id }) => id),
  );
  const threads = await reading.exchange.health({ teamId, kind, ids, isBrief: true });
  const obstacles = Map.groupBy(threads.flat(), ({ id }) => id);
  return new Map(
    objects.map(({ id, status, name }) => {
      const figures = found.get(id) ?? none;
      const { State } = stateOf({
        ...{ isActive: status === 0, isDemand: side === 'demand', figures },
        missing: lacks.get(id) ?? [],
        threads: obstacles.get(id) ?? [],
        refusals: refusals.get(id) ?? [],
      });
      const traffic = Math.max(figures.CallAttempts ?? 0, figures.Bids ?? 0) + (figures.Requests ?? 0);
      return [id, { kind, id, name, state: State, trouble: troubleOf(figures), traffic }];
    }),
  );
}

type HealthRank = Pick<RankedHealth, 'state' | 'trouble' | 'traffic' | 'name'>;

const badness = new Map(healthStateNames.map((name, index) => [name, index]));

/** The worst first: by state, by the share that goes wrong, by traffic, by name. */
export function compareHealth(one: HealthRank, other: HealthRank): number {
  return (
    (badness.get(one.state) ?? 0) - (badness.get(other.state) ?? 0) ||
    other.trouble - one.trouble ||
    other.traffic - one.traffic ||
    (one.name < other.name ? -1 : Number(one.name > other.name))
  );
}
