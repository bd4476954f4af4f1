import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import { isObject } from '../json.ts';
import {
  type Disclosure,
  FormFault,
  isWithin,
  type MemberType,
  type MemberUse,
  type ObjectKind,
} from './member-types.ts';

type Row = readonly [type: MemberType<unknown, unknown>, ...uses: MemberUse[]];
type Rows = Readonly<Record<string, Row>>;

type NamesWithUse<R extends Rows, U extends MemberUse> = {
  [K in keyof R]: Extract<R[K][number], U> extends never ? never : K;
}[keyof R];

type ReadValue<R extends Row> = R[0] extends MemberType<infer T, unknown> ? T : never;
type SentValue<R extends Row> = NonNullable<R[0]['sent']>;

/** Members that are read or passed on; null becomes undefined. */
type ReadMembers<R extends Rows, Q extends keyof R> = {
  readonly [K in Q & NamesWithUse<R, 'read' | 'passed'>]: ReadValue<R[K]>;
} & { readonly [K in Exclude<NamesWithUse<R, 'read' | 'passed'>, Q>]?: ReadValue<R[K]> };

/** Must name all that Bourse sends, and nothing that is read but not passed on. */
type SentMembers<R extends Rows> = {
  readonly [K in NamesWithUse<R, 'sent'>]: SentValue<R[K]> | undefined;
} & {
  readonly [K in Exclude<NamesWithUse<R, 'passed'>, NamesWithUse<R, 'sent'>>]?: ReadValue<R[K]> | undefined;
} & { readonly [K in Exclude<NamesWithUse<R, 'read'>, NamesWithUse<R, 'passed' | 'sent'>>]?: undefined };

export interface ObjectType<R extends Rows, Q extends keyof R>
  extends MemberType<ReadMembers<R, Q>, SentMembers<R>>,
    ObjectKind {
  readonly rows: R;
}

export type ReadObject<O> = O extends MemberType<infer T, unknown> ? T : never;
export type SentObject<O extends MemberType<unknown, unknown>> = NonNullable<O['sent']>;

type Members = Record<string, unknown>;

type Member = Pick<MemberType<unknown>, 'bounds'> & { readonly read: (value: unknown) => unknown };

interface Compiled extends ObjectKind {
  /** Those that are kept. */
  readonly members: ReadonlyMap<string, Member>;
  readonly required: readonly string[];
}

/** Copies only to set members to undefined (deleting is slow). */
function ownMembers(value: Readonly<Members>, { members, section }: Compiled): Readonly<Members> | FormFault {
  let kept: Members | undefined;
  for (const name in value) {
    const member = value[name];
    const known = members.get(name);
    if (known?.bounds && isWithin(known.bounds, member)) continue;
    const read = member === null || member === undefined ? undefined : known?.read(member);
    if (read instanceof FormFault) return read.within(name, section);
    if (read === member) continue;
    kept ??= { ...value };
    setOwnMember(kept, name, read);
  }
  return kept ?? value;
}

const isMissing = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function withOlder(
  kept: Readonly<Members>,
  ext: Readonly<Members>,
  { older, members, section }: Compiled,
): Readonly<Members> | FormFault {
  let added: Members | undefined;
  for (const name of older) {
    const member = ownMember(ext, name);
    if (!isMissing(ownMember(kept, name)) || isMissing(member)) continue;
    const read = members.get(name)?.read(member);
    if (read instanceof FormFault) return read.within(`ext.${name}`, section);
    added ??= { ...kept };
    setOwnMember(added, name, read);
  }
  return added ?? kept;
}

const noObject = new FormFault('an object');

function readObject(value: unknown, compiled: Compiled): Readonly<Members> | FormFault {
  if (!isObject(value)) return noObject;
  const own = ownMembers(value, compiled);
  if (own instanceof FormFault) return own;
  const hasOlder = compiled.older.length > 0 && isObject(value.ext);
  const kept = hasOlder ? withOlder(own, value.ext as Members, compiled) : own;
  if (kept instanceof FormFault) return kept;
  for (const name of compiled.required) {
    const missing =
      ownMember(kept, name) === undefined && ownMember(compiled.rows, name)?.[0].read(undefined);
    if (missing instanceof FormFault) return missing.within(name, compiled.section);
  }
  return kept;
}

/** Keeps what is `read` or `passed`; `required` members must be there. */
export function objectOf<const R extends Rows, Q extends keyof R & string = never>(
  name: string,
  section: string,
  rows: R,
  required: readonly Q[] = [],
): ObjectType<R, Q> {
  const members = new Map<string, Member>();
  const older: string[] = [];
  for (const [member, [{ read, keep, bounds }, ...uses]] of Object.entries<Row>(rows)) {
    if (uses.includes('read')) members.set(member, { read, bounds });
    else if (uses.includes('passed')) members.set(member, { read: keep, bounds });
    if (uses.includes('older')) older.push(member);
  }
  const kind = { name, section, rows, older };
  const compiled = { ...kind, members, required };
  const read = (value: unknown) => readObject(value, compiled);
  const keep = (value: unknown) => {
    const kept = read(value);
    return kept instanceof FormFault ? undefined : kept;
  };
  return { ...kind, form: 'object', isList: false, object: kind, read, keep } as ObjectType<R, Q>;
}

type ViewerRow = readonly [type: MemberType<unknown, unknown>, Disclosure, ...uses: MemberUse[]];

/** As `objectOf`, of which every member says what it tells of the viewer. */
export function viewerObjectOf<
  const R extends Readonly<Record<string, ViewerRow>>,
  Q extends keyof R & string = never,
>(name: string, section: string, rows: R, required: readonly Q[] = []): ObjectType<R, Q> {
  return objectOf(name, section, rows, required);
}

/** With the members that OpenRTB 2.5 has there; undefined if empty. */
export function extensionOf({ older }: ObjectKind, members: Readonly<Members>): Members | undefined {
  const ext: Members = { ...Object(members.ext) };
  for (const name of older) {
    const member = ownMember(members, name);
    if (member !== undefined) setOwnMember(ext, name, member);
  }
  return Object.keys(ext).length > 0 ? ext : undefined;
}

/** Of a member that tells something of the viewer: what goes on instead, or undefined. */
export type Disclose = (disclosure: MemberUse, name: string, value: unknown) => unknown;

function disclosedItem(type: MemberType<unknown, unknown>, value: unknown, disclose: Disclose): unknown {
  const { object, isList } = type;
  if (object === undefined) return value;
  if (!isList) return isObject(value) ? disclosed(object, value, disclose) : value;
  return Array.isArray(value) ? value.map((item) => disclosed(object, item, disclose)) : value;
}

/** What is left of an object after `disclose`, at all depths; members that are not known are left out. */
export function disclosed<T extends object>({ rows }: ObjectKind, value: T, disclose: Disclose): T {
  const kept: Members = {};
  for (const [name, member] of Object.entries(value)) {
    const row = ownMember(rows, name);
    if (!row) continue;
    const [type, ...uses] = row;
    let shown = member;
    for (const use of uses) if (shown !== undefined) shown = disclose(use, name, shown);
    if (shown !== undefined) setOwnMember(kept, name, disclosedItem(type, shown, disclose));
  }
  return kept as T;
}
