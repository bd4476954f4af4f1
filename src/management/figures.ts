import type { Entity } from '../entities/entity.ts';
import type { Place } from '../fields/field.ts';
import { ownMember } from '../reference/own-member.ts';
import { paceOf, plannedBudget } from '../statistics/pace.ts';
import { weekShapes } from '../statistics/week-shapes.ts';
import type { AlertState } from '../store/alerts/interface.ts';
import type { StoredObject } from '../store/interface.ts';
import type { Context } from './context.ts';
import { dealStateOf } from './deals/deal-state.ts';
import { noFigures, type ShownAlertState, type ShownFigures } from './shown-figures.ts';

const isoOf = (ms: number | undefined) => (ms === undefined ? '' : new Date(ms).toISOString());

const shownState = ({ checkedMs, problem, noData, firing, first }: AlertState): ShownAlertState => ({
  Firing: firing,
  FiringSince: isoOf(first?.beganMs),
  Value: first?.lastValue ?? null,
  Problem: problem,
  NoData: noData,
  CheckedAt: isoOf(checkedMs),
});

export interface Figures {
  /** Of the database as answers show it: the revision and the figures' version. */
  state(revision: number): Promise<string>;
  many(objects: readonly FiguredObject[]): Promise<ReadonlyMap<number, ShownFigures>>;
  one(object: FiguredObject): Promise<ShownFigures | undefined>;
}

type FiguredObject = Pick<StoredObject, 'id' | 'document'>;
const idsOf = (objects: readonly FiguredObject[]) => objects.map(({ id }) => id);

/** A version that changes with the figures, and those of some objects. */
interface Source {
  version(): Promise<number | string>;
  of(objects: readonly FiguredObject[]): Promise<ReadonlyMap<number, Partial<ShownFigures>>>;
}

const minuteMs = 60_000;

function figureSource({ key, exchange }: Entity, { performance }: FigureSources): Source {
  const isDeal = exchange?.side === 'deal';
  return {
    version: () => performance.version(),
    of: (objects) => (isDeal ? performance.ofDeals(idsOf(objects)) : performance.of(key, idsOf(objects))),
  };
}

/** Statements are only made for objects with a plan. */
function paceSource({ key }: Entity, { performance, store: { statistics }, now }: FigureSources): Source {
  return {
    version: async () => `${await performance.version()}/${Math.floor(now() / minuteMs)}`,
    async of(objects) {
      const nowMs = now();
      const planned = objects.flatMap(({ id, document }) => {
        const budget = plannedBudget(key, document, nowMs);
        return budget ? [{ id, budget }] : [];
      });
      if (planned.length === 0) return new Map();
      const ids = planned.map(({ id }) => id);
      const times = planned.map(({ id, budget }) => ({ id, beforeMs: budget.startMs }));
      const [used, before, shapes] = await Promise.all([
        statistics.totalCosts([key], ids),
        statistics.usedBefore(key, times),
        weekShapes(statistics, key, ids, nowMs),
      ]);
      const [inAll, earlier] = [used, before].map((costs) => new Map(costs.map((one) => [one.id, one])));
      return new Map(
        planned.map(({ id, budget }) => {
          const use = (of: 'impressions' | 'totalNanos') =>
            (inAll?.get(id)?.[of] ?? 0) - (earlier?.get(id)?.[of] ?? 0);
          const sums = { impressions: use('impressions'), nanos: use('totalNanos') };
          return [id, { pace: paceOf(budget, { ...sums, shape: shapes.get(id), nowMs }) }];
        }),
      );
    },
  };
}

function alertSource(_: Entity, { store }: FigureSources): Source {
  return {
    version: () => store.alerts.version(),
    async of(objects) {
      const states = await store.alerts.states(idsOf(objects));
      return new Map([...states].map(([id, state]) => [id, shownState(state)]));
    },
  };
}

/** With time, because deals begin and end. */
function pushSource(_: Entity, { store: { sending }, now }: FigureSources): Source {
  return {
    version: async () => `${await sending.version('Deal')}/${Math.floor(now() / minuteMs)}`,
    async of(objects) {
      const ids = idsOf(objects);
      const results = await sending.results('Deal', ids);
      return new Map(ids.map((id) => [id, { deal: dealStateOf(results.get(id) ?? [], now()) }]));
    },
  };
}

/** By the kind of place whose fields show them. */
const sources: ReadonlyMap<Place['kind'], (entity: Entity, context: FigureSources) => Source> = new Map([
  ['statistic', figureSource],
  ['alertState', alertSource],
  ['dealState', pushSource],
  ['pace', paceSource],
]);

function sourcesOf(entity: Entity, fields: readonly string[], context: FigureSources): readonly Source[] {
  const places = new Set(fields.map((name) => ownMember(entity.fields, name)?.place.kind));
  return [...sources].flatMap(([kind, make]) => (places.has(kind) ? [make(entity, context)] : []));
}

type FigureSources = Pick<Context, 'now' | 'performance' | 'store'>;

/** Only if one of these fields shows a figure; by default all fields. */
export function compileFigures(
  entity: Entity,
  context: FigureSources,
  fields: readonly string[] = Object.keys(entity.fields),
): Figures {
  const wanted = sourcesOf(entity, fields, context);
  const many = async (objects: readonly FiguredObject[]) => {
    const found = await Promise.all(wanted.map((source) => source.of(objects)));
    const known = new Set(found.flatMap((figures) => [...figures.keys()]));
    return new Map(
      [...known].map((id) => [id, Object.assign({}, noFigures, ...found.map((one) => one.get(id)))] as const),
    );
  };
  return {
    state: async (revision) =>
      [revision, ...(await Promise.all(wanted.map((source) => source.version())))].join('/'),
    many,
    one: async (object) => (await many([object])).get(object.id),
  };
}
