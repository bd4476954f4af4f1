import { ownMember } from '../../reference/own-member.ts';
import type { Actor, ObjectWrite, StoredObject, Transaction, Values } from '../../store/interface.ts';
import { requireObject } from '../post-answer.ts';
import { makeSecrets } from '../secrets.ts';
import { isSame, membersOfKind } from './members.ts';
import type { Plan, PlannedObject } from './plan.ts';
import type { ConfigPlan } from './plan-entry.ts';
import type { TeamObjects } from './team-objects.ts';
import { withPauses } from './with-pauses.ts';

interface Ids {
  of(entity: string, key: string): number | undefined;
  set(entity: string, key: string, id: number): void;
}

function idsOf(team: TeamObjects): Ids {
  const added = new Map<string, number>();
  const slot = (entity: string, key: string) => JSON.stringify([entity, key]);
  return {
    of: (entity, key) => team.find(entity, key)?.object.id ?? added.get(slot(entity, key)),
    set: (entity, key, id) => added.set(slot(entity, key), id),
  };
}

function documentOf({ draft }: PlannedObject, ids: Ids): Values {
  const references = membersOfKind(draft.entity, 'reference').flatMap(({ name, fieldName, to }) => {
    const key = ownMember(draft.references, name);
    const id = key === undefined ? undefined : ids.of(to, key);
    return id === undefined ? [] : [[fieldName, id]];
  });
  return { ...draft.input.document, ...Object.fromEntries(references) };
}

/** By field; a field is left out while one of its objects is yet to be added. */
function connectionsOf({ draft, connections }: PlannedObject, ids: Ids): ObjectWrite['connections'] {
  const rows = membersOfKind(draft.entity, 'connection').flatMap(({ fieldName, place }) => {
    const found = (ownMember(connections, fieldName) ?? []).map((key) => ids.of(place.to, key));
    const known = found.filter((id) => id !== undefined);
    return known.length === found.length ? [[fieldName, known] as const] : [];
  });
  return Object.fromEntries(rows);
}

/** A new object that names none gets the user who applies. */
function managerOf({ draft, current }: PlannedObject, userId: number): { managerId?: number } {
  if (membersOfKind(draft.entity, 'manager').length === 0) return {};
  const { managerId } = draft;
  if (managerId !== undefined) return { managerId };
  return current ? {} : { managerId: userId };
}

/** With references and connections whose other ends exist. True if nothing is left to do for it. */
async function insertObject(
  transaction: Transaction,
  planned: PlannedObject,
  ids: Ids,
  userId: number,
): Promise<boolean> {
  const { entity, key, input, status } = planned.draft;
  const connections = connectionsOf(planned, ids);
  const id = await transaction.insert(entity, {
    document: { ...documentOf(planned, ids), ...makeSecrets(entity) },
    connections,
    ...managerOf(planned, userId),
    ...(input.lines && input.lines.parts.length > 0 ? { text: input.lines.parts } : {}),
  });
  ids.set(entity.key, key, id);
  const isConnected = membersOfKind(entity, 'connection').every(({ fieldName }) =>
    Object.hasOwn(connections, fieldName),
  );
  const isReferring = membersOfKind(entity, 'reference').every(({ name, to }) => {
    const other = ownMember(planned.draft.references, name);
    return other === undefined || ids.of(to, other) !== undefined;
  });
  return isConnected && isReferring && status === 0;
}

function isAsPlanned({ draft, current, changes }: PlannedObject): boolean {
  return current !== undefined && changes.length === 0 && current.object.status === draft.status;
}

function changedValues(next: Values, current: Values): Values {
  return Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isSame(value, ownMember(current, name))),
  );
}

function storedValues({ draft: { entity } }: PlannedObject, { document }: StoredObject): Values {
  const rows = Object.entries(entity.fields).map(([name, field]) => [
    name,
    ownMember(document, name) ?? field.omitted,
  ]);
  return Object.fromEntries(rows);
}

async function updateObject(
  transaction: Transaction,
  planned: PlannedObject,
  ids: Ids,
  userId: number,
): Promise<void> {
  const { draft, changes } = planned;
  const { entity, key, input, status } = draft;
  const current = await requireObject(transaction, entity, ids.of(entity.key, key) ?? 0);
  const isTextChanged = membersOfKind(entity, 'text').some(({ name }) =>
    changes.some(({ Field }) => Field === name),
  );
  const { managerId } = managerOf(planned, userId);
  const write: ObjectWrite = {
    document: changedValues(documentOf(planned, ids), storedValues(planned, current)),
    connections: changedValues(connectionsOf(planned, ids), current.derived) as ObjectWrite['connections'],
    ...(managerId === undefined ? {} : { managerId }),
    ...(isTextChanged ? { text: input.lines?.parts ?? [] } : {}),
  };
  await transaction.update(entity, current, write);
  if (current.status !== status)
    await transaction.setStatus(entity, await requireObject(transaction, entity, current.id), status);
}

/** First objects, owners before others, then connections. Returns the entries with new IDs. */
export async function applyPlan(
  transaction: Transaction,
  { team, planned, toDeactivate, entries, warnings }: Plan,
  { userId }: Pick<Actor, 'userId'>,
): Promise<ConfigPlan> {
  const ids = idsOf(team);
  const fresh = planned.filter(({ current }) => current === undefined);
  const ownersFirst = fresh.toSorted(
    (a, b) => Number(a.draft.entity.owner !== undefined) - Number(b.draft.entity.owner !== undefined),
  );
  const settled = new Set(planned.filter(isAsPlanned));
  for await (const one of withPauses(ownersFirst)) {
    if (await insertObject(transaction, one, ids, userId)) settled.add(one);
  }
  for await (const one of withPauses(planned)) {
    if (!settled.has(one)) await updateObject(transaction, one, ids, userId);
  }
  for await (const { entity, object } of withPauses(toDeactivate))
    await transaction.setStatus(entity, object, 1);
  const numbered = entries.map((entry) => ({ ...entry, Id: ids.of(entry.Entity, entry.Key) ?? entry.Id }));
  return { entries: numbered, warnings };
}
