import type { Entity } from '../entities/entity.ts';
import type { Performance } from '../statistics/performance.ts';
import type { Context } from './context.ts';

/** The figures that objects of one entity show. */
export interface Figures {
  /** Names the state of the database that answers show: the revision and the version of the figures. */
  state(revision: number): Promise<string>;
  /** Figures by ID; none where objects have none. */
  many(ids: readonly number[]): Promise<ReadonlyMap<number, Performance>>;
  one(id: number): Promise<Performance | undefined>;
}

/** Reads the figures of an entity's objects, where any of these fields shows one; by default any of all. */
export function compileFigures(
  entity: Entity,
  { performance }: Pick<Context, 'performance'>,
  fields: readonly string[] = Object.keys(entity.fields),
): Figures {
  const hasFigures = fields.some((name) => entity.fields[name]?.place.kind === 'statistic');
  const many = async (ids: readonly number[]) =>
    hasFigures ? performance.of(entity.key, ids) : new Map<number, Performance>();
  return {
    state: async (revision) => (hasFigures ? `${revision}/${await performance.version()}` : `${revision}`),
    many,
    one: async (id) => (await many([id])).get(id),
  };
}
