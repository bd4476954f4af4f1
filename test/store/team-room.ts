import { after, before } from 'node:test';
import { entityOf } from '../../src/entities/registry.ts';
import type {
  Actor,
  ObjectWrite,
  Store,
  StoredObject,
  Transaction,
  Values,
} from '../../src/store/interface.ts';
import type { ChangeRow, Engine, TestDatabase } from './engine.ts';

let names = 0;

/** A name that nothing else in the process has. */
export function freshName(prefix = 'n'): string {
  names += 1;
  return `${prefix}${names}`;
}

/** A new team with one user, who acts. */
export async function newActor(store: Store): Promise<Actor> {
  const team = { name: freshName('Team '), country: '', city: '', zipCode: '', address: '', phone: '' };
  const teamId = await store.identity.addTeam(team);
  const user = { teamId, mail: `${freshName()}@example.com`, firstName: 'Ada', lastName: 'Byron' };
  const userId = await store.identity.addUser({ ...user, role: 0, status: 0, passwordHash: 'none' });
  if (userId === undefined) throw new Error('the mail address is taken');
  return { teamId, userId };
}

/** What a test does within one team, shortly. */
export interface TeamRoom {
  readonly store: Store;
  readonly actor: Actor;
  write<T>(job: (transaction: Transaction) => Promise<T>): Promise<T>;
  add(key: string, document?: Values, more?: Partial<ObjectWrite>): Promise<number>;
  /** Changes an object, which must exist. */
  update(key: string, id: number, writing: Partial<ObjectWrite>): Promise<void>;
  setStatus(key: string, id: number, status: 0 | 1): Promise<void>;
  /** The object in the single form; throws when there is none. */
  get(key: string, id: number): Promise<StoredObject>;
  /** The team's part of the change log. */
  changes(): Promise<ChangeRow[]>;
}

/** The object as the transaction sees it; throws when there is none. */
export async function found(transaction: Transaction, key: string, id: number): Promise<StoredObject> {
  const object = await transaction.find(entityOf(key), id);
  if (!object) throw new Error(`${key} ${id} is not found`);
  return object;
}

/** A room for the actor's team on a store. */
export function roomOf(database: TestDatabase, store: Store, actor: Actor): TeamRoom {
  const write = <T>(job: (transaction: Transaction) => Promise<T>) => store.write(actor, job);
  return {
    store,
    actor,
    write,
    add: (key, document = {}, more = {}) =>
      write((transaction) => transaction.insert(entityOf(key), { document, connections: {}, ...more })),
    update: (key, id, writing) =>
      write(async (transaction) => {
        const current = await found(transaction, key, id);
        await transaction.update(entityOf(key), current, { document: {}, connections: {}, ...writing });
      }),
    setStatus: (key, id, status) =>
      write(async (transaction) =>
        transaction.setStatus(entityOf(key), await found(transaction, key, id), status),
      ),
    async get(key, id) {
      const object = await store.find(entityOf(key), actor.teamId, { id });
      if (!object) throw new Error(`${key} ${id} is not found`);
      return object;
    },
    changes: async () =>
      (await database.changes()).filter(({ teamId, entity }) => teamId === actor.teamId && entity !== 'User'),
  };
}

/** The database of a suite; see `openedFor`. */
export type Opened = ReturnType<typeof openedFor>;

/** One database for a suite, by the real clock or another one; each call of `room` gives a new team on it. To be called within `describe`. */
export function openedFor(engine: Engine, now: () => number = Date.now) {
  let database: TestDatabase | undefined;
  let store: Store | undefined;
  const opened = () => {
    if (!database || !store) throw new Error('the database is open only while tests run');
    return { database, store };
  };
  before(async () => {
    database = await engine.fresh();
    store = await database.open(now);
  });
  after(async () => {
    await store?.close();
    await database?.remove();
  });
  return {
    opened,
    room: async (): Promise<TeamRoom> => {
      const { database: own, store: shared } = opened();
      return roomOf(own, shared, await newActor(shared));
    },
  };
}

/** The stores that other processes would have open, closed when the work is done. */
export async function withOthers<T>(
  { opened }: Opened,
  count: number,
  work: (stores: Store[]) => Promise<T>,
) {
  const stores = await Promise.all(Array.from({ length: count }, () => opened().database.open()));
  try {
    return await work(stores);
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
}
