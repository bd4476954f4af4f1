import { type TSchema, Type } from 'typebox';
import { entityOf } from '../../entities/registry.ts';
import { helpOf } from '../../fields/field.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { TeamReads } from '../../store/interface.ts';
import type { ObjectInput } from '../object-input.ts';
import { described } from '../schemas.ts';
import type { Managers } from './managers.ts';
import { documentValue, isKeptWhenOmitted, type Member } from './members.ts';
import { connectedKeys, readText, type TeamObject, type TeamObjects } from './team-objects.ts';
import { textChange } from './text-change.ts';

export interface MemberReading {
  readonly reads: TeamReads;
  readonly team: TeamObjects;
  readonly managers: Managers;
}

/** `references` by member, `connections` by field, both sides agreed on. */
export interface DesiredObject {
  readonly input: Pick<ObjectInput, 'document' | 'lines'>;
  readonly references: Readonly<Record<string, string>>;
  readonly connections: Readonly<Record<string, readonly string[]>>;
  readonly managerId: number | undefined;
}

/** Values are as in the document. */
interface Kind<M> {
  schema(member: M): TSchema;
  current(member: M, reading: MemberReading, held: TeamObject): unknown;
  /** Undefined if it keeps its own. */
  desired(member: M, reading: MemberReading, wanted: DesiredObject): unknown;
  /** How two different values are shown, if not as they are. */
  shown?(member: M, from: unknown, to: unknown): readonly [from: unknown, to: unknown];
}

type MemberOfKind<K extends Member['kind']> = Extract<Member, { kind: K }>;

const keysMax = 100_000;
/** Room for a name of 1,024 characters and its number. */
const keyCharactersMax = 1040;

export function keySchema(description: string): TSchema {
  return Type.String({ minLength: 1, maxLength: keyCharactersMax, description });
}

/** A credential: only whether there is one. */
function masked(value: unknown): unknown {
  return value === '' ? '' : '(not shown)';
}

const value: Kind<MemberOfKind<'value'>> = {
  schema: (member) => {
    const { field, fieldName } = member;
    const kept = isKeptWhenOmitted(member) ? '; not exported; left out = unchanged' : '';
    return { ...described(field.accepts, fieldName, field), description: helpOf(field) + kept };
  },
  current: (member, _reading, { object }) =>
    documentValue(member, ownMember(object.document, member.fieldName)),
  desired: (member, _reading, { input: { document } }) => {
    const isLeft = isKeptWhenOmitted(member) && !Object.hasOwn(document, member.fieldName);
    return isLeft ? undefined : documentValue(member, document[member.fieldName]);
  },
  shown: (member, from, to) => (isKeptWhenOmitted(member) ? [masked(from), masked(to)] : [from, to]),
};

const text: Kind<MemberOfKind<'text'>> = {
  schema: ({ field, fieldName }) => described(field.accepts, fieldName, field),
  current: (_member, { reads }, held) => readText(reads, held),
  desired: (_member, _reading, { input: { lines } }) => lines?.parts.join('\n') ?? '',
  shown: (_member, from, to) => textChange(String(from), String(to)),
};

/** `""` = none, which a document leaves out. */
const reference: Kind<MemberOfKind<'reference'>> = {
  schema: ({ to }) => keySchema(`Its ${entityOf(to).title}, by key`),
  current: ({ to, fieldName }, { team }, { object }) =>
    team.keyOf(to, Number(ownMember(object.document, fieldName))) ?? '',
  desired: ({ name }, _reading, { references }) => ownMember(references, name) ?? '',
};

const connection: Kind<MemberOfKind<'connection'>> = {
  schema: ({ place }) => {
    const { title } = entityOf(place.to);
    const key = keySchema(`Key of one ${title}`);
    return Type.Array(key, { maxItems: keysMax, description: `${title}s, by key` });
  },
  current: ({ place, fieldName }, { team }, { object }) =>
    connectedKeys(team, place.to, ownMember(object.derived, fieldName)),
  desired: ({ fieldName }, _reading, { connections }) => ownMember(connections, fieldName),
};

const manager: Kind<MemberOfKind<'manager'>> = {
  schema: () =>
    Type.String({
      format: 'mail',
      maxLength: 320,
      description:
        'Mail address of the user who manages the account; "" = nobody; left out = an existing manager stays, and a new account gets the user who applies the document; the export leaves out the user who exports',
    }),
  current: (_member, { managers }, { object }) => managers.mailOf(object.account.managerId),
  desired: (_member, { managers }, { managerId }) =>
    managerId === undefined ? undefined : managers.mailOf(managerId),
};

const kinds: { readonly [K in Member['kind']]: Kind<MemberOfKind<K>> } = {
  value,
  text,
  reference,
  connection,
  manager,
};

export function memberKind({ kind }: Member): Kind<Member> {
  return kinds[kind];
}
