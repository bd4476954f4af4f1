import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import { isObject } from '../json.ts';
import { isUnfilled, maySayNothing, saysNothing } from '../unfilled.ts';
import { FormFault, type MemberType, type ObjectKind } from './member-types.ts';
import { device, user } from './objects/audience.ts';
import { app, dooh, site } from './objects/inventory.ts';
import { regs } from './objects/request.ts';

/** Filled by publishers' macros; programs make the other objects. */
const filledByMacros: readonly (readonly [member: string, kind: ObjectKind])[] = [
  ['site', site],
  ['app', app],
  ['dooh', dooh],
  ['device', device],
  ['user', user],
  ['regs', regs],
];

/** `0` and the like are values here: search words, titles, lists, a text that is a bit. */
const ofWords: ReadonlySet<string> = new Set(
  'search keywords title series season artist album genre customdata gpc'.split(' '),
);

/** Without it the whole object would be wrong. */
const required = 'brand';

/** Non-negative numbers use these for "unknown". */
const notKnown: ReadonlySet<unknown> = new Set([-1, -2]);

function isAbsent(
  name: string,
  { form, isList, read }: MemberType<unknown, unknown>,
  value: unknown,
): boolean {
  if (name === required) return false;
  if (typeof value === 'number') return notKnown.has(value) && read(value) instanceof FormFault;
  if (typeof value !== 'string') return false;
  if (ofWords.has(name)) return isUnfilled(value);
  return saysNothing(value) && (value !== '0' || (form === 'string' && !isList));
}

/** Undefined if nothing else is left. */
function filledList(list: readonly unknown[]): unknown {
  const some = list.filter((item) => !(typeof item === 'string' && isUnfilled(item)));
  if (some.length === list.length) return list;
  return some.length > 0 ? some : undefined;
}

/** Undefined for an unfilled value; the value itself if all is filled. */
function filledMember(kind: ObjectKind, name: string, value: unknown, path: string, unfilled: string[]) {
  const [type] = ownMember(kind.rows, name) ?? [];
  if (name === 'ext' && kind.older.length > 0) {
    const older = filled(kind, value, path, unfilled);
    return type?.object ? filled(type.object, older, path, unfilled) : older;
  }
  if (type === undefined) return value;
  if (type.object && isObject(value)) return filled(type.object, value, path, unfilled);
  let read: unknown = value;
  if (Array.isArray(value)) read = filledList(value);
  else if (isAbsent(name, type, value)) read = undefined;
  if (read !== value) unfilled.push(path);
  return read;
}

/** At any depth that the tables know; the object itself if nothing is unfilled. */
function filled(kind: ObjectKind, value: unknown, path: string, unfilled: string[]): unknown {
  if (!isObject(value)) return value;
  let kept: Record<string, unknown> | undefined;
  for (const name in value) {
    const member = value[name];
    if (!maySayNothing(member)) continue;
    const read = filledMember(kind, name, member, `${path}.${name}`, unfilled);
    if (read === member) continue;
    kept ??= { ...value };
    setOwnMember(kept, name, read);
  }
  return kept ?? value;
}

/** Unfilled values become absent; the request itself if there are none. */
export function withoutUnfilled(value: unknown): { value: unknown; unfilled: readonly string[] } {
  const unfilled: string[] = [];
  if (!isObject(value)) return { value, unfilled };
  let kept = value;
  for (const [member, kind] of filledByMacros) {
    const own = ownMember(value, member);
    const read = own === undefined ? own : filled(kind, own, member, unfilled);
    if (read !== own) kept = { ...kept, [member]: read };
  }
  return { value: kept, unfilled };
}
