import { ownMember } from '../../reference/own-member.ts';
import { isObject, parseJson } from '../json.ts';
import { anyObject, text as anyText, type MemberType, type ObjectKind } from './member-types.ts';
import { bidRequest } from './objects/request.ts';

type FieldType = Pick<MemberType<unknown>, 'form' | 'isList' | 'object'>;

/** A member or an index, and the type there. */
interface Step {
  readonly name: string;
  readonly type: FieldType;
}

/** From a dotted path and a text. */
export interface PathValue {
  readonly steps: readonly Step[];
  /** Converted to the type of its place; stays a text if the standard does not know the place. */
  readonly value: unknown;
}

const isIndex = (name: string) => /^\d+$/.test(name);

/** Never set: an object's prototype, and IDs that an answer must repeat. */
const inherited = new Set(['__proto__', 'constructor', 'prototype']);
const answeredIds = new Set(['id', 'imp', 'imp.id']);

/** Never created: a medium would change what is offered, others would lack required members. */
const neverCreated = new Set(
  'Site App DOOH Banner Video Audio Native SupplyChain Qty BrandVersion'.split(' '),
);

const simple: Readonly<Record<'string' | 'integer' | 'float', (text: string) => unknown>> = {
  string: (text) => text,
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined),
  float: (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined),
};

/** Lists by commas, objects as JSON; undefined if it does not fit. */
function readAs(text: string, { form, isList }: FieldType): unknown {
  if (form === 'object') {
    const value = parseJson(text);
    const fits = isList ? Array.isArray(value) && value.every(isObject) : isObject(value);
    return fits ? value : undefined;
  }
  if (!isList) return simple[form](form === 'string' ? text : text.trim());
  const items = text.split(',').map((item) => simple[form](item.trim()));
  return items.includes(undefined) ? undefined : items;
}

/** A string if the tables do not name the attribute. @internal */
export function fieldTypeOf(kind: ObjectKind | undefined, attribute: string): FieldType {
  if (attribute === 'ext') return anyObject;
  return ownMember(kind?.rows, attribute)?.[0] ?? anyText;
}

function stepsOf(names: readonly string[]): Step[] {
  let type: FieldType = bidRequest;
  return names.map((name) => {
    const { form, object } = type;
    type = isIndex(name) ? { form, object, isList: false } : fieldTypeOf(object, name);
    return { name, type };
  });
}

/** Undefined if it may not be set or does not fit its type. */
export function readPathValue(path: string, text: string): PathValue | undefined {
  const names = path.split('.');
  const place = names.filter((name) => !isIndex(name)).join('.');
  if (names.some((name) => name === '' || inherited.has(name)) || answeredIds.has(place)) return undefined;
  const steps = stepsOf(names);
  const value = readAs(text, steps.at(-1)?.type ?? bidRequest);
  return value === undefined ? undefined : { steps, value };
}

function withItem(items: readonly unknown[], path: PathValue): readonly unknown[] {
  const [first, ...rest] = path.steps;
  if (first === undefined || !isIndex(first.name)) return items.map((item) => withValueAt(item, path));
  const inside = { steps: rest, value: path.value };
  return items.map((item, index) => (index === Number(first.name) ? withValueAt(item, inside) : item));
}

/** To set a value inside an absent member. */
const mayCreate = ({ type }: Step, next: Step) =>
  !(type.isList || neverCreated.has(type.object?.name ?? '') || isIndex(next.name));

/**
 * Copies only what the path touches. In a list, an index means that item, a name that member of every item. Creates
 * absent objects, except lists and `neverCreated`. A path through a simple value changes nothing.
 */
export function withValueAt(target: unknown, { steps, value }: PathValue): unknown {
  const [first, ...rest] = steps;
  if (first === undefined) return value;
  if (Array.isArray(target)) return withItem(target, { steps, value });
  if (!isObject(target)) return target;
  const [next] = rest;
  const member = ownMember(target, first.name);
  if (member === undefined && next !== undefined && !mayCreate(first, next)) return target;
  const base = member === undefined && next !== undefined ? {} : member;
  const changed = withValueAt(base, { steps: rest, value });
  return changed === base ? target : { ...target, [first.name]: changed };
}
