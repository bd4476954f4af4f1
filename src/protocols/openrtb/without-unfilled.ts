import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import { isObject } from '../json.ts';
import { isUnfilled, saysNothing } from '../unfilled.ts';
import type { ObjectKind } from './member-types.ts';
import { device, user } from './objects/audience.ts';
import { app, dooh, site } from './objects/inventory.ts';
import { regs } from './objects/request.ts';

/** Objects of a request that publishers fill by macros. What goes into the other objects, programs make. */
const filledByMacros: readonly (readonly [member: string, kind: ObjectKind])[] = [
  ['site', site],
  ['app', app],
  ['dooh', dooh],
  ['device', device],
  ['user', user],
  ['regs', regs],
];

/** Members for which `0` and the like are values: words of a search, titles, lists. */
const ofWords: ReadonlySet<string> = new Set(
  'search keywords title series season artist album genre customdata'.split(' '),
);

/** Required where it is: without it the whole object would be wrong. */
const required = 'brand';

function isAbsent(name: string, text: string): boolean {
  if (name === required) return false;
  return ofWords.has(name) ? isUnfilled(text) : saysNothing(text);
}

/** A member without what nobody filled; undefined for a text that nobody filled, the value itself where all is. */
function filledMember(kind: ObjectKind, name: string, value: unknown, path: string, unfilled: string[]) {
  if (name === 'ext' && kind.older.length > 0) return filled(kind, value, path, unfilled);
  const [type] = ownMember(kind.rows, name) ?? [];
  if (type === undefined || type.isList) return value;
  if (type.object) return filled(type.object, value, path, unfilled);
  if (typeof value !== 'string' || type.form !== 'string' || !isAbsent(name, value)) return value;
  unfilled.push(path);
  return undefined;
}

/** An object without such texts at any depth that the tables know; the object itself where it has none. */
function filled(kind: ObjectKind, value: unknown, path: string, unfilled: string[]): unknown {
  if (!isObject(value)) return value;
  let kept: Record<string, unknown> | undefined;
  for (const name in value) {
    const member = value[name];
    const read = filledMember(kind, name, member, `${path}.${name}`, unfilled);
    if (read === member) continue;
    kept ??= { ...value };
    setOwnMember(kept, name, read);
  }
  return kept ?? value;
}

/** A request in which texts that nobody filled are absent; the request itself where it has none. */
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
