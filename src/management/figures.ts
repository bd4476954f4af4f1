import type { Entity } from '../entities/entity.ts';
import { dealKindNames } from '../entities/kinds.ts';
import { ownMember } from '../reference/own-member.ts';
import { weekShapes } from '../statistics/week-shapes.ts';
import type { AlertState } from '../store/alerts/interface.ts';
import type { Context } from './context.ts';
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

function useSource({ performance, store: { statistics }, now }: FigureSources): Source {
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

function sourceOf(entity: Entity, fields: readonly string[], context: FigureSources): Source | undefined {
  const { performance, store } = context;
  const places = new Set(fields.map((name) => ownMember(entity.fields, name)?.place.kind));
  if (places.has('statistic')) {
    return { version: () => performance.version(), of: (ids) => performance.of(entity.key, ids) };
  }
  if (places.has('pace')) return useSource(context);
  if (!places.has('alertState')) return undefined;
  return {
    version: () => store.alerts.version(),
    async of(ids) {
      const states = await store.alerts.states(ids);
      return new Map([...states].map(([id, state]) => [id, shownState(state)]));
    },
  };
}

type FigureSources = Pick<Context, 'now' | 'performance' | 'store'>;

/** Only if one of these fields shows a figure; by default all fields. */
export function compileFigures(
  entity: Entity,
  context: FigureSources,
  fields: readonly string[] = Object.keys(entity.fields),
): Figures {
  const source = sourceOf(entity, fields, context);
  const many = async (ids: readonly number[]) => {
    const found = (await source?.of(ids)) ?? new Map<number, Partial<ShownFigures>>();
    return new Map([...found].map(([id, figures]) => [id, { ...noFigures, ...figures }]));
  };
  return {
    state: async (revision) => (source ? `${revision}/${await source.version()}` : `${revision}`),
    many,
    one: async (id) => (await many([id])).get(id),
  };
}
