import type { Entity } from '../../entities/entity.ts';
import { entityOf } from '../../entities/registry.ts';
import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import type { Account, Filter, Store, StoredObject, Transaction, Values } from '../../store/interface.ts';
import { changesSince } from './changes-since.ts';
import { rewind } from './rewind.ts';
import { fullName } from './user-names.ts';

export interface AsOfQuery {
  readonly entity: Entity;
  readonly teamId: number;
  /** Has an `id`; its other restrictions apply to the object at that time. */
  readonly filter: Filter;
  readonly atMs: number;
}

const attemptsMax = 3;

function countFields({ fields }: Entity): ReadonlyMap<string, string> {
  const rows = Object.entries(fields).flatMap(([name, { place }]) =>
    place.kind === 'count' ? [[place.of, name] as const] : [],
  );
  return new Map(rows);
}

interface ObjectAtRevision {
  readonly object: StoredObject | undefined;
  readonly revision: number;
}

/** The current object, counts included, and a revision at which it was exactly so. */
async function findWithRevision(
  store: Store,
  { entity, teamId, filter: { id = 0 } }: AsOfQuery,
): Promise<ObjectAtRevision> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const revision = await store.revision();
    const object = await store.find(entity, teamId, { id });
    if (!object || countFields(entity).size === 0) return { object, revision };
    if ((await store.revision()) === revision) return { object, revision };
  }
  // If writes never pause, they must wait for this read.
  const read = async ({ find }: Pick<Transaction, 'find'>) => ({
    object: await find(entity, id),
    revision: await store.revision(),
  });
  return store.write({ teamId, userId: 0 }, read, { dryRun: true });
}

/** Undefined if it was added later. */
async function ownAsOf(
  store: Store,
  { entity, teamId, atMs }: AsOfQuery,
  object: StoredObject,
): Promise<StoredObject | undefined> {
  const filter = { entity: entity.key, id: object.id, upToRevision: object.revision };
  let rewound: StoredObject | undefined = object;
  for await (const { changes, previous } of changesSince(store, teamId, filter, atMs)) {
    rewound = rewind(rewound, changes);
    if (!rewound) return undefined;
    if (previous) return { ...rewound, revision: previous.revision };
  }
  return undefined;
}

/** The statistics login is today's, because the object's URLs carry it. */
async function accountAsOf(store: Store, wanted: AsOfQuery, { document, account }: StoredObject) {
  const { entity, teamId } = wanted;
  const { owner: ownership, fields } = entity;
  if (!('AccManagerId' in fields)) return account;
  if (!ownership) return { ...account, name: String(document.Name ?? '') };
  const owner = entityOf(ownership.entity);
  const id = Number(ownMember(document, ownership.field) ?? 0);
  // No object has the ID 0, which in a filter means any.
  const now = id === 0 ? undefined : await store.find(owner, teamId, { id });
  const then = now && ((await ownAsOf(store, { ...wanted, entity: owner }, now)) ?? now);
  if (!then) return { ...account, name: '', managerId: 0 };
  return { ...account, name: String(then.document.Name ?? ''), managerId: then.account.managerId };
}

async function withManager(store: Store, account: Account, now: Account): Promise<Account> {
  if (account.managerId === now.managerId) return account;
  const manager = await store.identity.user(account.managerId);
  return { ...account, managerName: manager ? fullName(manager) : '' };
}

async function countSince(...asked: Parameters<typeof changesSince>): Promise<number> {
  let count = 0;
  for await (const { changes } of changesSince(...asked)) count += changes.length;
  return count;
}

/** By field: today's number, minus those that came since, plus those that left. */
async function countsAsOf(
  store: Store,
  { entity, teamId, atMs }: AsOfQuery,
  { id, derived }: StoredObject,
  upToRevision: number,
): Promise<Values> {
  const counts: Record<string, number> = {};
  for (const [owned, name] of countFields(entity)) {
    const filter = { entity: owned, upToRevision };
    const came = await countSince(store, teamId, { ...filter, ownerId: id }, atMs);
    const left = await countSince(store, teamId, { ...filter, formerOwnerId: id }, atMs);
    setOwnMember(counts, name, Number(ownMember(derived, name)) - came + left);
  }
  return counts;
}

function isWithin(entity: Entity, { ownerId, managerId, activeOnly, afterId }: Filter, object: StoredObject) {
  const owner = entity.owner && ownMember(object.document, entity.owner.field);
  return (
    (!ownerId || owner === ownerId) &&
    (!managerId || object.account.managerId === managerId) &&
    (!activeOnly || object.status === 0) &&
    object.id > (afterId ?? 0)
  );
}

/** Reference, H7; undefined if it did not exist yet or is outside the filter. */
export async function findAsOf(store: Store, wanted: AsOfQuery): Promise<StoredObject | undefined> {
  const { object, revision } = await findWithRevision(store, wanted);
  const own = object && (await ownAsOf(store, wanted, object));
  if (!own) return undefined;
  const account = await withManager(store, await accountAsOf(store, wanted, own), object.account);
  const derived = { ...own.derived, ...(await countsAsOf(store, wanted, own, revision)) };
  const then = { ...own, account, derived };
  return isWithin(wanted.entity, wanted.filter, then) ? then : undefined;
}
