import { entities } from '../../entities/registry.ts';
import type { Actor, Store, Values } from '../../store/interface.ts';
import { isFollowing, type Namers, namersOf } from './both-sides.ts';
import { documentVersion } from './document-schema.ts';
import { inTurns } from './in-turns.ts';
import { managersOf } from './managers.ts';
import { kindOf, type MemberReading } from './member-kinds.ts';
import { isKept, isSame, type Member, membersOf, membersOfKind, writtenValue } from './members.ts';
import { connectedKeys, type Held, readAtOnce, readTeam, type TeamObjects } from './team-objects.ts';

/** A team's configuration: `Version`, and by entity its objects, each a set of members (`objectSchema`). */
export interface ConfigDocument {
  readonly Version: number;
  readonly [entity: string]: number | readonly Values[];
}

/** What the document is made from. */
interface Reading extends MemberReading {
  /** The user who exports, whom the document does not name as manager. */
  readonly userId: number;
  readonly namers: Namers;
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

/** Whether the document never holds this member of the object. */
function isWithheld({ userId }: Reading, { object }: Held, member: Member): boolean {
  return isKept(member) || (member.kind === 'manager' && object.account.managerId === userId);
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
    const isLeftOut = isWithheld(reading, held, member);
    const value = isLeftOut ? undefined : await kindOf(member).current(member, reading, held);
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
