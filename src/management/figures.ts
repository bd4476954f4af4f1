import type { Entity } from '../entities/entity.ts';
import { dealKindNames } from '../entities/kinds.ts';
import type { Place } from '../fields/field.ts';
import { ownMember } from '../reference/own-member.ts';
import { weekShapes } from '../statistics/week-shapes.ts';
import type { AlertState } from '../store/alerts/interface.ts';
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
  many(ids: readonly number[]): Promise<ReadonlyMap<number, ShownFigures>>;
  one(id: number): Promise<ShownFigures | undefined>;
}

/** A version that changes with the figures, and those of some objects. */
interface Source {
  version(): Promise<number | string>;
  of(ids: readonly number[]): Promise<ReadonlyMap<number, Partial<ShownFigures>>>;
}

const minuteMs = 60_000;

function figureSource({ key, exchange }: Entity, { performance }: FigureSources): Source {
  const isDeal = exchange?.side === 'deal';
  return {
    version: () => performance.version(),
    of: (ids) => (isDeal ? performance.ofDeals(ids) : performance.of(key, ids)),
  };
}

function useSource(_: Entity, { performance, store: { statistics }, now }: FigureSources): Source {
  return {
    version: async () => `${await performance.version()}/${Math.floor(now() / minuteMs)}`,
    async of(ids) {
      const nowMs = now();
      const [used, shapes] = await Promise.all([
        statistics.totalCosts(dealKindNames, ids),
        weekShapes(statistics, ids, nowMs),
      ]);
      const impressions = new Map(used.map((one) => [one.id, one.impressions]));
      return new Map(
        ids.map((id) => [
          id,
          { use: { impressions: impressions.get(id) ?? 0, shape: shapes.get(id), nowMs } },
        ]),
      );
    },
  };
}

function alertSource(_: Entity, { store }: FigureSources): Source {
  return {
    version: () => store.alerts.version(),
    async of(ids) {
      const states = await store.alerts.states(ids);
      return new Map([...states].map(([id, state]) => [id, shownState(state)]));
    },
  };
}

/** With time, because deals begin and end. */
function pushSource(_: Entity, { store: { sending }, now }: FigureSources): Source {
  return {
    version: async () => `${await sending.version('Deal')}/${Math.floor(now() / minuteMs)}`,
    async of(ids) {
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
  ['pace', useSource],
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
  const many = async (ids: readonly number[]) => {
    const found = await Promise.all(wanted.map((source) => source.of(ids)));
    const known = new Set(found.flatMap((figures) => [...figures.keys()]));
    return new Map(
      [...known].map((id) => [id, Object.assign({}, noFigures, ...found.map((one) => one.get(id)))] as const),
    );
  };
  return {
    state: async (revision) =>
      [revision, ...(await Promise.all(wanted.map((source) => source.version())))].join('/'),
    many,
    one: async (id) => (await many([id])).get(id),
  };
}
