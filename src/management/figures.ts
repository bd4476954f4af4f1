import type { Entity } from '../entities/entity.ts';
import { ownMember } from '../reference/own-member.ts';
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

function sourceOf(entity: Entity, fields: readonly string[], context: FigureSources): Source | undefined {
  const { performance, store } = context;
  const places = new Set(fields.map((name) => ownMember(entity.fields, name)?.place.kind));
  if (places.has('statistic')) {
    const isDeal = entity.exchange?.side === 'deal';
    return {
      version: () => performance.version(),
      of: (ids) => (isDeal ? performance.ofDeals(ids) : performance.of(entity.key, ids)),
    };
  }
  if (!places.has('alertState')) return undefined;
  return {
    version: () => store.alerts.version(),
    async of(ids) {
      const states = await store.alerts.states(ids);
      return new Map([...states].map(([id, state]) => [id, shownState(state)]));
    },
  };
}

type FigureSources = Pick<Context, 'performance' | 'store'>;

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
