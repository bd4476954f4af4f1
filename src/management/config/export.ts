import { entities } from '../../entities/registry.ts';
import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import type { Actor, Store, Values } from '../../store/interface.ts';
import { documentVersion } from './document-schema.ts';
import { managersOf } from './managers.ts';
import { type MemberReading, memberKind } from './member-kinds.ts';
import {
  documentValue,
  isKeptWhenOmitted,
  isSame,
  type Member,
  membersOf,
  membersOfKind,
} from './members.ts';
import { type ReverseConnections, repeatsOtherSide, reverseConnections } from './reverse-connections.ts';
import {
  connectedKeys,
  readConsistently,
  readTeam,
  type TeamObject,
  type TeamObjects,
} from './team-objects.ts';
import { withPauses } from './with-pauses.ts';

export interface ConfigDocument {
  readonly Version: number;
  readonly [entity: string]: number | readonly Values[];
}

interface ExportReading extends MemberReading {
  /** Not named as manager in the document. */
  readonly userId: number;
  readonly reverse: ReverseConnections;
}

function reverseConnectionsIn(team: TeamObjects): ReverseConnections {
  const objects = entities.flatMap((entity) => team.of(entity.key));
  const naming = objects.map(({ entity, key, object: { derived } }) => {
    const members = membersOfKind(entity, 'connection').map(
      ({ name, fieldName, place }) =>
        [name, connectedKeys(team, place.to, ownMember(derived, fieldName))] as const,
    );
    return { entity, key, connections: Object.fromEntries(members) };
  });
  return reverseConnections(naming);
}

function isWithheld({ userId }: ExportReading, { object }: TeamObject, member: Member): boolean {
  return isKeptWhenOmitted(member) || (member.kind === 'manager' && object.account.managerId === userId);
}

function isOmitted(
  { reverse }: ExportReading,
  { entity, key }: TeamObject,
  member: Member,
  value: unknown,
): boolean {
  const { field, kind } = member;
  if (value === undefined || (kind === 'reference' && value === '')) return true;
  if (kind === 'manager' || field.presence === 'required') return false;
  if (kind === 'connection' && repeatsOtherSide(entity, member))
    return isSame(value, reverse.of(entity, member, key));
  return isSame(value, documentValue(member, field.omitted));
}

async function configObject(reading: ExportReading, held: TeamObject): Promise<Values> {
  const { entity, key, object } = held;
  const values: Record<string, unknown> = {};
  if (key !== object.document.Name) values.Key = key;
  for (const member of membersOf(entity)) {
    const isLeftOut = isWithheld(reading, held, member);
    const value = isLeftOut ? undefined : await memberKind(member).current(member, reading, held);
    if (!isOmitted(reading, held, member, value)) setOwnMember(values, member.name, value);
    if (member.name === 'Name' && object.status === 1) values.Status = 'Inactive';
  }
  return values;
}

/** As of one moment; equal configurations give equal documents. */
export function exportConfig(store: Store, { teamId, userId }: Actor): Promise<ConfigDocument> {
  const managers = managersOf(store.identity, teamId);
  return readConsistently(store, teamId, async (reads) => {
    const team = await readTeam(reads);
    const reading: ExportReading = { reads, team, managers, userId, reverse: reverseConnectionsIn(team) };
    const sections: Record<string, readonly Values[]> = {};
    for (const { key } of entities) {
      const objects: Values[] = [];
      for await (const held of withPauses(team.of(key))) objects.push(await configObject(reading, held));
      if (objects.length > 0) setOwnMember(sections, key, objects);
    }
    return { Version: documentVersion, ...sections };
  });
}
