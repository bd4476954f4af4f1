import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { entityOf } from '../../src/entities/registry.ts';
import { findAsOf } from '../../src/management/history/as-of.ts';
import { compilePresenter } from '../../src/management/present.ts';
import type { Actor, ObjectWrite, Store, StoredObject } from '../../src/store/interface.ts';
import type { Engine } from '../store/engine.ts';
import { connectionsOf, modelled } from '../store/naive-model.ts';
import { found, freshName, newActor, type Opened, openedFor } from '../store/team-room.ts';
import { seeded } from '../support/seed.ts';

/** One step. Numbers choose among what there is, so every sequence makes sense. */
interface Step {
  readonly kind: 'add' | 'update' | 'status';
  readonly entity: number;
  readonly object: number;
  readonly status: 0 | 1;
  readonly name: string;
  readonly owner: number;
  readonly byOther: boolean;
  /** The account manager that is named; null = none. */
  readonly manager: number | null;
  /** Which connection fields are sent, and which objects they name. */
  readonly links: readonly (readonly number[] | null)[];
  readonly text: readonly string[] | null;
  /** By how much the clock goes on. */
  readonly laterMs: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('add', 'update', 'update', 'update', 'status'),
  entity: fc.nat({ max: modelled.length - 1 }),
  object: fc.nat({ max: 20 }),
  status: fc.constantFrom(0, 1),
  name: fc.string({ unit: 'grapheme', maxLength: 3 }),
  owner: fc.nat({ max: 5 }),
  byOther: fc.boolean(),
  manager: fc.option(fc.nat({ max: 1 })),
  links: fc.array(fc.option(fc.uniqueArray(fc.nat({ max: 7 }), { maxLength: 4 })), {
    minLength: 5,
    maxLength: 5,
  }),
  text: fc.option(fc.array(fc.constantFrom('a.example', 'b.example'), { maxLength: 2 })),
  laterMs: fc.constantFrom(0, 1, 1, 60_000),
});

const links = {
  baseUrl: 'https://bourse.example',
  regions: [{ name: 'us-east', url: 'https://bourse.example' }],
};
const presenters = new Map(modelled.map((entity) => [entity.key, compilePresenter(entity, 'single')]));

/** A team whose answers are remembered. */
class Remembering {
  readonly store: Store;
  readonly clock: { ms: number };
  readonly actors: readonly [Actor, Actor];
  readonly ids = new Map<string, number[]>(modelled.map(({ key }) => [key, []]));
  /** Everything that a client could fetch, by time. */
  readonly answers = new Map<number, ReadonlyMap<string, string>>();

  constructor(store: Store, clock: { ms: number }, actors: readonly [Actor, Actor]) {
    this.store = store;
    this.clock = clock;
    this.actors = actors;
  }

  get teamId(): number {
    return this.actors[0].teamId;
  }

  async answer(key: string, object: StoredObject | undefined): Promise<string> {
    if (!object) return 'not found';
    const text = await Array.fromAsync(this.store.text(entityOf(key), object.id, object.revision));
    return JSON.stringify([presenters.get(key)?.(object, links), text]);
  }

  /** `get` of every object there is: as it is, or as of a time. */
  async everything(atMs?: number): Promise<ReadonlyMap<string, string>> {
    const answers = new Map<string, string>();
    for (const [key, ids] of this.ids) {
      for (const id of ids) {
        const [entity, teamId, filter] = [entityOf(key), this.teamId, { id }];
        const object =
          atMs === undefined
            ? await this.store.find(entity, teamId, filter)
            : await findAsOf(this.store, { entity, teamId, filter, atMs });
        answers.set(`${key} ${id}`, await this.answer(key, object));
      }
    }
    return answers;
  }

  private writing(step: Step, entity: (typeof modelled)[number]): ObjectWrite {
    const pick = (key: string, at: number) => {
      const ids = this.ids.get(key) ?? [];
      return ids[at % Math.max(1, ids.length)];
    };
    const fields = connectionsOf(entity).flatMap(({ field, to }, index) => {
      const chosen = step.links[index % step.links.length];
      return chosen ? [[field, [...new Set(chosen.flatMap((at) => pick(to, at) ?? []))]] as const] : [];
    });
    const ownerId = entity.owner && pick(entity.owner.entity, step.owner);
    const hasText = Object.values(entity.fields).some(({ place }) => place.kind === 'listText');
    const isAccount = 'AccManagerId' in entity.fields && !entity.owner;
    return {
      document: { Name: step.name, ...(entity.owner && ownerId ? { [entity.owner.field]: ownerId } : {}) },
      connections: Object.fromEntries(fields),
      ...(isAccount && step.manager !== null ? { managerId: this.actors[step.manager ? 1 : 0].userId } : {}),
      ...(hasText && step.text ? { text: step.text } : {}),
    };
  }

  async run(step: Step): Promise<void> {
    this.clock.ms += step.laterMs;
    const entity = modelled[step.entity];
    if (!entity) throw new Error('no such entity');
    const ids = this.ids.get(entity.key) ?? [];
    const id = ids[step.object % Math.max(1, ids.length)];
    const write = this.writing(step, entity);
    await this.store.write(this.actors[step.byOther ? 1 : 0], async (transaction) => {
      if (id === undefined || step.kind === 'add') {
        ids.push(await transaction.insert(entity, write));
        return;
      }
      const current = await found(transaction, entity.key, id);
      if (step.kind === 'status') return transaction.setStatus(entity, current, step.status);
      return transaction.update(entity, current, write);
    });
    this.answers.set(this.clock.ms, await this.everything());
  }

  /** Compares what is answered of every time with what was answered at that time. */
  async compare(): Promise<void> {
    for (const [atMs, then] of this.answers) {
      for (const [name, answer] of await this.everything(atMs)) {
        assert.equal(answer, then.get(name) ?? 'not found', `${name} as of ${atMs}`);
      }
    }
  }
}

async function colleagues(store: Store): Promise<readonly [Actor, Actor]> {
  const actor = await newActor(store);
  const user = { teamId: actor.teamId, mail: `${freshName()}@example.com`, firstName: 'Grace', lastName: '' };
  const userId = await store.identity.addUser({ ...user, role: 1, status: 0, passwordHash: 'none' });
  assert.ok(userId);
  return [actor, { teamId: actor.teamId, userId }];
}

const startMs = 1_800_000_000_000;

function whateverWasWritten({ opened }: Opened, numRuns: number): void {
  test('are what a fetch answered at that time, whatever was written, and from which side', async () => {
    const clock = { ms: startMs };
    const store = await opened().database.open(() => clock.ms);
    const sequences = fc.array(step, { minLength: 10, maxLength: 30, size: 'max' });
    try {
      await fc.assert(
        fc.asyncProperty(sequences, async (steps) => {
          const team = new Remembering(store, clock, await colleagues(store));
          for (const each of steps) await team.run(each);
          clock.ms += 1;
          await team.compare();
        }),
        seeded(numRuns),
      );
    } finally {
      await store.close();
    }
  });
}

/** Writes objects of one team, shortly. */
function writer(store: Store, actor: Actor) {
  return (key: string, writing: Partial<ObjectWrite>, id?: number) =>
    store.write(actor, async (transaction) => {
      const whole = { document: {}, connections: {}, ...writing };
      if (id === undefined) return transaction.insert(entityOf(key), whole);
      await transaction.update(entityOf(key), await found(transaction, key, id), whole);
      return id;
    });
}

function whileOthersWrite({ opened }: Opened): void {
  test('are the same while others write', async () => {
    const clock = { ms: startMs };
    const store = await opened().database.open(() => clock.ms);
    const [actor] = await colleagues(store);
    const write = writer(store, actor);
    const publisher = await write('Publisher', { document: { Name: 'then' } });
    const demand = await write('DspVastTag', { document: { Name: 'demand' } });
    const document = { Name: 'tag', PublisherId: publisher };
    const connections = { DspVastTags: [demand] };
    const tags: number[] = [];
    while (tags.length < 5) tags.push(await write('VastTag', { document, connections }));
    clock.ms += 1;
    let isDone = false;
    const writing = (async () => {
      for (let turn = 0; !isDone; turn += 1) {
        const change = {
          document: { PublisherId: turn % 2 ? publisher : 0 },
          connections: { DspVastTags: [] },
        };
        await write('VastTag', turn % 3 ? { ...change, connections } : change, tags[turn % tags.length]);
        await write('VastTag', { document });
      }
    })();
    const then = (key: string, id: number) =>
      findAsOf(store, { entity: entityOf(key), teamId: actor.teamId, filter: { id }, atMs: startMs });
    try {
      for (let each = 0; each < 40; each += 1) {
        assert.equal((await then('Publisher', publisher))?.derived.VastTagsCount, tags.length);
        assert.deepEqual((await then('DspVastTag', demand))?.derived.VastTags, tags);
      }
    } finally {
      isDone = true;
      await writing;
      await store.close();
    }
  });
}

/** The store, and how many changes it was asked for in all. */
function counting(store: Store) {
  let read = 0;
  const changes: Store['changes'] = async (...asked) => {
    const rows = await store.changes(...asked);
    read += rows.length;
    return rows;
  };
  return { store: { ...store, changes }, read: () => read };
}

function cheaply({ opened }: Opened): void {
  test('cost the changes that concern them, however much else was written', async () => {
    const clock = { ms: startMs };
    const store = await opened().database.open(() => clock.ms);
    const [actor] = await colleagues(store);
    const write = writer(store, actor);
    const [publisher, busy] = [await write('Publisher', {}), await write('Publisher', {})];
    const ours = { document: { PublisherId: publisher } };
    const [stays, goes] = [await write('VastTag', ours), await write('VastTag', ours)];
    const comes = await write('VastTag', { document: { PublisherId: busy } });
    clock.ms += 1;
    for (let each = 0; each < 150; each += 1) {
      await write('VastTag', { document: { PublisherId: busy } });
      await write('VastTag', { document: { Name: `${each}` } }, stays);
    }
    // What the publisher's counts are about: one that went, one that came, one that is new.
    await write('VastTag', { document: { PublisherId: busy } }, goes);
    await write('VastTag', ours, comes);
    await write('VastTag', ours);
    const counted = counting(store);
    const filter = { id: publisher };
    const asked = { entity: entityOf('Publisher'), teamId: actor.teamId, filter, atMs: startMs };
    try {
      assert.equal((await store.find(asked.entity, asked.teamId, filter))?.derived.VastTagsCount, 3);
      assert.equal((await findAsOf(counted.store, asked))?.derived.VastTagsCount, 2);
      // Three changes, and of each kind the one before them; its own addition.
      assert.ok(counted.read() <= 7, `${counted.read()} changes were read`);
      const ofBusy = await findAsOf(store, { ...asked, filter: { id: busy } });
      assert.equal(ofBusy?.derived.VastTagsCount, 1, 'page by page');
    } finally {
      await store.close();
    }
  });
}

/** Objects as of a time, on one kind of database. */
export function asOfContract(engine: Engine, numRuns: number): void {
  describe(`objects as of a time, on ${engine.name}`, () => {
    const database = openedFor(engine);
    whateverWasWritten(database, numRuns);
    whileOthersWrite(database);
    cheaply(database);
  });
}
