import type { Actor, StoredObject, Transaction, Values, Writing } from '../../store/interface.ts';
import { existing } from '../posted.ts';
import { makeSecrets } from '../secrets.ts';
import { inTurns } from './in-turns.ts';
import { isSame, membersOfKind } from './members.ts';
import type { Plan, Planned } from './plan.ts';
import type { PlanEntry } from './plan-entry.ts';
import type { TeamObjects } from './team-objects.ts';

/** IDs of the plan's objects, by entity and key: those of the team, and those of new objects once they are added. */
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

/** The document to store, without secrets. */
function documentOf({ draft }: Planned, ids: Ids): Values {
  const references = membersOfKind(draft.entity, 'reference').flatMap(({ name, fieldName, to }) => {
    const key = draft.references[name];
    return key === undefined ? [] : [[fieldName, ids.of(to, key)]];
  });
  return { ...draft.intake.document, ...Object.fromEntries(references) };
}

/** IDs of the connections, by field. A field is left out while one of its objects is still to be added. */
function connectionsOf({ draft, connections }: Planned, ids: Ids): Writing['connections'] {
  const rows = membersOfKind(draft.entity, 'connection').flatMap(({ fieldName, place }) => {
    const found = (connections[fieldName] ?? []).map((key) => ids.of(place.to, key));
    const known = found.filter((id) => id !== undefined);
    return known.length === found.length ? [[fieldName, known] as const] : [];
  });
  return Object.fromEntries(rows);
}

/** The account manager's user ID; a new object that names none gets the user who applies. */
function managerOf({ draft, held }: Planned, userId: number): { managerId?: number } {
  if (membersOfKind(draft.entity, 'manager').length === 0) return {};
  const { managerId } = draft;
  if (managerId !== undefined) return { managerId };
  return held ? {} : { managerId: userId };
}

/**
 * Adds a new object with the connections whose other ends exist. Answers whether nothing is left to settle: its
 * connections are complete, and it is active.
 */
async function insert(
  transaction: Transaction,
  planned: Planned,
  ids: Ids,
  userId: number,
): Promise<boolean> {
  const { entity, key, intake, status } = planned.draft;
  const connections = connectionsOf(planned, ids);
  const id = await transaction.insert(entity, {
    document: { ...documentOf(planned, ids), ...makeSecrets(entity) },
    connections,
    ...managerOf(planned, userId),
    ...(intake.lines && intake.lines.parts.length > 0 ? { text: intake.lines.parts } : {}),
  });
  ids.set(entity.key, key, id);
  const isConnected = membersOfKind(entity, 'connection').every(({ fieldName }) => fieldName in connections);
  return isConnected && status === 0;
}

/** Whether an object that the team has is as the document says already. */
function isAsPlanned({ draft, held, changes }: Planned): boolean {
  return held !== undefined && changes.length === 0 && held.object.status === draft.status;
}

function differing(next: Values, current: Values): Values {
  return Object.fromEntries(Object.entries(next).filter(([name, value]) => !isSame(value, current[name])));
}

/** The stored values by field, the omitted ones filled in. */
function storedValues({ draft: { entity } }: Planned, { document }: StoredObject): Values {
  const rows = Object.entries(entity.fields).map(([name, field]) => [name, document[name] ?? field.omitted]);
  return Object.fromEntries(rows);
}

/** Changes an existing object to what the document says. All objects that it names must exist. */
async function settle(transaction: Transaction, planned: Planned, ids: Ids, userId: number): Promise<void> {
  const { draft, changes } = planned;
  const { entity, key, intake, status } = draft;
  const current = await existing(transaction, entity, ids.of(entity.key, key) ?? 0);
  const isTextChanged = membersOfKind(entity, 'text').some(({ name }) =>
    changes.some(({ Field }) => Field === name),
  );
  const { managerId } = managerOf(planned, userId);
  const writing: Writing = {
    document: differing(documentOf(planned, ids), storedValues(planned, current)),
    connections: differing(connectionsOf(planned, ids), current.derived) as Writing['connections'],
    ...(managerId === undefined ? {} : { managerId }),
    ...(isTextChanged ? { text: intake.lines?.parts ?? [] } : {}),
  };
  await transaction.update(entity, current, writing);
  if (current.status !== status)
    await transaction.setStatus(entity, await existing(transaction, entity, current.id), status);
}

/**
 * Does what a plan says, and answers its entries with the IDs of what was added. First all new objects, owners
 * before what they own; then what connects them, so that connections may run in any direction.
 */
export async function carryOut(
  transaction: Transaction,
  { team, planned, leaving, entries }: Plan,
  { userId }: Pick<Actor, 'userId'>,
): Promise<readonly PlanEntry[]> {
  const ids = idsOf(team);
  const fresh = planned.filter(({ held }) => held === undefined);
  const ownersFirst = fresh.toSorted(
    (a, b) => Number(a.draft.entity.owner !== undefined) - Number(b.draft.entity.owner !== undefined),
  );
  const settled = new Set(planned.filter(isAsPlanned));
  for await (const one of inTurns(ownersFirst)) {
    if (await insert(transaction, one, ids, userId)) settled.add(one);
  }
  for await (const one of inTurns(planned)) {
    if (!settled.has(one)) await settle(transaction, one, ids, userId);
  }
  for await (const { entity, object } of inTurns(leaving)) await transaction.setStatus(entity, object, 1);
  return entries.map((entry) => ({ ...entry, Id: ids.of(entry.Entity, entry.Key) ?? entry.Id }));
}
