import { type FieldType, fieldTypeOf } from './field-types.ts';

/** One step of a path: a member, or an index of a list, and what is there. */
interface Step {
  readonly name: string;
  readonly type: FieldType;
}

/** A value for one place of a bid request, read from a dotted path and a text. */
export interface PathValue {
  readonly steps: readonly Step[];
  /** The text as the type of the place has it; a text of a place that the standard does not know stays one. */
  readonly value: unknown;
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isIndex = (name: string) => /^\d+$/.test(name);

/** Never set: members that would be the prototype's, and IDs that the answer is known by. */
const inherited = new Set(['__proto__', 'constructor', 'prototype']);
const ours = new Set(['id', 'imp', 'imp.id']);

/** Never made where absent: what is offered stays as it is, and these would not be whole. */
const neverMade = new Set('Site App DOOH Banner Video Audio Native SupplyChain Qty BrandVersion'.split(' '));

const simple: Readonly<Record<'string' | 'integer' | 'float', (text: string) => unknown>> = {
  string: (text) => text,
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined),
  float: (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined),
};

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text as a type: items of simple lists have commas between them, objects are JSON; undefined where it is neither. */
function readAs(text: string, { form, isList }: FieldType): unknown {
  if (form === 'object') {
    const value = readJson(text);
    const fits = isList ? Array.isArray(value) && value.every(isMembers) : isMembers(value);
    return fits ? value : undefined;
  }
  if (!isList) return simple[form](form === 'string' ? text : text.trim());
  const items = text.split(',').map((item) => simple[form](item.trim()));
  return items.includes(undefined) ? undefined : items;
}

const request: FieldType = { form: 'object', isList: false, object: 'BidRequest' };

function stepsOf(names: readonly string[]): Step[] {
  let type = request;
  return names.map((name) => {
    type = isIndex(name) ? { ...type, isList: false } : fieldTypeOf(type.object, name);
    return { name, type };
  });
}

/**
 * Reads a path as `imp.video.skip` and its text. Undefined where nothing is to be set: the text is not of the type
 * that OpenRTB 2.6 gives the place, or the place is an ID that the answer must repeat, or an object's prototype.
 */
export function readPathValue(path: string, text: string): PathValue | undefined {
  const names = path.split('.');
  const place = names.filter((name) => !isIndex(name)).join('.');
  if (names.some((name) => name === '' || inherited.has(name)) || ours.has(place)) return undefined;
  const steps = stepsOf(names);
  const value = readAs(text, steps.at(-1)?.type ?? request);
  return value === undefined ? undefined : { steps, value };
}

function withItem(items: readonly unknown[], path: PathValue): readonly unknown[] {
  const [first, ...rest] = path.steps;
  if (first === undefined || !isIndex(first.name)) return items.map((item) => withValueAt(item, path));
  const inside = { steps: rest, value: path.value };
  return items.map((item, index) => (index === Number(first.name) ? withValueAt(item, inside) : item));
}

/** Whether an absent member may be made for what comes within it. */
const isMade = ({ type }: Step, next: Step) =>
  !(type.isList || neverMade.has(type.object ?? '') || isIndex(next.name));

/**
 * A copy of a part of a bid request in which a value is set; what the path does not touch is shared. In a list, an
 * index means that item, if there is one, and a name means that member of every item. Objects that are absent on the
 * way are made, but for lists and for media and inventory that are not on offer. A way through a simple value leads
 * nowhere and changes nothing.
 */
export function withValueAt(target: unknown, { steps, value }: PathValue): unknown {
  const [first, ...rest] = steps;
  if (first === undefined) return value;
  if (Array.isArray(target)) return withItem(target, { steps, value });
  if (!isMembers(target)) return target;
  const [next] = rest;
  const member = target[first.name];
  if (member === undefined && next !== undefined && !isMade(first, next)) return target;
  const base = member === undefined && next !== undefined ? {} : member;
  const changed = withValueAt(base, { steps: rest, value });
  return changed === base ? target : { ...target, [first.name]: changed };
}
