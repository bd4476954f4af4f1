import type { Entity } from '../../entities/entity.ts';
import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { StoredObject, Values } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { compileFigures } from '../figures.ts';
import { type KnownFigures, listedFigures } from '../listed-figures.ts';
import { compilePresenter } from '../present.ts';

/** Fields and figures of a team's objects, as answers show them. */
export interface ListedValues {
  /** Those of the entity. */
  readonly fields: readonly string[];
  /** Changes with what the values depend on. */
  readonly state: string;
  /** In the order of the objects. */
  read(objects: readonly StoredObject[]): Promise<readonly Values[]>;
}

/** `figuresOf` of all the team's objects. */
async function readKnown(
  { key }: Entity,
  { teamFigures }: Context,
  teamId: number,
  wanted: ReadonlySet<keyof KnownFigures>,
) {
  const [days, health] = await Promise.all([
    wanted.has('days') ? teamFigures.days(key, teamId) : undefined,
    wanted.has('health') ? teamFigures.health(key, teamId) : undefined,
  ]);
  const healthOf = (id: number) => health?.value.get(id)?.state ?? 'idle';
  return {
    state: `${days?.version ?? ''}/${health?.version ?? ''}`,
    of: ({ id, status }: StoredObject): KnownFigures => ({
      days: days?.value.get(id) ?? {},
      // The object may have changed since its health was read.
      health: status === 0 ? healthOf(id) : 'inactive',
    }),
  };
}

/** Of these names, in their order. */
export async function openListedValues(
  entity: Entity,
  context: Context,
  { teamId, revision }: Pick<Bearer, 'teamId' | 'revision'>,
  names: readonly string[],
): Promise<ListedValues> {
  const known = listedFigures(entity);
  const figures = names.flatMap((name) => {
    const figure = known.get(name);
    return figure ? [{ name, ...figure }] : [];
  });
  const fields = names.filter((name) => ownMember(entity.fields, name) !== undefined);
  const present = compilePresenter(entity, fields);
  const own = compileFigures(entity, context, fields);
  const [team, state] = await Promise.all([
    readKnown(entity, context, teamId, new Set(figures.map(({ from }) => from))),
    own.state(revision),
  ]);
  const withFigures = (object: StoredObject, values: Values): Values => {
    if (figures.length === 0) return values;
    const of = team.of(object);
    const counted = new Map(figures.map(({ name, read }) => [name, read(of)]));
    const answer: Record<string, unknown> = {};
    for (const name of names)
      setOwnMember(answer, name, counted.has(name) ? counted.get(name) : ownMember(values, name));
    return answer;
  };
  return {
    fields,
    state: `${state}/${team.state}`,
    async read(objects) {
      const shown = await own.many(objects);
      return objects.map((object) =>
        withFigures(object, present(object, context.links(), shown.get(object.id))),
      );
    },
  };
}
