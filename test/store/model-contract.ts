import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { entityOf } from '../../src/entities/registry.ts';
import type { Actor, Store, StoredObject, Values } from '../../src/store/interface.ts';
import { seeded } from '../support/seed.ts';
import type { Engine } from './engine.ts';
import { connectionsOf, type ModelView, type ModelWriting, modelled, NaiveModel } from './naive-model.ts';
import { found, freshName, newActor, openedFor } from './team-room.ts';

/** One step: what is done to which object. Numbers choose among what there is, so every sequence makes sense. */
interface Step {
  readonly kind: 'add' | 'update' | 'status' | 'fail';
  readonly entity: number;
  readonly object: number;
  readonly byOther: boolean;
  readonly status: 0 | 1;
  readonly values: { readonly Name: string; readonly Tmax: number };
  /** Which connection fields are sent, and which objects they name. */
  readonly links: readonly (readonly number[] | null)[];
  readonly managed: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('add', 'add', 'update', 'update', 'update', 'status', 'fail'),
  entity: fc.nat({ max: modelled.length - 1 }),
  object: fc.nat({ max: 50 }),
  byOther: fc.boolean(),
  status: fc.constantFrom(0, 1),
  values: fc.record({ Name: fc.string({ unit: 'grapheme', maxLength: 4 }), Tmax: fc.nat({ max: 3 }) }),
  links: fc.array(fc.option(fc.uniqueArray(fc.nat({ max: 7 }), { maxLength: 4 })), {
    minLength: 5,
    maxLength: 5,
  }),
  managed: fc.boolean(),
});

type FilterStep = typeof filters extends fc.Arbitrary<infer Value> ? Value : never;

const filters = fc.record({
  owner: fc.option(fc.nat({ max: 3 })),
  isManaged: fc.boolean(),
  activeOnly: fc.boolean(),
  after: fc.option(fc.nat({ max: 4 })),
  limit: fc.integer({ min: 1, max: 6 }),
});

/** The store and the model, with what both have been told. */
class Side {
  readonly model = new NaiveModel();
  readonly store: Store;
  readonly actors: readonly [Actor, Actor];

  constructor(store: Store, actors: readonly [Actor, Actor]) {
    this.store = store;
    this.actors = actors;
  }

  idsOf(key: string, teamId: number): number[] {
    return this.model
      .of(key)
      .filter((object) => object.teamId === teamId)
      .map(({ id }) => id);
  }

  /** What a step writes, in terms of the team's own objects. */
  writing({ values, links, managed }: Step, entity: (typeof modelled)[number], actor: Actor): ModelWriting {
    const connections: Record<string, number[]> = {};
    for (const [index, { field, to }] of connectionsOf(entity).entries()) {
      const ids = this.idsOf(to, actor.teamId);
      const chosen = links[index % links.length];
      if (chosen)
        connections[field] = [
          ...new Set(chosen.flatMap((at) => (ids.length > 0 ? [ids[at % ids.length] ?? 0] : []))),
        ];
    }
    const owners = entity.owner ? this.idsOf(entity.owner.entity, actor.teamId) : [];
    const owner = entity.owner
      ? { [entity.owner.field]: owners[values.Tmax % Math.max(1, owners.length)] ?? 0 }
      : {};
    const managerId =
      managed && 'AccManagerId' in entity.fields && !entity.owner ? { managerId: actor.userId } : {};
    return { document: { ...values, ...owner }, connections, ...managerId };
  }

  async run(step: Step): Promise<void> {
    const entity = modelled[step.entity];
    const actor = this.actors[step.byOther ? 1 : 0];
    if (!entity) throw new Error('no such entity');
    const ids = this.idsOf(entity.key, actor.teamId);
    const id = ids[step.object % Math.max(1, ids.length)];
    const writing = this.writing(step, entity, actor);
    if (step.kind === 'fail') return this.fail(entity, actor, writing, id);
    if (step.kind === 'add' || id === undefined) {
      const added = await this.store.write(actor, (transaction) => transaction.insert(entity, writing));
      return this.model.add(entity.key, added, actor.teamId, writing);
    }
    await this.store.write(actor, async (transaction) => {
      const current = await found(transaction, entity.key, id);
      if (step.kind === 'status') await transaction.setStatus(entity, current, step.status);
      else await transaction.update(entity, current, writing);
    });
    if (step.kind === 'status') this.model.setStatus(entity.key, id, step.status);
    else this.model.update(entity.key, id, writing);
  }

  /** Writes and rejects: the model is not told. */
  private async fail(
    entity: (typeof modelled)[number],
    actor: Actor,
    writing: ModelWriting,
    id: number | undefined,
  ) {
    const job = this.store.write(actor, async (transaction) => {
      await transaction.insert(entity, writing);
      if (id !== undefined)
        await transaction.update(entity, await found(transaction, entity.key, id), writing);
      throw new Error('meant to fail');
    });
    await assert.rejects(job, /meant to fail/);
  }
}

function viewOf({ id, status, document, account, derived }: StoredObject): ModelView {
  return {
    id,
    status: status as 0 | 1,
    document,
    accountName: account.name,
    managerId: account.managerId,
    derived: inOrder(derived),
  };
}

/** Members by name; who uses a list in order of ID, since nothing is said of it. */
function inOrder(derived: Values): Values {
  return Object.fromEntries(Object.entries(derived).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const sortedUsers = (key: string, { derived, ...rest }: ModelView): ModelView => {
  const { fields } = entityOf(key);
  const rows = Object.entries(derived).map(([name, value]) => {
    const isUsers = fields[name]?.place.kind === 'backReference';
    return [name, isUsers ? (value as number[]).toSorted((a, b) => a - b) : value];
  });
  return { ...rest, derived: inOrder(Object.fromEntries(rows)) };
};

/** Compares every view of both teams. */
async function compare({ store, model, actors }: Side, filter: FilterStep): Promise<void> {
  for (const { teamId, userId } of actors) {
    for (const entity of modelled) {
      const own = (view: ModelView) => sortedUsers(entity.key, view);
      const everything = model.view(entity.key, teamId, {}, 'single').map(own);
      const singles: ModelView[] = [];
      for (const { id } of everything) {
        const object = await store.find(entity, teamId, { id });
        if (object) singles.push(own(viewOf(object)));
      }
      assert.deepEqual(singles, everything);
      const owners = model.of(entity.owner?.entity ?? '').map(({ id }) => id);
      const limits = {
        ownerId: filter.owner === null ? 0 : (owners[filter.owner % Math.max(1, owners.length)] ?? 0),
        managerId: filter.isManaged && 'AccManagerId' in entity.fields ? userId : 0,
        activeOnly: filter.activeOnly,
        afterId: filter.after === null ? 0 : (everything[filter.after]?.id ?? 0),
      };
      const page = await store.page(entity, teamId, limits, filter.limit);
      const wanted = model.view(entity.key, teamId, limits, 'array').slice(0, filter.limit);
      assert.deepEqual(
        page.map((object) => own(viewOf(object))),
        wanted.map(own),
      );
    }
  }
}

/** Random sequences of writes: the store shows what a naive model shows, after each step. */
export function modelContract(engine: Engine): void {
  describe('sequences of writes', () => {
    const { opened } = openedFor(engine);

    test('every view is that of a naive model, after each step', async () => {
      const { store } = opened();
      const sequences = fc.array(fc.tuple(step, filters), { minLength: 10, maxLength: 40, size: 'max' });
      await fc.assert(
        fc.asyncProperty(sequences, async (steps) => {
          const side = new Side(store, [await newActor(store), await newActor(store)]);
          for (const [each, filter] of steps) {
            await side.run(each);
            await compare(side, filter);
          }
        }),
        seeded(25),
      );
    });

    test('the change log tells how every object became what it is', async () => {
      const { store, database } = opened();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
          const side = new Side(store, [await newActor(store), await newActor(store)]);
          for (const each of steps) await side.run(each);
          const teams = side.actors.map(({ teamId }) => teamId);
          const state = new Map<string, Values>();
          const rows = (await database.changes()).filter(
            ({ teamId, entity }) => teams.includes(teamId) && entity !== 'User',
          );
          for (const row of rows) {
            const name = `${row.entity} ${row.entityId}`;
            const current = state.get(name) ?? {};
            for (const [member, value] of Object.entries(row.before ?? {})) {
              const place = entityOf(row.entity).fields[member]?.place.kind;
              if (place === 'document')
                assert.deepEqual(value, current[member], `${name}.${member} was another`);
            }
            state.set(name, { ...current, ...row.after });
          }
          for (const { key, id, document, status } of side.model.objects) {
            const { Status = 0, ...told } = state.get(`${key} ${id}`) ?? {};
            const inDocument = Object.fromEntries(Object.keys(document).map((name) => [name, told[name]]));
            assert.deepEqual(
              { ...inDocument, Status },
              { ...document, Status: status },
              freshName(`${key} ${id} `),
            );
          }
        }),
        seeded(15),
      );
    });
  });
}
