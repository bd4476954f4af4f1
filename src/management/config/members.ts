import type { Entity } from '../../entities/entity.ts';
import type { Field, Place } from '../../fields/field.ts';

type PlaceOf<K extends Place['kind']> = Extract<Place, { kind: K }>;

interface MemberOf<Kind extends string> {
  readonly name: string;
  readonly fieldName: string;
  readonly field: Field;
  readonly kind: Kind;
}

/** As `add` takes it. */
export type ValueMember = MemberOf<'value'>;
/** Of one other object, the owner. */
export type ReferenceMember = MemberOf<'reference'> & { readonly to: string };
/** In their order. */
export type ConnectionMember = MemberOf<'connection'> & { readonly place: PlaceOf<'connection'> };

/** `member-kinds.ts` has what each kind does. */
export type Member =
  | ValueMember
  | ReferenceMember
  | ConnectionMember
  | MemberOf<'text'>
  /** Mail address of the account manager. */
  | MemberOf<'manager'>;

function memberOf(fieldName: string, field: Field): Member {
  const { place, references } = field;
  if (place.kind === 'connection') return { name: fieldName, fieldName, field, kind: 'connection', place };
  if (place.kind === 'listText') return { name: fieldName, fieldName, field, kind: 'text' };
  // On the wire such a field is named after the ID (`PublisherId`), here after the object (`Publisher`).
  const name = references === undefined ? fieldName : fieldName.replace(/Id$/, '');
  if (place.kind === 'manager') return { name, fieldName, field, kind: 'manager' };
  if (references !== undefined) return { name, fieldName, field, kind: 'reference', to: references };
  return { name, fieldName, field, kind: 'value' };
}

const membersByEntity = new Map<Entity, readonly Member[]>();

/** Fields that clients send, the name first. */
export function membersOf(entity: Entity): readonly Member[] {
  const known = membersByEntity.get(entity);
  if (known) return known;
  const members = Object.entries(entity.fields)
    .filter(([, { presence }]) => presence !== 'derived')
    .map(([name, field]) => memberOf(name, field))
    .toSorted((a, b) => Number(b.name === 'Name') - Number(a.name === 'Name'));
  membersByEntity.set(entity, members);
  return members;
}

export function membersOfKind<K extends Member['kind']>(
  entity: Entity,
  kind: K,
): readonly Extract<Member, { kind: K }>[] {
  return membersOf(entity).filter((member): member is Extract<Member, { kind: K }> => member.kind === kind);
}

/** The shortest form that `add` takes. */
export function documentValue({ field }: Pick<Member, 'field'>, stored: unknown): unknown {
  const value = stored ?? field.omitted;
  return field.resend ? field.resend(value) : value;
}

/** Credentials, which no export holds. */
export function isKeptWhenOmitted({ field }: Pick<Member, 'field'>): boolean {
  return field.isConfidential === true;
}

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
