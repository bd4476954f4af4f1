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

/** The figures that objects of one entity show. */
export interface Figures {
  /** Names the state of the database that answers show: the revision and the version of the figures. */
  state(revision: number): Promise<string>;
  /** Figures by ID; none where objects have none. */
  many(ids: readonly number[]): Promise<ReadonlyMap<number, ShownFigures>>;
  one(id: number): Promise<ShownFigures | undefined>;
}

/** Where figures come from: a version that changes with them, and those of some objects. */
interface Source {
  version(): Promise<number | string>;
  of(ids: readonly number[]): Promise<ReadonlyMap<number, Partial<ShownFigures>>>;
}

function sourceOf(entity: Entity, fields: readonly string[], context: FigureSources): Source | undefined {
  const { performance, store } = context;
  const places = new Set(fields.map((name) => ownMember(entity.fields, name)?.place.kind));
  if (places.has('statistic')) {
    return { version: () => performance.version(), of: (ids) => performance.of(entity.key, ids) };
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

/** Reads the figures of an entity's objects, where any of these fields shows one; by default any of all. */
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
