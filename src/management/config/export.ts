import { entities } from '../../entities/registry.ts';
import type { Actor, Store, TeamReads, Values } from '../../store/interface.ts';
import { isFollowing, type Namers, namersOf } from './both-sides.ts';
import { documentVersion } from './document-schema.ts';
import { inTurns } from './in-turns.ts';
import { type Managers, managersOf } from './managers.ts';
import { isKept, isSame, type Member, membersOf, membersOfKind, writtenValue } from './members.ts';
import { type Held, readAtOnce, readTeam, readText, type TeamObjects } from './team-objects.ts';

/** A team's configuration: `Version`, and by entity its objects, each a set of members (`objectSchema`). */
export interface ConfigDocument {
  readonly Version: number;
  readonly [entity: string]: number | readonly Values[];
}

/** What the members of objects are read from. */
interface Reading {
  readonly reads: TeamReads;
  readonly team: TeamObjects;
  readonly managers: Managers;
  /** The user who exports, whom the document does not name as manager. */
  readonly userId: number;
  readonly namers: Namers;
}

/** Keys of the objects that a connection names, in its order. */
export function connectedKeys(team: TeamObjects, to: string, ids: unknown): readonly string[] {
  return (ids as readonly number[]).flatMap((id) => team.keyOf(to, id) ?? []);
}

/** Who names whom in a team. */
function namersIn(team: TeamObjects): Namers {
  const objects = entities.flatMap((entity) => team.of(entity.key));
  const naming = objects.map(({ entity, key, object: { derived } }) => {
    const members = membersOfKind(entity, 'connection').map(
      ({ name, fieldName, place }) => [name, connectedKeys(team, place.to, derived[fieldName])] as const,
    );
    return { entity, key, connections: Object.fromEntries(members) };
  });
  return namersOf(naming);
}

async function readMember(reading: Reading, held: Held, member: Member): Promise<unknown> {
  const { reads, team, managers, userId } = reading;
  const { document, derived, account } = held.object;
  const stored = document[member.fieldName];
  switch (member.kind) {
    case 'value':
      return isKept(member) ? undefined : writtenValue(member, stored);
    case 'text':
      return readText(reads, held);
    case 'reference':
      return team.keyOf(member.to, Number(stored));
    case 'connection':
      return connectedKeys(team, member.place.to, derived[member.fieldName]);
    case 'manager':
      return account.managerId === userId ? undefined : managers.mailOf(account.managerId);
  }
}

/** Whether `apply` would have the same result without this member. */
function isOmitted({ namers }: Reading, { entity, key }: Held, member: Member, value: unknown): boolean {
  const { field, kind } = member;
  if (value === undefined) return true;
  if (kind === 'manager' || field.presence === 'required') return false;
  if (kind === 'connection' && isFollowing(entity, member))
    return isSame(value, namers.of(entity, member, key));
  return isSame(value, writtenValue(member, field.omitted));
}

/** An object in the form of the document: its connections by key, and only the members that `apply` needs. */
async function written(reading: Reading, held: Held): Promise<Values> {
  const { entity, key, object } = held;
  const values: Record<string, unknown> = {};
  if (key !== object.document.Name) values.Key = key;
  for (const member of membersOf(entity)) {
    const value = await readMember(reading, held, member);
    if (!isOmitted(reading, held, member, value)) values[member.name] = value;
    if (member.name === 'Name' && object.status === 1) values.Status = 'Inactive';
  }
  return values;
}

/**
 * The whole configuration of the actor's team, as it was at one moment, in the order of the registry and of ID: the
 * same configuration gives the same document. Without secrets, figures and IDs.
 */
export function exportConfig(store: Store, { teamId, userId }: Actor): Promise<ConfigDocument> {
  const managers = managersOf(store.identity, teamId);
  return readAtOnce(store, teamId, async (reads) => {
    const team = await readTeam(reads);
    const reading: Reading = { reads, team, managers, userId, namers: namersIn(team) };
    const sections: Record<string, readonly Values[]> = {};
    for (const { key } of entities) {
      const objects: Values[] = [];
      for await (const held of inTurns(team.of(key))) objects.push(await written(reading, held));
      if (objects.length > 0) sections[key] = objects;
    }
    return { Version: documentVersion, ...sections };
  });
}
